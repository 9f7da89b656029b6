import { existsSync, readFileSync, statSync } from 'node:fs';
import { collectLog } from '../../base/log.ts';
import { plural } from '../../base/text.ts';
import { openWorkspace } from '../../model/workspace/open-workspace.ts';
import { DIALECTS, METASKILL_POLICIES, RUNTIME_PROFILES } from '../../model/library/types.ts';
import type { StablePrompt } from '../../model/prompt/assemble.ts';
import { PADDING_POLICIES, type Segment } from '../../model/prompt/types.ts';
import { planSession } from '../../model/session/start.ts';
import { NEW_SESSION, planOf } from '../../model/workspace/session-plan.ts';
import { createNodeTree } from '../../platform/fs/node-tree.ts';
import { oneOf, parseArguments, wrongUse } from '../arguments.ts';
import { createPaint, visible, wantsColour, type Paint } from '../output/terminal-text.ts';
import { openedFolder } from '../project-folder.ts';

const DEFAULT_MODEL = 'claude-haiku-4-5';
const BAR_WIDTH = 30;
/** A name has at most 64 characters; what is longer than this is cut in the table only. */
const NAME_WIDTH = 36;

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();
const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

/** Padding is hatched, as in the page. */
const bar = ({ kind, tokens }: Segment, whole: number): string => {
  const isPadding = kind === 'preloaded' || kind === 'operating-context';
  return (isPadding ? '▒' : '█').repeat(Math.max(1, Math.round((tokens / Math.max(1, whole)) * BAR_WIDTH)));
};

/** Paragraphs of the operating context are one row: nobody reads twenty of them in a table. */
const rowsOf = (segments: readonly Segment[]): readonly (Segment & { readonly label: string })[] => {
  const context = segments.filter(({ kind }) => kind === 'operating-context');
  const [first] = context;
  const sum = (pick: (segment: Segment) => number): number => context.reduce((total, item) => total + pick(item), 0);
  return [
    ...segments
      .filter(({ kind }) => kind !== 'operating-context')
      .map((segment) => Object.assign({ label: segment.id }, segment)),
    ...(first
      ? [
          {
            ...first,
            label: `operating-context (${plural(context.length, 'paragraph')})`,
            tokens: sum(({ tokens }) => tokens),
            bytes: sum(({ bytes }) => bytes),
          },
        ]
      : []),
  ];
};

const printTable = (prompt: StablePrompt, paint: Paint): void => {
  const write = (line: string): void => void process.stdout.write(`${line}\n`);
  const cell = (label: string): string => visible(label).slice(0, NAME_WIDTH).padEnd(NAME_WIDTH);
  write(paint.dim(`${'segment'.padEnd(NAME_WIDTH)} ${'tokens'.padStart(7)} ${'bytes'.padStart(8)}`));
  for (const row of rowsOf([...prompt.toolSegments, ...prompt.segments]))
    write(
      `${cell(row.label)} ${String(row.tokens).padStart(7)} ${String(row.bytes).padStart(8)}  ${paint.blue(bar(row, prompt.estimate))}`,
    );
  write(`${paint.bold('the whole prefix'.padEnd(NAME_WIDTH))} ${String(prompt.estimate).padStart(7)}`);
  write('');
  write(prompt.note);
  if (prompt.preloaded.length > 0) write(`preloaded: ${prompt.preloaded.map(visible).join(', ')}`);
  for (const { name, why } of prompt.passedOver) write(`not preloaded: ${visible(name)}: ${why}`);
};

export const prefix = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, {
    model: { type: 'string' },
    padding: { type: 'string' },
    dialect: { type: 'string' },
    policy: { type: 'string' },
    profile: { type: 'string' },
    persona: { type: 'string' },
    user: { type: 'string' },
    cwd: { type: 'string' },
    json: { type: 'boolean' },
  });
  if (!parsed.ok) return wrongUse('prefix', parsed.error);
  const { values, positionals } = parsed.value;
  const padding = oneOf('padding', values['padding'], PADDING_POLICIES, 'spec');
  const dialect = oneOf('dialect', values['dialect'], DIALECTS, 'metis');
  const policy = oneOf('policy', values['policy'], METASKILL_POLICIES, 'local');
  const profile = oneOf('profile', values['profile'], RUNTIME_PROFILES, 'standard');
  if (!padding.ok) return wrongUse('prefix', padding.error);
  if (!dialect.ok) return wrongUse('prefix', dialect.error);
  if (!policy.ok) return wrongUse('prefix', policy.error);
  if (!profile.ok) return wrongUse('prefix', profile.error);
  const textOf = (name: string): string | undefined => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  const model = textOf('model') ?? DEFAULT_MODEL;
  if (model.trim() === '') return wrongUse('prefix', '--model is the name of a model');
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0)
    return wrongUse('prefix', 'exactly one folder, please: `lathe prefix DIR`');
  if (!isFolder(folder)) return wrongUse('prefix', `there is no folder ${folder}`);
  const user = textOf('user');
  if (user !== undefined && !isFolder(user)) return wrongUse('prefix', `there is no folder ${user}`);
  const personaFile = textOf('persona');
  if (personaFile !== undefined && !isFile(personaFile)) return wrongUse('prefix', `there is no file ${personaFile}`);

  const opened = openedFolder(folder, typeof values['cwd'] === 'string' ? values['cwd'] : undefined);
  if (typeof opened === 'string') return wrongUse('prefix', opened);

  const { log, lines } = collectLog();
  const { top, workingFolder } = opened;
  const tree = createNodeTree(top);
  const sources = await openWorkspace(
    { project: { tree, workingFolder }, ...(user !== undefined && { user: createNodeTree(user) }) },
    { profile: profile.value, dialect: dialect.value, log },
  );
  const { prompt } = planSession(
    planOf(tree.name, sources, {
      ...NEW_SESSION,
      settings: { ...NEW_SESSION.settings, model },
      dialect: dialect.value,
      policy: policy.value,
      padding: padding.value,
      ...(personaFile !== undefined && { persona: readFileSync(personaFile, 'utf8') }),
    }),
  );
  if (values['json'] === true) {
    const { estimate, preloaded, padded, natural, passedOver, note } = prompt;
    const segments = [...prompt.toolSegments, ...prompt.segments].map(({ kind, id, tokens, bytes, text }) => ({
      kind,
      id,
      tokens,
      bytes,
      text,
    }));
    const { min, max, floor, policy: by, why } = prompt.target;
    const target = { policy: by, min: min ?? null, max: max ?? null, floor: floor ?? null, why };
    const report = { model, segments, estimate, preloaded, padded, natural, target, passedOver, note, log: lines };
    process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
  } else {
    printTable(prompt, createPaint(wantsColour(process.stdout)));
    for (const line of lines)
      if (line.level !== 'debug') process.stderr.write(`${line.level}: ${visible(line.text)}\n`);
  }
  return 0;
};
