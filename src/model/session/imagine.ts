/** Requests that nobody sends, put to the shadow: what they would read, write and cost (D40). */
import type { CacheCall } from '../cache/engine.ts';
import type { Forecast, ForecastChange } from '../cache/forecast.ts';
import type { SessionSettings } from '../event/catalog.ts';
import type { CanonicalRequest } from '../provider/types.ts';
import type { SessionDeps } from './core.ts';
import type { ShadowQuestion } from './shadow.ts';

export type ImagineDeps = Pick<SessionDeps, 'client' | 'scope' | 'now' | 'shadow'>;

export interface Imagined {
  readonly settings: SessionSettings;
  readonly request: CanonicalRequest;
}

/** Bodies of one kind share what they begin with, so they are read under one name. */
const IMAGINED = 'imagined';

const questionOf = (deps: ImagineDeps, { settings, request }: Imagined, startedAt: number): ShadowQuestion => {
  const { wire, body } = deps.client(settings).preview(request);
  return {
    provider: settings.provider,
    wire,
    model: settings.model,
    body: JSON.stringify(body),
    startedAt,
    scope: deps.scope(settings),
    sessionId: IMAGINED,
  };
};

export const forecastOf = (deps: ImagineDeps, imagined: Imagined): Promise<Forecast | undefined> =>
  deps.shadow.forecast(questionOf(deps, imagined, deps.now()));

/** Both at the same moment. `isWarm`: as if the first had just been answered. */
export const forecastBetween = (
  deps: ImagineDeps,
  before: Imagined,
  after: Imagined,
  isWarm = false,
): Promise<ForecastChange | undefined> => {
  const at = deps.now();
  return deps.shadow.change(questionOf(deps, before, at), questionOf(deps, after, at), isWarm);
};

/** Counted as forecasts count it, to be asked on another history. */
export const measuredCall = (deps: ImagineDeps, imagined: Imagined): Promise<CacheCall | undefined> =>
  deps.shadow.measure(questionOf(deps, imagined, deps.now()));
