/** The first request of a session that starts now: its parts, what it would cost, and what every later one like it would. */
import { forecastTurns, type Forecast } from '../cache/forecast.ts';
import type { Tokenizer } from '../provider/types.ts';
import { measuredCall, type ImagineDeps } from '../session/imagine.ts';
import { firstRequest } from '../session/session-request.ts';
import { DEFAULT_SETTINGS, planSession, type PlannedSession, type SessionPlan } from '../session/start.ts';
import { segmentsOfBody } from './body-segments.ts';
import { prefixView, type PrefixView } from './prefix-view.ts';
import { segmentSizes, textsToCount } from './segment-sizes.ts';

export interface PrefixReport {
  readonly planned: PlannedSession;
  /** Nothing where the tokens could not be counted; the log says why. */
  readonly counted: CountedPrefix | undefined;
}

interface CountedPrefix {
  readonly view: PrefixView;
  /** On a cache that has nothing yet, and a minute later. */
  readonly first: Forecast;
  readonly later: Forecast;
}

const MINUTE = 60_000;

export const prefixReport = async (
  deps: ImagineDeps & { readonly tokenizer: Tokenizer },
  plan: SessionPlan,
  volatile: string,
  message?: string,
): Promise<PrefixReport> => {
  const planned = planSession(plan);
  const settings = { ...DEFAULT_SETTINGS, ...plan.settings };
  const request = firstRequest(planned, settings, volatile, message);
  const call = await measuredCall(deps, { settings, request });
  const { wire, body } = deps.client(settings).preview(request);
  const { tools, prompt } = planned;
  const whole = segmentsOfBody(JSON.stringify(body), wire, { tools, stable: prompt.segments });
  if (!call || !whole.ok) return { planned, counted: undefined };
  const [first, later] = forecastTurns(call, 2, MINUTE);
  if (!first || !later) return { planned, counted: undefined };
  const counts = await deps.tokenizer.count(textsToCount(whole.value));
  const view = prefixView({
    segments: whole.value.segments,
    model: settings.model,
    // Of the call on a history of its own: what is written there is what the strip has before the breakpoint.
    sizes: segmentSizes(whole.value, counts, first),
    padding: prompt.target.policy,
  });
  return { planned, counted: { view, first, later } };
};
