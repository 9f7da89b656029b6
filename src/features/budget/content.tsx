import type { SessionStore } from '../../stores/session-types.ts';
import { BudgetPanel } from './budget-panel.tsx';

const Content = ({ sessions }: { readonly sessions: SessionStore }) => <BudgetPanel store={sessions} />;

export const activationBudgetContent = { Content };
