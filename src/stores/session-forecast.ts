/** What the page says of requests that were not sent (D40): every question goes to the shadow that all sessions share. */
import type { StoreApi } from 'zustand/vanilla';
import { silentLog, type Log } from '../base/log.ts';
import { createCacheModel } from '../model/cache/engine.ts';
import { forecast, type ForecastChange } from '../model/cache/forecast.ts';
import type { SessionSettings } from '../model/event/catalog.ts';
import { findMemory, volatileSegments } from '../model/prompt/volatile.ts';
import { modelFacts } from '../model/provider/model-book.ts';
import { folderChanges } from '../model/session/changes.ts';
import { forecastBetween, type ImagineDeps } from '../model/session/imagine.ts';
import { pendingChange, settingsChange } from '../model/session/next-change.ts';
import { paddingBasis } from '../model/session/padding-basis.ts';
import { firstRequest, usualBody } from '../model/session/session-request.ts';
import { planSession, type PlannedSession } from '../model/session/start.ts';
import { OPTIONAL_TOOLS } from '../model/tool/definitions.ts';
import type { Tool } from '../model/tool/types.ts';
import { clockOf, type CurrentSession } from './session-current.ts';
import { planFor } from './session-start.ts';
import type { NewSession, SessionFolder, SessionRuntime, SessionsState, SessionStore } from './session-types.ts';

export interface SessionForecastDeps {
  readonly runtime: () => Promise<SessionRuntime>;
  /** The runtime if it was made already: anyone who only looks on does not load it. */
  readonly made: () => SessionRuntime | undefined;
  readonly folder: () => Promise<SessionFolder>;
  readonly extraTools: (log: Log) => Promise<readonly Tool[]>;
  readonly environment?: () => { readonly date: string; readonly platform: string };
  readonly store: Pick<StoreApi<SessionsState>, 'getState' | 'setState'>;
  readonly current: CurrentSession;
}

export type SessionForecasts = Pick<
  SessionStore,
  | 'write'
  | 'checkFolder'
  | 'preview'
  | 'compareStarts'
  | 'compareSettings'
  | 'compareModels'
  | 'pendingChange'
  | 'paddingBasis'
  | 'sizes'
  | 'expected'
  | 'volatileText'
>;

export const createSessionForecasts = (deps: SessionForecastDeps): SessionForecasts => {
  const { runtime, current } = deps;
  const { getState, setState } = deps.store;

  const imagineDeps = (shared: SessionRuntime, settings: SessionSettings): ImagineDeps => ({
    client: shared.client,
    scope: shared.scope,
    shadow: shared.shadow,
    now: clockOf(shared, () => settings),
  });

  /** What goes after the cached prefix of a session that would start now. */
  const volatileText = async (): Promise<string> => {
    const folder = await deps.folder();
    const environment = deps.environment?.();
    if (!environment) return '';
    // Anyone who only looks on writes no log: the same lines come when the session starts.
    const { user, memory } = await findMemory(folder.files, silentLog);
    return volatileSegments({
      environment: { ...environment, workspace: folder.identity.name },
      user: user.text,
      memory: memory.text,
    })
      .map(({ text }) => text)
      .join('');
  };

  const planNow = async (next: NewSession) => planFor(await deps.folder(), next, await deps.extraTools(silentLog));

  const typed = (): string => getState().typed.trim();

  return {
    volatileText,
    write: (text) => setState({ typed: text }),
    checkFolder: async () => {
      const open = current.get();
      const { config, settings } = open?.session.state ?? {};
      if (!open || open.away || !config || !settings) return;
      // Only the folder is compared: whatever else was chosen for the next session is as in this one.
      const names = new Set(config.tools.map(({ name }) => name));
      const { listing: _other, listingVersion: _otherVersion, ...others } = getState().next;
      const next: NewSession = {
        ...others,
        ...(config.listing !== undefined && { listing: config.listing }),
        ...(config.listing_version !== undefined && { listingVersion: config.listing_version }),
        dialect: config.dialect,
        padding: config.padding,
        policy: config.metaskill_policy,
        persona: config.segments.find(({ kind }) => kind === 'persona')?.text ?? '',
        withoutTools: OPTIONAL_TOOLS.filter((name) => !names.has(name)),
        settings,
      };
      const plan = await planFor(await deps.folder(), next, await deps.extraTools(silentLog));
      const changes = await folderChanges(
        imagineDeps(open.runtime, settings),
        open.session,
        planSession(plan),
        typed(),
      );
      // What was changed back is no longer a change.
      setState(({ changes: _before, ...state }) => ({ ...state, ...(changes && { changes }) }), true);
    },
    preview: async () => {
      const { next } = getState();
      const { settings } = next;
      const planned = planSession(await planNow(next));
      const request = firstRequest(planned, settings, await volatileText(), typed());
      const shared = deps.made();
      if (!shared) return { planned, settings, ...usualBody(request, settings) };
      const { wire, body } = shared.client(settings).preview(request);
      return { planned, settings, wire, body: JSON.stringify(body) };
    },
    compareStarts: async (before, after, settings) => {
      const [shared, volatile] = await Promise.all([runtime(), volatileText()]);
      const at = (planned: PlannedSession) => ({
        settings,
        request: firstRequest(planned, settings, volatile, typed()),
      });
      return forecastBetween(imagineDeps(shared, settings), at(before), at(after), true);
    },
    compareSettings: async (settings, start) => {
      const shared = await runtime();
      const { next } = getState();
      const session = current.get()?.away ? undefined : current.get()?.session;
      const volatile = await volatileText();
      const startOf = async (chosen: NewSession) => ({
        settings: chosen.settings,
        request: firstRequest(planSession(await planNow(chosen)), chosen.settings, volatile, typed()),
      });
      return {
        next: session && (await settingsChange(imagineDeps(shared, settings), session, settings, typed())),
        start: await forecastBetween(
          imagineDeps(shared, settings),
          await startOf(next),
          await startOf({ ...(start ?? next), settings }),
        ),
      };
    },
    pendingChange: async () => {
      const open = current.get();
      const settings = open?.session.state.settings;
      if (!open || open.away || !settings) return undefined;
      return pendingChange(imagineDeps(open.runtime, settings), open.session, typed());
    },
    compareModels: async (models) => {
      const open = current.get();
      const settings = open?.session.state.settings;
      const found = new Map<string, ForecastChange>();
      if (!open || open.away || !settings) return found;
      for (const model of models) {
        const change = await settingsChange(
          imagineDeps(open.runtime, settings),
          open.session,
          { ...settings, model },
          typed(),
        );
        if (change) found.set(model, change);
      }
      return found;
    },
    paddingBasis: async ({ model, policy, ttl }) => {
      const shared = await runtime();
      const { next } = getState();
      const family = modelFacts(next.settings.model).family;
      const settings: SessionSettings = {
        ...next.settings,
        // A model of another maker has another wire; the simulator speaks all of them.
        provider: modelFacts(model).family === family ? next.settings.provider : 'simulator',
        model,
        cache: { ...next.settings.cache, ttl: { tools: ttl, system: ttl, messages: ttl } },
      };
      const plan = await planNow({ ...next, padding: policy, settings });
      return paddingBasis(imagineDeps(shared, settings), plan, await volatileText(), typed());
    },
    sizes: (request, tokens) =>
      deps.made()?.shadow.sizes(request, tokens) ??
      createCacheModel().sizes({ request, tokens, startedAt: 0, scope: '' }),
    expected: (settings, request, tokens) => {
      const shared = deps.made();
      if (!shared) return forecast(createCacheModel(), { request, tokens, startedAt: 0, scope: '' });
      const { provider } = settings;
      const question = { provider, scope: shared.scope(settings), startedAt: clockOf(shared, () => settings)() };
      return shared.shadow.counted(question, request, tokens);
    },
  };
};
