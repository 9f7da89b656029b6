import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, parse as parsePath, resolve } from 'node:path';
import { errorMessage } from '../../base/errors.ts';
import { money, percent } from '../../base/figures.ts';
import { collectLog } from '../../base/log.ts';
import { readClientChoice } from '../../model/clients/client-choice.ts';
import { CLIENT_IDS } from '../../model/clients/types.ts';
import { cacheAnalytics } from '../../model/cache/analytics.ts';
import type { SessionSettings } from '../../model/event/catalog.ts';
import { exportMaskedJsonl } from '../../model/event/masked-journal.ts';
import type { LatheEvent } from '../../model/event/types.ts';
import { verdictKind } from '../../model/event/verdict-kind.ts';
import { RUNTIME_PROFILES } from '../../model/library/types.ts';
import { PROVIDERS, promptTokens, WIRES, type WriteTtl } from '../../model/provider/types.ts';
import { parseScript, SCRIPT_EXAMPLE, type ScriptChange, type SessionScript } from '../../model/session/script.ts';
import type { CallState, SessionState } from '../../model/session/state.ts';
import { parseScenario, type Scenario } from '../../model/simulator/scenario.ts';
import { NEW_SESSION, type NewSession } from '../../model/workspace/session-plan.ts';
import { createPendingTree } from '../../model/tool/pending-tree.ts';
import { parseArguments, textOf, wrongUse } from '../arguments.ts';
import { CONNECTION_OPTIONS, readConnection } from '../connection-options.ts';
import { FOLDER_OPTIONS, isFolder, openFolder } from '../folder-options.ts';
import { withEngine } from '../metaskill-runner.ts';
import { visible } from '../output/terminal-text.ts';
import { writeFile } from '../output/write-file.ts';
import {
  openTerminal,
  startTerminalSession,
  type OpenFolder,
  type Terminal,
  type TerminalSession,
} from '../session-runner.ts';
import { jsonDocument } from '../output/json-document.ts';

const settingsOf = (change: ScriptChange, base: SessionSettings): SessionSettings => ({
  ...base,
  ...(change.provider && { provider: change.provider }),
  ...(change.model !== undefined && { model: change.model }),
  cache: {
    mode: change.breakpoints ?? base.cache.mode,
    ttl: change.ttl ? { tools: change.ttl, system: change.ttl, messages: change.ttl } : base.cache.ttl,
  },
  ...(change.thinking && { thinking: change.thinking }),
  ...(change.effort && { effort: change.effort }),
  ...(change.max_output_tokens !== undefined && { max_output_tokens: change.max_output_tokens }),
  ...(change.spending_limit_usd !== undefined && { spending_limit_usd: change.spending_limit_usd }),
  ...(change.token_limit !== undefined && { token_limit: change.token_limit }),
  ...(change.run_spending_limit_usd !== undefined && { run_spending_limit_usd: change.run_spending_limit_usd }),
  ...(change.run_token_limit !== undefined && { run_token_limit: change.run_token_limit }),
});

interface TurnReport {
  readonly text: string;
  readonly ok: boolean;
  readonly message?: string;
  /** Null where an answer came without usage. */
  readonly usage: Sums | null;
  readonly predicted: Omit<Sums, 'output'>;
  readonly cost: number | null;
  readonly calls: readonly CallReport[];
  readonly skills: readonly string[];
  readonly tools: readonly string[];
}

type Writes = Readonly<Partial<Record<WriteTtl, number>>>;

interface Sums {
  readonly uncached: number;
  readonly read: number;
  /** Of all TTLs. */
  readonly written: number;
  readonly writes: Writes;
  readonly output: number;
}

interface CallReport {
  readonly model: string;
  readonly nested: boolean;
  readonly usage: Sums | null;
  readonly predicted: Omit<Sums, 'output'> | null;
  readonly cost: number | null;
  readonly kind: string | null;
  readonly cause: string | null;
  readonly position: string | null;
}

const totalOf = (writes: Writes): number => Object.values(writes).reduce((sum, tokens) => sum + tokens, 0);

const usageOf = ({ usage }: CallState): Sums | null => {
  if (!usage) return null;
  const { uncached, read, writes, output } = usage;
  return { uncached, read, written: totalOf(writes), writes, output };
};

const predictionOf = ({ predicted }: CallState): Omit<Sums, 'output'> | null => {
  if (!predicted) return null;
  const { uncached, read, writes } = predicted;
  return { uncached, read, written: totalOf(writes), writes };
};

/** The part of the prompt with its file and line, or else the block of the request. */
const positionName = (position: NonNullable<CallState['explained']>['position'] | undefined): string | null => {
  if (!position) return null;
  const { segment } = position;
  if (!segment) return position.label;
  const place = segment.file === undefined ? segment.name : segment.file;
  return segment.line === undefined ? place : `${place}:${segment.line}`;
};

const callReport = (call: CallState): CallReport => ({
  model: call.model,
  nested: call.isNested,
  usage: usageOf(call),
  predicted: predictionOf(call),
  cost: call.costUsd ?? null,
  kind: call.explained ? verdictKind(call.explained) : null,
  cause: call.explained?.cause ?? null,
  position: positionName(call.explained?.position),
});

const sumWrites = (items: readonly Writes[]): Writes => {
  const sums: Partial<Record<WriteTtl, number>> = {};
  for (const writes of items)
    for (const [ttl, tokens] of Object.entries(writes) as [WriteTtl, number][]) sums[ttl] = (sums[ttl] ?? 0) + tokens;
  return sums;
};

const sumOf = (items: readonly (Omit<Sums, 'output'> | null)[]): Omit<Sums, 'output'> => {
  const given = items.filter((item) => item !== null);
  const add = (key: 'uncached' | 'read' | 'written'): number => given.reduce((sum, item) => sum + item[key], 0);
  return {
    uncached: add('uncached'),
    read: add('read'),
    written: add('written'),
    writes: sumWrites(given.map(({ writes }) => writes)),
  };
};

/** Of the calls since `from`, those of nested turns included. */
const turnReport = (
  state: SessionState,
  from: number,
  events: readonly LatheEvent[],
  outcome: { readonly text: string; readonly ok: boolean; readonly message?: string },
): TurnReport => {
  const calls = state.calls.slice(from);
  // A turn of which every call failed has told nothing, which is not zero.
  const isReported =
    calls.every(({ status, usage }) => status !== 'completed' || usage !== undefined) &&
    (calls.length === 0 || calls.some(({ usage }) => usage !== undefined));
  const isPriced = calls.every(({ costUsd }) => costUsd !== undefined);
  return {
    ...outcome,
    usage: isReported
      ? { ...sumOf(calls.map(usageOf)), output: calls.reduce((sum, { usage }) => sum + (usage?.output ?? 0), 0) }
      : null,
    predicted: sumOf(calls.map(predictionOf)),
    cost: isPriced ? calls.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0) : null,
    calls: calls.map(callReport),
    skills: events.flatMap((event) => (event.type === 'skill.loaded' ? [event.payload.skill_id] : [])),
    tools: events.flatMap((event) => (event.type === 'tool.called' ? [event.payload.tool_name] : [])),
  };
};

const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

const sumsText = ({ read, written, uncached, output }: Sums): string =>
  `read ${read} · written ${written} · uncached ${uncached} · output ${output}`;

const say = (report: TurnReport, question: string): void => {
  const cost = report.cost === null ? 'cost unknown' : money(report.cost);
  process.stdout.write(`> ${question.split('\n').map(visible).join('\n> ')}\n`);
  process.stdout.write(`${report.text.split('\n').map(visible).join('\n')}\n`);
  if (!report.ok) process.stdout.write(`! ${visible(report.message ?? '')}\n`);
  process.stdout.write(`  ${report.usage ? sumsText(report.usage) : 'usage not reported'} · ${cost}\n`);
  for (const { kind, cause, position } of report.calls)
    if (kind === 'miss' || kind === 'waste')
      process.stdout.write(`  cache: ${cause}${position === null ? '' : ` at ${visible(position)}`}\n`);
  process.stdout.write('\n');
};

/** A step that cannot be played: the script's mistake, not ours. */
class ScriptFault extends Error {}

interface Played {
  readonly turns: readonly TurnReport[];
  readonly sessions: readonly TerminalSession[];
}

const nextOf = (script: SessionScript, settings: SessionSettings): NewSession => ({
  ...NEW_SESSION,
  settings,
  ...(script.dialect && { dialect: script.dialect }),
  ...(script.listing && {
    listing: script.listing.id,
    ...(script.listing.version !== undefined && { listingVersion: script.listing.version }),
  }),
  ...(script.policy && { policy: script.policy }),
  ...(script.padding && { padding: script.padding }),
  ...(script.persona !== undefined && { persona: script.persona }),
  ...(script.max_calls !== undefined && { maxCalls: script.max_calls }),
  ...(script.turn_seconds !== undefined && { turnSeconds: script.turn_seconds }),
  ...(script.run_seconds !== undefined && { runSeconds: script.run_seconds }),
  ...(script.without_tools && { withoutTools: script.without_tools }),
});

const play = async (
  terminal: Terminal,
  script: SessionScript,
  folder: OpenFolder,
  settings: SessionSettings,
  onTurn: (report: TurnReport, question: string) => void,
): Promise<Played> => {
  const sessions: TerminalSession[] = [];
  let current = settings;
  // Files that the script or an agent wrote: a later session over the same folder finds them.
  const files = createPendingTree(folder.tree, { remove: folder.tree.remove });
  const start = async (): Promise<TerminalSession> => {
    const opened = await startTerminalSession(terminal, folder, {
      next: nextOf(script, current),
      ...(script.title !== undefined && { title: script.title }),
      files,
    });
    sessions.push(opened);
    return opened;
  };
  let open = await start();
  const turns: TurnReport[] = [];
  for (const step of script.turns) {
    if ('say' in step) {
      const { session, journal } = open;
      const from = session.state.calls.length;
      const before = journal.events.length;
      const outcome = await session.send(step.say);
      const report = turnReport(session.state, from, journal.events.slice(before), {
        text: outcome.kind === 'refused' ? '' : outcome.text,
        ok: outcome.kind === 'completed',
        ...(outcome.kind !== 'completed' && { message: outcome.message }),
      });
      turns.push(report);
      onTurn(report, step.say);
    } else if ('advance' in step) terminal.simulator.advance(step.advance);
    else if ('change' in step) {
      current = settingsOf(step.change, current);
      open.session.change(current);
    } else if ('write' in step) {
      const { path, text } = step.write;
      try {
        await files.write(path, new TextEncoder().encode(text));
      } catch (thrown) {
        throw new ScriptFault(`turns.${script.turns.indexOf(step)}.write: ${errorMessage(thrown)}`);
      }
    } else {
      open.session.end('completed');
      open = await start();
    }
  }
  open.session.end('completed');
  return { turns, sessions };
};

const analyticsOf = ({ sessions }: Played): unknown => {
  const calls = sessions.flatMap(({ session }) =>
    session.state.calls.flatMap(({ model, usage }) => (usage ? [{ model, usage }] : [])),
  );
  const { data, total, unknown } = cacheAnalytics(calls);
  return {
    ...total,
    models: data,
    prompt_tokens: calls.reduce((sum, { usage }) => sum + promptTokens(usage), 0),
    unknown,
  };
};

/** A journal is one session: those after the first get a number, `events-2.jsonl`. */
const numbered = (file: string, number: number): string => {
  if (number === 1) return file;
  const { dir, name, ext } = parsePath(file);
  return join(dir, `${name}-${number}${ext}`);
};

const HELP = `lathe session SCRIPT.yaml [options]

Plays a scripted session.

  --cwd DIR                  the working folder inside the script's folder
  --user DIR                 a second folder with your own skills
  --profile P                ${RUNTIME_PROFILES.join(', ')}
  --remote                   fetch the addresses in skills.urls; without it, Lathe uses the copies of an earlier fetch
  --config-folder NAME[=DIR] open a folder that skills.paths names outside the project; can be repeated
  --provider P               ${PROVIDERS.join(', ')}
  --model M                  instead of the script's
  --base-url URL             where the provider answers; your API key goes there
  --wire W                   what a compatible server speaks: ${WIRES.join(', ')}
  --listing CLIENT[@VERSION] show the listing of an agent in place of the index: ${CLIENT_IDS.join(', ')}
  --events FILE              save the journal, which the page can import; later sessions of the script get a number
                             (events-2.jsonl)
  --json                     turns with usage, prediction, and cost; analytics

This is a script:

${SCRIPT_EXAMPLE}`;

export const session = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, {
    ...FOLDER_OPTIONS,
    ...CONNECTION_OPTIONS,
    events: { type: 'string' },
    listing: { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean' },
  });
  if (!parsed.ok) return wrongUse('session', parsed.error);
  const { values, positionals } = parsed.value;
  if (values['help'] === true) {
    process.stdout.write(HELP);
    return 0;
  }
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) return wrongUse('session', 'expected one script', 'session SCRIPT.yaml');
  const text = readText(file);
  if (text === undefined)
    return wrongUse('session', existsSync(file) ? `can't read ${file}` : `file not found: ${file}`);
  const read = parseScript(text);
  if (!read.ok) return wrongUse('session', `${file}: ${read.error.join(`\n${file}: `)}`);
  const listing = textOf(values, 'listing');
  const chosenListing = listing === undefined ? undefined : readClientChoice(listing);
  if (chosenListing && !chosenListing.ok)
    return wrongUse('session', `invalid --listing '${listing}'; expected ${CLIENT_IDS.join(', ')}`);
  const script: SessionScript = { ...read.value, ...(chosenListing && { listing: chosenListing.value }) };
  const base = dirname(resolve(file));
  for (const folder of [script.folder, ...(script.user === undefined ? [] : [script.user])])
    if (!isFolder(resolve(base, folder)))
      return wrongUse('session', `${file}: folder not found: ${folder} (relative to the script)`);
  const chosen = readConnection(values, script.provider ?? 'simulator');
  if (!chosen.ok) return wrongUse('session', chosen.error);
  const { provider, model, connection } = chosen.value;
  const eventsFile = values['events'];
  if (typeof eventsFile === 'string' && (isFolder(eventsFile) || !isFolder(dirname(resolve(eventsFile)))))
    return wrongUse('session', `can't write --events '${eventsFile}'; its folder doesn't exist`);
  let scenario: Scenario | undefined;
  if (script.scenario !== undefined) {
    const scenarioText = readText(resolve(base, script.scenario));
    if (scenarioText === undefined) return wrongUse('session', `can't read ${script.scenario}`);
    const parsedScenario = parseScenario(scenarioText);
    if (!parsedScenario.ok) {
      const faults = parsedScenario.error.map(({ line, message }) => `${script.scenario ?? ''}:${line}: ${message}`);
      return wrongUse('session', faults.join('\n'));
    }
    scenario = parsedScenario.value;
  }
  const settings = settingsOf(
    {
      ...script,
      provider,
      ...(model !== undefined && { model }),
    },
    NEW_SESSION.settings,
  );

  const isJson = values['json'] === true;
  const { log, lines } = collectLog();
  const opened = await openFolder(resolve(base, script.folder), values, log, {
    ...(script.profile && { profile: script.profile }),
    ...(script.user !== undefined && { user: resolve(base, script.user) }),
    ...(script.cwd !== undefined && { cwd: script.cwd }),
  });
  if (!opened.ok) return wrongUse('session', opened.error);
  const played = await withEngine(async (engine) => {
    const terminal = openTerminal({
      engine,
      log,
      connection,
      ...(scenario && { scenario }),
      ...(script.clock !== undefined && { startAt: Date.parse(script.clock) }),
    });
    try {
      return await play(terminal, script, opened.value, settings, isJson ? () => {} : say);
    } catch (thrown) {
      if (thrown instanceof ScriptFault) return thrown;
      throw thrown;
    }
  });
  if (played instanceof ScriptFault) return wrongUse('session', `${file}: ${played.message}`);
  if (typeof eventsFile === 'string') {
    for (const [index, { journal }] of played.sessions.entries())
      writeFile(numbered(eventsFile, index + 1), exportMaskedJsonl(journal.events, { content: 'all' }).text);
  }
  const analytics = analyticsOf(played);
  if (isJson) process.stdout.write(jsonDocument({ turns: played.turns, analytics, log: lines }));
  else {
    const { total } = { total: analytics as { hit_rate: number | null; cost: number | null } };
    const rate = total.hit_rate === null ? 'no input' : `hit rate ${percent(total.hit_rate, 1)}`;
    // What one turn doesn't know, the sum doesn't either.
    const isKnown = total.cost !== null && played.turns.every(({ cost }) => cost !== null);
    process.stdout.write(`${rate} · ${isKnown ? `cost ${money(total.cost)}` : 'cost unknown'}\n`);
    for (const { level, text: message } of lines)
      if (level === 'warning' || level === 'error') process.stderr.write(`${level}: ${visible(message)}\n`);
  }
  return played.turns.every(({ ok }) => ok) ? 0 : 1;
};
