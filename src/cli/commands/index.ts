import { collectLog } from '../../base/log.ts';
import { indexText, measureIndex } from '../../model/library/index-text.ts';
import { DIALECTS, METASKILL_POLICIES } from '../../model/library/types.ts';
import { openWorkspace } from '../../model/workspace/open-workspace.ts';
import { oneOf, parseArguments, wrongUse } from '../arguments.ts';
import { FOLDER_OPTIONS, openFolder } from '../folder-options.ts';
import { visible } from '../output/terminal-text.ts';
import { plannedIn } from '../session-runner.ts';
import { jsonDocument } from '../output/json-document.ts';

export const index = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, {
    ...FOLDER_OPTIONS,
    dialect: { type: 'string' },
    policy: { type: 'string' },
    json: { type: 'boolean' },
  });
  if (!parsed.ok) return wrongUse('index', parsed.error);
  const { values, positionals } = parsed.value;
  const dialect = oneOf('dialect', values['dialect'], DIALECTS, 'metis');
  const policy = oneOf('policy', values['policy'], METASKILL_POLICIES, 'local');
  if (!dialect.ok) return wrongUse('index', dialect.error);
  if (!policy.ok) return wrongUse('index', policy.error);
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) return wrongUse('index', 'expected one folder', 'index DIR');

  const { log, lines } = collectLog();
  const opened = await openFolder(folder, values, log);
  if (!opened.ok) return wrongUse('index', opened.error);
  const { library: input, profile } = plannedIn(opened.value);
  const { library, instructions } = await openWorkspace(input, { profile, dialect: dialect.value, log });
  const options = { dialect: dialect.value, policy: policy.value };
  const text = indexText(library.store, options);
  if (values['json'] === true) {
    const meter = measureIndex(library.store, options);
    const report = library.report.map(({ path, layer, root, outcome, reason, name }) => ({
      path,
      layer,
      root,
      outcome,
      reason,
      name: name ?? null,
    }));
    const files = instructions.files.map(({ path, layer, outcome }) => ({ path, layer, outcome }));
    process.stdout.write(jsonDocument({ text, ...meter, report, instructions: files, log: lines }));
  } else {
    if (text !== '') process.stdout.write(`${text}\n`);
    else process.stderr.write(`lathe index: no skills in ${visible(folder)}\n`);
    for (const line of lines)
      if (line.level !== 'debug') process.stderr.write(`${line.level}: ${visible(line.text)}\n`);
  }
  return 0;
};
