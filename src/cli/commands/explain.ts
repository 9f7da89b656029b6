import { existsSync, readFileSync, statSync } from 'node:fs';
import { collectLog } from '../../base/log.ts';
import { plural } from '../../base/text.ts';
import { blockTexts } from '../../model/cache/block-tokens.ts';
import { explainAll } from '../../model/cache/explain/explain.ts';
import type { Verdict } from '../../model/cache/explain/types.ts';
import { readRequest } from '../../model/cache/read-request.ts';
import { readRecording } from '../../model/cache/recording/read-recording.ts';
import type { Recording } from '../../model/cache/recording/types.ts';
import type { CacheRequest, RecordedCall } from '../../model/cache/types.ts';
import { createNodeTokenizer } from '../../platform/tokenizer/node-tokenizer.ts';
import { parseArguments, wrongUse } from '../arguments.ts';
import { createPaint, type Paint, visible, wantsColour } from '../output/terminal-text.ts';

/** Counts every text of the recording once, so that the explainer itself need not wait. */
const countTexts = async (calls: readonly RecordedCall[]): Promise<(text: string) => number> => {
  const counts = new Map<string, number>();
  let last: CacheRequest | undefined;
  for (const call of calls) {
    const request = readRequest(call.body, call.wire, last);
    if (!request.ok) continue;
    last = request.value;
    for (const text of blockTexts(request.value)) counts.set(text, 0);
  }
  const texts = [...counts.keys()];
  const found = await createNodeTokenizer().count(texts);
  texts.forEach((text, index) => counts.set(text, found[index] ?? 0));
  return (text) => counts.get(text) ?? Math.ceil(text.length / 4);
};

const isFine = ({ cause }: Verdict): boolean => cause === 'hit' || cause === 'cold';

const machineVerdict = (recording: Recording, verdict: Verdict, index: number): unknown => {
  const { cause, partial, position, evidence, providerSaid, usageSays, tokensLost, costLost, repair, certainty } =
    verdict;
  const compared = verdict.comparedWith ? recording.calls.indexOf(verdict.comparedWith) : -1;
  return {
    line: recording.lines[index],
    cause,
    partial,
    position,
    evidence,
    provider_said: providerSaid,
    usage_says: usageSays,
    tokens: tokensLost,
    cost: costLost ?? null,
    repair,
    certainty,
    previous_line: recording.lines[compared] ?? null,
  };
};

const money = (usd: number | undefined): string => (usd === undefined ? 'an unknown sum' : `$${usd.toFixed(6)}`);

const humanVerdict = (recording: Recording, verdict: Verdict, index: number, paint: Paint): string => {
  const { cause, partial, position, evidence, usageSays, tokensLost, costLost, repair, certainty, comparedWith } =
    verdict;
  const call = recording.calls[index];
  const head = `${recording.lines[index]}  ${visible(call?.model ?? '')}`;
  const name = isFine(verdict) ? paint.green(cause) : paint.red(partial ? `${cause} (partial)` : cause);
  const other = comparedWith ? recording.lines[recording.calls.indexOf(comparedWith)] : undefined;
  const at = position
    ? `at ${visible(position.label)}${position.path === '' ? '' : ` ${visible(position.path)}`}, character ${position.offset}`
    : '';
  const lines = [
    `${paint.bold(head)}  ${name}${certainty === 'likely' ? paint.dim(' (likely)') : ''}${at === '' ? '' : `  ${at}`}${other === undefined ? '' : paint.dim(`  against ${other}`)}`,
    ...(position && position.before !== position.after
      ? [`    ${paint.red(`- ${visible(position.before)}`)}`, `    ${paint.green(`+ ${visible(position.after)}`)}`]
      : []),
    ...evidence.map((line) => `    ${visible(line)}`),
    ...(usageSays === null ? [] : [`    ${paint.dim(`Usage: ${usageSays}`)}`]),
    ...(tokensLost > 0 ? [`    Lost: ${tokensLost} tokens, ${money(costLost)}.`] : []),
    ...(repair === '' ? [] : [`    ${paint.green('Repair:')} ${visible(repair)}`]),
  ];
  return lines.join('\n');
};

/** Why recorded requests were not read from the cache. */
export const explain = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, { json: { type: 'boolean' } });
  if (!parsed.ok) return wrongUse('explain', parsed.error);
  const { values, positionals } = parsed.value;
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    return wrongUse('explain', 'exactly one file, please: `lathe explain REQUESTS.jsonl`');
  if (!existsSync(file) || !statSync(file).isFile()) return wrongUse('explain', `there is no file ${file}`);
  const { log, lines } = collectLog();
  const recording = readRecording(readFileSync(file, 'utf8'), file);
  for (const { line, message } of recording.faults)
    log({ level: 'warning', code: 'recording.line', text: `line ${line}: ${message}` });
  const verdicts = explainAll(recording.calls, { tokens: await countTexts(recording.calls) });
  const misses = verdicts.filter((verdict) => !isFine(verdict));
  const costs = misses.map(({ costLost }) => costLost);
  const summary = {
    requests: verdicts.length,
    hits: verdicts.filter(({ cause }) => cause === 'hit').length,
    cold: verdicts.filter(({ cause }) => cause === 'cold').length,
    misses: misses.length,
    tokens: misses.reduce((sum, { tokensLost }) => sum + tokensLost, 0),
    cost: costs.includes(undefined) ? null : costs.reduce((sum: number, cost) => sum + (cost ?? 0), 0),
  };
  if (values['json'] === true) {
    const told = verdicts.map((verdict, index) => machineVerdict(recording, verdict, index));
    process.stdout.write(
      `${JSON.stringify({ verdicts: told, summary, faults: recording.faults, log: lines }, undefined, 2)}\n`,
    );
  } else {
    const paint = createPaint(wantsColour(process.stdout));
    for (const [index, verdict] of verdicts.entries())
      process.stdout.write(`${humanVerdict(recording, verdict, index, paint)}\n\n`);
    for (const { line, message } of recording.faults)
      process.stderr.write(`${visible(file)}:${line}: ${visible(message)}\n`);
    process.stdout.write(
      `${plural(summary.requests, 'request')}: ${plural(summary.hits, 'hit')}, ${summary.cold} cold, ${plural(summary.misses, 'miss', 'misses')}; ${plural(summary.tokens, 'token')} lost, ${money(summary.cost ?? undefined)}\n`,
    );
  }
  return misses.length > 0 || recording.faults.length > 0 ? 1 : 0;
};
