import { existsSync, readFileSync, statSync } from 'node:fs';
import { money } from '../../base/figures.ts';
import { collectLog } from '../../base/log.ts';
import { plural } from '../../base/text.ts';
import { DIALECTS, METASKILL_POLICIES } from '../../model/library/types.ts';
import { writtenIn, type Forecast } from '../../model/cache/forecast.ts';
import type { BodySegmentKind } from '../../model/instruments/body-segments.ts';
import { prefixReport, type PrefixReport } from '../../model/instruments/prefix-report.ts';
import { PADDING_POLICIES } from '../../model/prompt/types.ts';
import { findMemory, volatileSegments } from '../../model/prompt/volatile.ts';
import { defaultPadding } from '../../model/session/start.ts';
import { NEW_SESSION, planIn } from '../../model/workspace/session-plan.ts';
import { oneOf, parseArguments, textOf, wrongUse } from '../arguments.ts';
import { CONNECTION_OPTIONS, readConnection } from '../connection-options.ts';
import { FOLDER_OPTIONS, openFolder } from '../folder-options.ts';
import { PROMPT_OPTIONS, readPromptOptions } from '../prompt-options.ts';
import { createPaint, visible, wantsColour, type Paint } from '../output/terminal-text.ts';
import { openTerminal, plannedIn } from '../session-runner.ts';
import { jsonDocument } from '../output/json-document.ts';

const DEFAULT_MODEL = 'claude-haiku-4-5';
const BAR_WIDTH = 30;
/** A name has at most 64 characters; what is longer than this is cut in the table only. */
const NAME_WIDTH = 36;

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

interface Row {
  readonly label: string;
  readonly kind: BodySegmentKind;
  /** By the estimate; nothing for what is in no body. */
  readonly estimate: number | undefined;
  /** In tokens of the model; nothing where they were not counted. */
  readonly counted: number | undefined;
  readonly bytes: number;
}

/** Padding is hatched, as in the page. */
const bar = ({ kind, counted, estimate }: Row, whole: number): string => {
  const isPadding = kind === 'preloaded' || kind === 'operating-context';
  const share = (counted ?? estimate ?? 0) / Math.max(1, whole);
  return (isPadding ? '▒' : '█').repeat(Math.max(1, Math.round(share * BAR_WIDTH)));
};

/** Tokens of the model by the id of a segment. */
const countsOf = ({ counted }: PrefixReport): ReadonlyMap<string, number | undefined> =>
  new Map(counted?.view.segments.map((segment) => [segment.id, segment.counted]));

/** Paragraphs of the operating context are one row: nobody reads twenty of them in a table. */
const rowsOf = (report: PrefixReport): readonly Row[] => {
  const { prompt } = report.planned;
  const counts = countsOf(report);
  const hidden = counts.get('hidden');
  const rows = [...prompt.toolSegments, ...prompt.segments].map(({ kind, id, tokens, bytes }): Row => ({
    label: id,
    kind,
    estimate: tokens,
    counted: counts.get(id),
    bytes,
  }));
  const context = rows.filter(({ kind }) => kind === 'operating-context');
  const sum = (pick: (row: Row) => number): number => context.reduce((total, row) => total + pick(row), 0);
  return [
    ...(hidden === undefined
      ? []
      : [{ label: 'hidden tool prompt', kind: 'hidden' as const, estimate: undefined, counted: hidden, bytes: 0 }]),
    ...rows.filter(({ kind }) => kind !== 'operating-context'),
    ...(context.length === 0
      ? []
      : [
          {
            label: `operating-context (${plural(context.length, 'paragraph')})`,
            kind: 'operating-context' as const,
            estimate: sum(({ estimate = 0 }) => estimate),
            counted: context[0]?.counted === undefined ? undefined : sum(({ counted = 0 }) => counted),
            bytes: sum(({ bytes }) => bytes),
          },
        ]),
  ];
};

const flowOf = (forecast: Forecast) => ({
  read: forecast.usage.read,
  written: writtenIn(forecast),
  uncached: forecast.usage.uncached,
  cost_usd: forecast.usd ?? null,
});

const flowWords = (forecast: Forecast): string => {
  const { read, written, uncached, cost_usd: usd } = flowOf(forecast);
  return `read ${read} · written ${written} · uncached ${uncached} · ${usd === null ? 'cost unknown' : money(usd)}`;
};

const printTable = (report: PrefixReport, paint: Paint): void => {
  const { prompt } = report.planned;
  const { counted } = report;
  const write = (line: string): void => void process.stdout.write(`${line}\n`);
  const figure = (value: number | undefined, width = 7): string =>
    (value === undefined ? '–' : String(value)).padStart(width);
  const cell = (label: string): string => visible(label).slice(0, NAME_WIDTH).padEnd(NAME_WIDTH);
  const prefix = counted?.view.before;
  write(
    paint.dim(`${'segment'.padEnd(NAME_WIDTH)} ${'tokens'.padStart(7)} ${'est.'.padStart(7)} ${'bytes'.padStart(8)}`),
  );
  for (const row of rowsOf(report))
    write(
      `${cell(row.label)} ${figure(row.counted)} ${figure(row.estimate)} ${figure(row.bytes, 8)}  ${paint.blue(bar(row, prefix ?? prompt.estimate))}`,
    );
  write(`${paint.bold('the whole prefix'.padEnd(NAME_WIDTH))} ${figure(prefix)} ${figure(prompt.estimate)}`);
  write('');
  if (counted) {
    write(`first request: ${flowWords(counted.first)}`);
    write(`a later one:   ${flowWords(counted.later)}`);
  }
  write(prompt.note);
  if (prompt.preloaded.length > 0) write(`preloaded: ${prompt.preloaded.map(visible).join(', ')}`);
  for (const { name, why } of prompt.passedOver) write(`not preloaded: ${visible(name)}: ${why}`);
};

const forecastJson = ({ counted }: PrefixReport) =>
  counted
    ? {
        prefix: counted.view.before,
        hidden: counted.first.hidden,
        prompt: counted.first.promptTokens,
        first: flowOf(counted.first),
        later: flowOf(counted.later),
      }
    : null;

export const prefix = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, {
    ...FOLDER_OPTIONS,
    ...PROMPT_OPTIONS,
    provider: CONNECTION_OPTIONS.provider,
    model: CONNECTION_OPTIONS.model,
    wire: CONNECTION_OPTIONS.wire,
    padding: { type: 'string' },
    dialect: { type: 'string' },
    policy: { type: 'string' },
    persona: { type: 'string' },
    message: { type: 'string' },
    json: { type: 'boolean' },
  });
  if (!parsed.ok) return wrongUse('prefix', parsed.error);
  const { values, positionals } = parsed.value;
  const connection = readConnection(values, 'simulator');
  if (!connection.ok) return wrongUse('prefix', connection.error);
  const { provider } = connection.value;
  const padding = oneOf('padding', values['padding'], PADDING_POLICIES, defaultPadding(provider));
  const dialect = oneOf('dialect', values['dialect'], DIALECTS, 'metis');
  const policy = oneOf('policy', values['policy'], METASKILL_POLICIES, 'local');
  if (!padding.ok) return wrongUse('prefix', padding.error);
  if (!dialect.ok) return wrongUse('prefix', dialect.error);
  if (!policy.ok) return wrongUse('prefix', policy.error);
  const shown = readPromptOptions(values);
  if (!shown.ok) return wrongUse('prefix', shown.error);
  const model = connection.value.model ?? DEFAULT_MODEL;
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) return wrongUse('prefix', 'expected one folder', 'prefix DIR');
  const personaFile = textOf(values, 'persona');
  if (personaFile !== undefined && !isFile(personaFile)) return wrongUse('prefix', `file not found: ${personaFile}`);

  const { log, lines } = collectLog();
  const opened = await openFolder(folder, values, log);
  if (!opened.ok) return wrongUse('prefix', opened.error);
  const { tree } = opened.value;
  const next = {
    ...NEW_SESSION,
    ...shown.value,
    settings: { ...NEW_SESSION.settings, provider, model },
    dialect: dialect.value,
    policy: policy.value,
    padding: padding.value,
    ...(personaFile !== undefined && { persona: readFileSync(personaFile, 'utf8') }),
  };
  const plan = await planIn(plannedIn(opened.value), next, log);
  const { user: userFile, memory } = await findMemory(tree, log);
  const terminal = openTerminal({ engine: undefined, log, connection: connection.value.connection });
  const date = new Date(terminal.now()).toISOString().slice(0, 10);
  const volatile = volatileSegments({
    environment: { date, workspace: tree.name, platform: process.platform },
    user: userFile.text,
    memory: memory.text,
  });
  const report = await prefixReport(
    terminal,
    plan,
    volatile.map(({ text }) => text).join(''),
    textOf(values, 'message'),
  );
  const { prompt } = report.planned;
  if (values['json'] === true) {
    const { estimate, preloaded, padded, natural, passedOver, note } = prompt;
    const counts = countsOf(report);
    const segments = [...prompt.toolSegments, ...prompt.segments].map(({ kind, id, tokens, bytes, text }) => ({
      kind,
      id,
      tokens,
      counted: counts.get(id) ?? null,
      bytes,
      text,
    }));
    const { min, max, floor, policy: by, why } = prompt.target;
    const target = { policy: by, min: min ?? null, max: max ?? null, floor: floor ?? null, why };
    const forecast = forecastJson(report);
    const all = {
      model,
      segments,
      estimate,
      preloaded,
      padded,
      natural,
      target,
      passedOver,
      note,
      forecast,
      log: lines,
    };
    process.stdout.write(jsonDocument(all));
  } else {
    printTable(report, createPaint(wantsColour(process.stdout)));
    for (const line of lines)
      if (line.level !== 'debug') process.stderr.write(`${line.level}: ${visible(line.text)}\n`);
  }
  return 0;
};
