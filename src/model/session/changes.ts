/** What changed in the folder since a session started, and what the first request of a new session would lose by it (D25). */
import type { Payload } from '../event/types.ts';
import { makeSegment, toolSegment } from '../prompt/segments.ts';
import type { Segment } from '../prompt/types.ts';
import type { ForecastChange } from '../cache/forecast.ts';
import type { ToolSpec } from '../provider/types.ts';
import { forecastBetween, type ImagineDeps } from './imagine.ts';
import type { Session } from './session.ts';
import { firstRequest } from './session-request.ts';
import type { PlannedSession } from './start.ts';

type Config = Payload<'session.configured'>;

export interface SkillChange {
  readonly name: string;
  /** `text`: what the prompt says of it (index line or preloaded body); `body`: only what is loaded on demand. */
  readonly kind: 'added' | 'removed' | 'text' | 'body';
}

export interface PlanChanges {
  readonly skills: readonly SkillChange[];
  /** The first part of tools and stable prompt that differs; nothing if a new session would send the same bytes. */
  readonly firstDifference: { readonly before: string | undefined; readonly after: string | undefined } | undefined;
}

export interface FolderChanges extends PlanChanges {
  /** The first request of a new session, as it would be without the changes and with them. Nothing where it cannot be judged. */
  readonly forecast: ForecastChange | undefined;
  /** The next request of this session, if USER.md or MEMORY.md changed since its last one. */
  readonly memory: ForecastChange | undefined;
}

const skillChanges = (
  before: Config['skills'],
  after: Config['skills'],
  textChanged: ReadonlySet<string>,
): SkillChange[] => {
  const old = new Map(before.map((skill) => [skill.name, skill]));
  const names = new Set(after.map(({ name }) => name));
  return [
    ...after.flatMap(({ name, version }): SkillChange[] => {
      const known = old.get(name);
      if (!known) return [{ name, kind: 'added' }];
      if (textChanged.has(name)) return [{ name, kind: 'text' }];
      return known.version === version ? [] : [{ name, kind: 'body' }];
    }),
    ...before.flatMap(({ name }): SkillChange[] => (names.has(name) ? [] : [{ name, kind: 'removed' }])),
  ];
};

/** Index lines and preloaded bodies by skill. */
const textsOf = (segments: Config['segments']): ReadonlyMap<string, string> => {
  const texts = new Map<string, string>();
  const add = (name: string, text: string): void => void texts.set(name, (texts.get(name) ?? '') + text);
  for (const { kind, id, text } of segments) {
    if (kind === 'preloaded') add(id.slice('preloaded:'.length), text);
    if (kind !== 'skill-index') continue;
    for (const line of text.split('\n')) {
      const name = /^- ([a-z0-9-]+)/.exec(line)?.[1];
      if (name !== undefined) add(name, line);
    }
  }
  return texts;
};

/** In the order of the wire. */
const prefixOf = (config: Config): readonly Segment[] => [
  ...(config.tools as readonly ToolSpec[]).map(toolSegment),
  ...config.segments.map(({ kind, id, text }) => makeSegment(kind, id, text, 'stable')),
];

const configOf = ({ drafts }: PlannedSession): Config | undefined => {
  const draft = drafts.find(({ type }) => type === 'session.configured');
  return draft?.type === 'session.configured' ? draft.payload : undefined;
};

/** `planned` is what a session that started now would send, with the settings of this one. */
export const changesSince = (config: Config, planned: PlannedSession): PlanChanges | undefined => {
  const next = configOf(planned);
  if (!next) return undefined;
  const [before, after] = [prefixOf(config), prefixOf(next)];
  const first = after.findIndex((segment, index) => segment.hash !== before[index]?.hash);
  const at = first === -1 && before.length !== after.length ? after.length : first;
  const [oldTexts, newTexts] = [textsOf(config.segments), textsOf(next.segments)];
  const textChanged = new Set([...newTexts].flatMap(([name, text]) => (oldTexts.get(name) === text ? [] : [name])));
  return {
    skills: skillChanges(config.skills, next.skills, textChanged),
    firstDifference: at === -1 ? undefined : { before: before[at]?.id, after: after[at]?.id },
  };
};

const stableOf = ({ segments }: Config): string => segments.map(({ text }) => text).join('');

/** What the folder's changes mean for a session: `message` is what a person would say first, where that is known. */
export const folderChanges = async (
  deps: ImagineDeps,
  session: Session,
  planned: PlannedSession,
  message?: string,
): Promise<FolderChanges | undefined> => {
  const { config, settings } = session.state;
  const changes = config && changesSince(config, planned);
  if (!config || !settings || !changes) return undefined;
  const volatile = await session.volatileText();
  const old = { prompt: { text: stableOf(config) }, tools: config.tools as readonly ToolSpec[] };
  const [asBefore, now] = [await session.nextRequest({ oldMemory: true }), await session.nextRequest()];
  return {
    ...changes,
    forecast: await forecastBetween(
      deps,
      { settings, request: firstRequest(old, settings, volatile, message) },
      { settings, request: firstRequest(planned, settings, volatile, message) },
    ),
    memory:
      asBefore.system.volatile === now.system.volatile
        ? undefined
        : await forecastBetween(deps, { settings, request: asBefore }, { settings, request: now }),
  };
};
