import { existsSync } from 'node:fs';
import { grouped, money } from '../../base/figures.ts';
import { plural } from '../../base/text.ts';
import { verdictWords } from '../../model/event/verdict-words.ts';
import { type ComparedPair, compareRecordings, type SideOfPair } from '../../model/instruments/compare-recordings.ts';
import { type Explained, explainCalls } from '../../model/traffic/explainer.ts';
import { joinSources } from '../../model/traffic/recording/sources.ts';
import { parseArguments, wrongUse } from '../arguments.ts';
import { countTexts } from '../count-texts.ts';
import { visible } from '../output/terminal-text.ts';
import { openRecordings } from '../recording-files.ts';
import { jsonDocument } from '../output/json-document.ts';

const read = async (source: string): Promise<readonly Explained[]> => {
  const { calls, faults } = joinSources(openRecordings([source]).files);
  for (const { file, line, message } of faults) process.stderr.write(`${visible(file)}:${line}: ${visible(message)}\n`);
  return explainCalls(calls, { tokens: await countTexts(calls) });
};

const price = (usd: number | undefined): string => (usd === undefined ? 'price unknown' : money(usd));

const sideText = (side: SideOfPair | undefined): string => {
  if (!side) return 'no request';
  const { usage, usd, verdict, model } = side;
  const title = verdictWords(verdict.cause, verdict.position?.label).title;
  if (!usage) return `${visible(model)}  ${title}, usage unknown`;
  return `${visible(model)}  ${title}, ${grouped(usage.read)} read, ${grouped(usage.written)} written, ${grouped(usage.uncached)} uncached, ${grouped(usage.output)} output, ${price(usd)}`;
};

const pairText = ({ a, b, differs }: ComparedPair, index: number): string =>
  [
    `Request ${index + 1}`,
    `  A  ${sideText(a)}`,
    `  B  ${sideText(b)}`,
    ...(differs
      ? [
          `  First difference: ${visible(differs.title)} (${differs.state}), after about ${plural(differs.shared, 'token')}`,
        ]
      : []),
  ].join('\n');

const machineSide = (side: SideOfPair | undefined): unknown =>
  side === undefined
    ? null
    : {
        line: side.line ?? null,
        model: side.model,
        kind: side.verdict.kind,
        cause: side.verdict.cause,
        usage: side.usage ?? null,
        usd: side.usd ?? null,
      };

/** Two sessions or recordings, request by request. */
export const compare = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, { json: { type: 'boolean' } });
  if (!parsed.ok) return wrongUse('compare', parsed.error);
  const { values, positionals } = parsed.value;
  const [first, second, ...more] = positionals;
  if (first === undefined || second === undefined || more.length > 0)
    return wrongUse('compare', 'expected two recordings', 'compare BEFORE AFTER');
  const missing = [first, second].find((source) => !existsSync(source));
  if (missing !== undefined) return wrongUse('compare', `file or folder not found: ${missing}`);
  const [before, after] = [await read(first), await read(second)];
  const empty = before.length === 0 ? first : after.length === 0 ? second : undefined;
  if (empty !== undefined) {
    process.stderr.write(`lathe compare: no recorded requests in ${visible(empty)}\n`);
    return 1;
  }
  const { pairs, usd } = compareRecordings(before, after);
  if (values['json'] === true) {
    const requests = pairs.map(({ a, b, differs }) => ({
      a: machineSide(a),
      b: machineSide(b),
      differs: differs ?? null,
    }));
    process.stdout.write(jsonDocument({ requests, usd: { a: usd.a ?? null, b: usd.b ?? null } }));
    return 0;
  }
  process.stdout.write(`${pairs.map(pairText).join('\n\n')}\n\n`);
  process.stdout.write(
    `A: ${plural(before.length, 'request')}, ${price(usd.a)}. B: ${plural(after.length, 'request')}, ${price(usd.b)}.\n`,
  );
  return 0;
};
