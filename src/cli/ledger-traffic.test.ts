/** The ledger of recorded traffic against a count of its own. The recordings are not part of the project. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isObject, type Json, parseJson } from '../base/json.ts';
import { valueOr } from '../base/result.ts';
import { ledgerItems, ledgersOf } from '../model/ledger/ledger-items.ts';
import { ledgerOf } from '../model/ledger/ledger.ts';
import { explainCalls } from '../model/traffic/explainer.ts';
import { joinSources } from '../model/traffic/recording/sources.ts';
import { openRecordings } from './recording-files.ts';
import { PROJECT } from './testing/run-lathe.ts';

const TRAFFIC = join(PROJECT, '..', 'shared', 'traffic');
const isThere = existsSync(TRAFFIC);

/** USD per million tokens, in and out, as the providers list them. */
const LISTED: readonly (readonly [name: string, input: number, output: number])[] = [
  ['opus-4-6', 5, 25],
  ['haiku-4-5', 1, 5],
  ['sonnet-4-5', 3, 15],
];

type Fields = Readonly<Record<string, Json | undefined>>;
const fieldsOf = (value: Json | undefined): Fields => (isObject(value) ? value : {});
const tokens = (value: Json | undefined): number => (typeof value === 'number' ? value : 0);

interface Answer {
  readonly model: string;
  readonly usage: Fields;
}

/** Every answer of a folder of transcripts once: by its id, with the most output that a line tells of it. */
const answersIn = (folder: string): ReadonlyMap<string, Answer> => {
  const answers = new Map<string, Answer>();
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.jsonl'));
  for (const path of paths)
    for (const line of readFileSync(join(folder, path), 'utf8').split('\n')) {
      const told = fieldsOf(valueOr(parseJson(line), undefined));
      // What a sub-agent says stands inside a line of progress too.
      for (const holder of [told, fieldsOf(fieldsOf(told['data'])['message'])]) {
        const message = fieldsOf(holder['message']);
        const { id, model, usage } = message;
        if (typeof id !== 'string' || typeof model !== 'string' || !isObject(usage) || model.startsWith('<')) continue;
        const before = tokens(answers.get(id)?.usage['output_tokens']);
        if (!answers.has(id) || tokens(usage['output_tokens']) > before) answers.set(id, { model, usage });
      }
    }
  return answers;
};

const priceOf = ({ model, usage }: Answer): number => {
  const [, input = NaN, output = NaN] = LISTED.find(([name]) => model.includes(name)) ?? [];
  const created = fieldsOf(usage['cache_creation']);
  const hour = tokens(created['ephemeral_1h_input_tokens']);
  const short = tokens(usage['cache_creation_input_tokens']) - hour;
  const inTokens =
    tokens(usage['input_tokens']) + tokens(usage['cache_read_input_tokens']) * 0.1 + short * 1.25 + hour * 2;
  return (inTokens * input + tokens(usage['output_tokens']) * output) / 1e6;
};

const itemsOf = (set: string) =>
  ledgerItems(explainCalls(joinSources(openRecordings([join(TRAFFIC, set)]).files).calls));

/** Decimal places of a dollar: nothing is rounded. */
const EXACT = 9;

describe.skipIf(!isThere)('the ledger of recorded traffic (left out where it is not beside the project)', () => {
  it.each(['claude-code', 'cassettes'])('LED1: necessary and avoidable are what was paid, in %s', (set) => {
    const items = itemsOf(set);
    const { total, sources, chains, days } = ledgersOf(items);
    expect(items.length).toBeGreaterThan(20);
    const single = items.map((item) => ({ name: item.key, ledger: ledgerOf([item]) }));
    for (const { ledger } of [{ ledger: total }, ...sources, ...chains, ...days, ...single]) {
      const { paid, necessary, avoidable } = ledger;
      expect(necessary.known + avoidable.known).toBeCloseTo(paid.known, EXACT);
      expect(avoidable.known).toBeGreaterThanOrEqual(0);
      expect([necessary.unknown, avoidable.unknown]).toEqual([paid.unknown, paid.unknown]);
    }
    for (const groups of [sources, chains, days, single])
      for (const sum of ['paid', 'necessary', 'avoidable'] as const)
        expect(groups.reduce((all, { ledger }) => all + ledger[sum].known, 0)).toBeCloseTo(total[sum].known, EXACT);
  });

  it('LED1: what was paid for the transcripts is what their lines say, at the listed prices', () => {
    const answers = [...answersIn(join(TRAFFIC, 'claude-code')).values()];
    const { total } = ledgersOf(itemsOf('claude-code'));
    expect(total.requests).toBe(answers.length);
    expect(total.paid.usd).toBeCloseTo(
      answers.reduce((sum, answer) => sum + priceOf(answer), 0),
      EXACT,
    );
  });
});
