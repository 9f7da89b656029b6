import type { RecordingsStore } from '../../stores/recordings-store.ts';
import type { SessionStore } from '../../stores/session-types.ts';
import { BudgetHead } from '../budget/budget-panel.tsx';
import type { SessionNeeds } from './needs.ts';
import { SessionActions, SessionFacts } from './session-head.tsx';
import { SessionPanel } from './session-panel.tsx';
import type { SessionUi } from './session-ui.ts';

interface Needs {
  readonly sessions: SessionStore;
  readonly sessionUi: SessionUi;
  readonly sessionNeeds: SessionNeeds;
  readonly recordings: RecordingsStore;
}

const Content = ({ sessions, sessionUi, sessionNeeds, recordings }: Needs) => (
  <SessionPanel
    store={sessions}
    ui={sessionUi}
    needs={sessionNeeds}
    recordings={recordings}
    budget={<BudgetHead store={sessions} />}
  />
);

const Facts = ({ sessions }: Pick<Needs, 'sessions'>) => <SessionFacts store={sessions} />;

const Actions = ({ sessions, sessionUi, sessionNeeds }: Needs) => (
  <SessionActions store={sessions} ui={sessionUi} needs={sessionNeeds} />
);

export const sessionContent = { Content, Facts, Actions };
