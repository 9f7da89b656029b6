/** The calls of an exported session. */
import { isObject, parseJson } from '../../../base/json.ts';
import { valueOr } from '../../../base/result.ts';
import { importJsonl } from '../../event/jsonl.ts';
import type { Call } from '../call.ts';
import { createJournalCalls } from '../journal-calls.ts';
import type { Recording, RecordingFault } from './types.ts';

export const isJournal = (text: string): boolean => {
  const header = valueOr(parseJson(text.slice(0, /\r|\n|$/.exec(text)?.index)), undefined);
  return isObject(header) && header['lathe'] === 'journal';
};

const linesById = (text: string): ReadonlyMap<unknown, number> =>
  new Map(
    text.split('\n').map((line, index) => {
      const value = valueOr(parseJson(line), undefined);
      return [isObject(value) ? value['id'] : undefined, index + 1];
    }),
  );

export const readJournal = (text: string, file: string): Recording => {
  const journal = importJsonl(text);
  if (!journal.ok) return { calls: [], faults: [journal.error] };
  const { events, content } = journal.value;
  const faults: RecordingFault[] = [...journal.value.faults];
  if (content === 'catalog')
    faults.push({ line: 1, message: 'this journal was exported without content, so it has no requests to explain.' });
  const numbers = linesById(text);
  const byId = new Map(events.map((event) => [event.id, event]));
  const attempts = createJournalCalls((id) => byId.get(id));
  for (const event of events) attempts.add(event);
  const calls: Call[] = [];
  for (const { eventId, call, fault } of attempts.all) {
    const line = numbers.get(eventId) ?? 1;
    if (fault !== undefined) faults.push({ line, message: fault });
    if (!call) continue;
    calls.push(Object.assign(call, { source: { file, line } }));
  }
  return { calls, faults };
};
