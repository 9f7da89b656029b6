import type { SessionStore } from '../../stores/session-types.ts';
import { EventStream, type EventStreamProps } from './event-stream.tsx';

type Needs = { readonly sessions: SessionStore; readonly save: EventStreamProps['onSave'] };

const Content = ({ sessions, save }: Needs) => <EventStream store={sessions} onSave={save} />;

export const eventStreamContent = { Content };
