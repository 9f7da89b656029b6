import { exportJsonl } from '../../event/jsonl.ts';
import type { LatheEvent } from '../../event/types.ts';
import { readJournal } from './journal.ts';
import { writeHar } from './write-har.ts';

/** The requests of a session as HAR, of the nested ones too. */
export const journalHar = (events: readonly LatheEvent[]): string =>
  writeHar(readJournal(exportJsonl(events, { content: 'all' }), '').calls, '').text;
