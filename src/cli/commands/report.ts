import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { plural } from '../../base/text.ts';
import { importJsonl } from '../../model/event/jsonl.ts';
import { runViews } from '../../model/instruments/run-view.ts';
import { skillRents } from '../../model/ledger/skill-rent.ts';
import { recordingReport } from '../../model/report/recording-report.ts';
import { runReport } from '../../model/report/run-report.ts';
import { replay } from '../../model/session/state.ts';
import { explainCalls } from '../../model/traffic/explainer.ts';
import { joinSources } from '../../model/traffic/recording/sources.ts';
import { writeHar } from '../../model/traffic/recording/write-har.ts';
import type { Call } from '../../model/traffic/call.ts';
import type { SourceFault } from '../../model/traffic/recording/types.ts';
import { parseArguments, wrongUse } from '../arguments.ts';
import { countTexts, weighedItems } from '../count-texts.ts';
import { openRecordings } from '../recording-files.ts';
import { visible } from '../output/terminal-text.ts';
import { writeFile } from '../output/write-file.ts';
import { VERSION } from '../version.ts';
import { jsonDocument } from '../output/json-document.ts';

/** The metaskill runs of a journal; nothing where the file is not a journal with content. */
const runsIn = (source: string) => {
  if (!statSync(source).isFile()) return [];
  const journal = importJsonl(readFileSync(source, 'utf8'));
  if (!journal.ok) return [];
  const { events, sessionId } = journal.value;
  return events.some(({ type }) => type === 'metaskill.started') ? runViews(replay(sessionId, events), events) : [];
};

/** The requests themselves, for other tools. */
const archive = (out: string, calls: readonly Call[], faults: readonly SourceFault[], isJson: boolean): number => {
  const { text, requests, withoutBody, masked } = writeHar(calls, VERSION);
  writeFile(out, text);
  const bytes = Buffer.byteLength(text);
  for (const { file, line, message } of faults) process.stderr.write(`${visible(file)}:${line}: ${visible(message)}\n`);
  if (withoutBody > 0)
    process.stderr.write(`lathe report: ${plural(withoutBody, 'request')} not recorded, and left out of the archive\n`);
  process.stdout.write(
    isJson
      ? jsonDocument({ file: out, bytes, requests, without_body: withoutBody, masked, faults })
      : `${visible(out)}: ${plural(requests, 'request')}, ${Math.ceil(bytes / 1000)} KB, ${plural(masked.length, 'private value')} masked\n`,
  );
  return faults.length > 0 || withoutBody > 0 ? 1 : 0;
};

/** Verdicts, ledger, and bars in one offline file; or the runs of metaskills, to be scrubbed through. */
export const report = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, {
    out: { type: 'string' },
    runs: { type: 'boolean' },
    json: { type: 'boolean' },
  });
  if (!parsed.ok) return wrongUse('report', parsed.error);
  const { values, positionals } = parsed.value;
  const { out } = values;
  const [first] = positionals;
  if (first === undefined) return wrongUse('report', 'missing argument: SOURCE', 'report SOURCE… --out FILE.html');
  if (typeof out !== 'string' || out === '')
    return wrongUse('report', 'missing option: --out', 'report SOURCE… --out FILE.html or FILE.har');
  const missing = positionals.find((source) => !existsSync(source));
  if (missing !== undefined) return wrongUse('report', `file or folder not found: ${missing}`);
  const title = positionals.map((source) => basename(source)).join(', ');
  const runs = values['runs'] === true ? positionals.flatMap(runsIn) : [];
  if (values['runs'] === true && runs.length === 0) {
    process.stderr.write(`lathe report: no metaskill run in ${visible(title)}\n`);
    return 1;
  }
  const { calls, faults } =
    runs.length > 0 ? { calls: [], faults: [] } : joinSources(openRecordings(positionals).files);
  if (runs.length === 0 && calls.length === 0) {
    process.stderr.write(`lathe report: no recorded requests in ${visible(title)}\n`);
    return 1;
  }
  if (out.toLowerCase().endsWith('.har')) return archive(out, calls, faults, values['json'] === true);
  const tokens = await countTexts(calls);
  const explained = explainCalls(calls, { tokens });
  const made =
    runs.length > 0
      ? runReport(title, runs)
      : recordingReport({
          title,
          explained,
          items: await weighedItems(explained),
          skills: skillRents(calls, { tokens }),
        });
  writeFile(out, made.html);
  const bytes = Buffer.byteLength(made.html);
  for (const { file, line, message } of faults) process.stderr.write(`${visible(file)}:${line}: ${visible(message)}\n`);
  process.stdout.write(
    values['json'] === true
      ? jsonDocument({ file: out, bytes, requests: calls.length, runs: runs.length, masked: made.masked, faults })
      : `${visible(out)}: ${runs.length > 0 ? plural(runs.length, 'run') : plural(calls.length, 'request')}, ${Math.ceil(bytes / 1000)} KB, ${plural(made.masked.length, 'private value')} masked\n`,
  );
  return faults.length > 0 ? 1 : 0;
};
