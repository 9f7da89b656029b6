import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { collectLog } from '../../base/log.ts';
import type { Verdict } from '../../model/cache/explain/types.ts';
import { accuracyOf } from '../../model/traffic/accuracy.ts';
import { explainCalls } from '../../model/traffic/explainer.ts';
import { joinSources } from '../../model/traffic/recording/sources.ts';
import { ledgersOf } from '../../model/ledger/ledger-items.ts';
import { skillRents } from '../../model/ledger/skill-rent.ts';
import { parseArguments, wrongUse } from '../arguments.ts';
import { countTexts, createTextCounter, weighedItems } from '../count-texts.ts';
import { followFolders } from '../follow.ts';
import { openRecordings } from '../recording-files.ts';
import { interrupted } from '../server-options.ts';
import { humanLedgers, machineLedgers } from '../output/ledger-report.ts';
import { accuracyTable, type SourceAccuracy, withTotal } from '../output/accuracy-report.ts';
import { createPaint, visible, wantsColour } from '../output/terminal-text.ts';
import { humanVerdict, isProblem, machineVerdict, summaryOf, summaryText } from '../output/verdict-report.ts';
import { jsonDocument } from '../output/json-document.ts';

/** Every source on its own: how often what was expected of its requests is what was billed. */
const accuracy = async (sources: readonly string[], isJson: boolean): Promise<number> => {
  const rows: SourceAccuracy[] = [];
  for (const source of sources) {
    const { calls } = joinSources(openRecordings([source]).files);
    const explained = explainCalls(calls, { tokens: await countTexts(calls) });
    for (const row of accuracyOf(explained)) rows.push({ source: visible(basename(source)), ...row });
  }
  process.stdout.write(isJson ? jsonDocument({ accuracy: withTotal(rows) }) : `${accuracyTable(rows)}\n`);
  return 0;
};

/** For a person who waits for a big file; a moment needs none. */
const readingProgress = (): ((read: number, total: number) => void) | undefined => {
  if (!process.stderr.isTTY) return undefined;
  const LEAST = 50_000_000;
  const STEP_MS = 250;
  let last = 0;
  return (read, total) => {
    const now = performance.now();
    const isDone = read >= total;
    if (total < LEAST || (now - last < STEP_MS && !isDone)) return;
    last = now;
    const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
    process.stderr.write(`\r\x1b[K${isDone ? '' : `Reading… ${megabytes(read)} of ${megabytes(total)}`}`);
  };
};

/** Until it is interrupted. With `json` a line for each request. */
const follow = async (folders: readonly string[], isJson: boolean): Promise<number> => {
  const paint = createPaint(wantsColour(process.stdout));
  const verdicts: Verdict[] = [];
  const stop = new AbortController();
  const count = createTextCounter();
  void interrupted().then(() => stop.abort());
  process.stderr.write(`Watching ${folders.map(visible).join(', ')}. Press Ctrl+C to stop.\n`);
  await followFolders(folders, {
    explain: async (calls) => explainCalls(calls, { tokens: await count(calls) }),
    onCall: (item) => {
      verdicts.push(item.verdict);
      process.stdout.write(isJson ? jsonDocument(machineVerdict(item), 0) : `${humanVerdict(item, paint, true)}\n\n`);
    },
    onFault: ({ file, line, message }) => void process.stderr.write(`${visible(file)}:${line}: ${visible(message)}\n`),
    signal: stop.signal,
  });
  if (!isJson) process.stdout.write(`${summaryText(summaryOf(verdicts))}\n`);
  return verdicts.some(isProblem) ? 1 : 0;
};

/** Why recorded requests were not read from the cache. */
export const explain = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, {
    json: { type: 'boolean' },
    accuracy: { type: 'boolean' },
    follow: { type: 'boolean' },
    ledger: { type: 'boolean' },
  });
  if (!parsed.ok) return wrongUse('explain', parsed.error);
  const { values, positionals } = parsed.value;
  if (positionals.length === 0) return wrongUse('explain', 'missing argument: SOURCE', 'explain SOURCE…');
  const missing = positionals.find((source) => !existsSync(source));
  if (missing !== undefined) return wrongUse('explain', `file or folder not found: ${missing}`);
  if (values['follow'] === true) return follow(positionals, values['json'] === true);
  if (values['accuracy'] === true) return accuracy(positionals, values['json'] === true);
  const { log, lines } = collectLog();
  const { files, passedOver } = openRecordings(positionals, readingProgress());
  const { calls, faults } = joinSources(files);
  const hasFiles = files.length > 1;
  for (const { file, line, message } of faults)
    log({
      level: 'warning',
      code: 'recording.line',
      text: `${hasFiles ? `${file}: ` : ''}line ${line}: ${message}`,
    });
  for (const file of passedOver)
    log({ level: 'info', code: 'recording.none', text: `no recorded requests in ${file}` });
  const tokens = await countTexts(calls);
  const explained = explainCalls(calls, { tokens });
  if (values['ledger'] === true) {
    const ledgers = ledgersOf(await weighedItems(explained));
    const skills = skillRents(calls, { tokens });
    process.stdout.write(
      values['json'] === true
        ? jsonDocument({ ledger: machineLedgers(ledgers, skills), faults, log: lines })
        : `${humanLedgers(ledgers, skills, createPaint(wantsColour(process.stdout)))}\n`,
    );
    if (values['json'] !== true)
      for (const { file, line, message } of faults)
        process.stderr.write(`${visible(file)}:${line}: ${visible(message)}\n`);
    return faults.length > 0 ? 1 : 0;
  }
  const verdicts = explained.map(({ verdict }) => verdict);
  const summary = summaryOf(verdicts);
  if (values['json'] === true) {
    const told = { verdicts: explained.map(machineVerdict), summary, faults, log: lines };
    process.stdout.write(jsonDocument(told));
  } else {
    const paint = createPaint(wantsColour(process.stdout));
    for (const item of explained) process.stdout.write(`${humanVerdict(item, paint, hasFiles)}\n\n`);
    for (const { file, line, message } of faults)
      process.stderr.write(`${visible(file)}:${line}: ${visible(message)}\n`);
    if (passedOver.length > 0) process.stderr.write(`No recorded requests in ${passedOver.map(visible).join(', ')}\n`);
    process.stdout.write(`${summaryText(summary)}\n`);
  }
  return verdicts.some(isProblem) || faults.length > 0 ? 1 : 0;
};
