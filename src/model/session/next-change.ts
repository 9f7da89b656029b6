/** What a switch does to the next request of a session (D25): told at the control, before anything is sent. */
import type { ForecastChange } from '../cache/forecast.ts';
import type { SessionSettings } from '../event/catalog.ts';
import { forecastBetween, type ImagineDeps } from './imagine.ts';
import type { Session } from './session.ts';

const lastOwnCall = ({ state }: Session) => state.calls.findLast(({ isNested }) => !isNested);

/** What these settings would do. Nothing before the first request: then the start of a session is compared. */
export const settingsChange = async (
  deps: ImagineDeps,
  session: Session,
  settings: SessionSettings,
  message?: string,
): Promise<ForecastChange | undefined> => {
  const own = session.state.settings;
  if (!own || !lastOwnCall(session)) return undefined;
  const said = message === undefined ? {} : { message };
  return forecastBetween(
    deps,
    { settings: own, request: await session.nextRequest(said) },
    { settings, request: await session.nextRequest({ ...said, settings }) },
  );
};

/** What changed since the last request: settings, and what USER.md and MEMORY.md say. Nothing if nothing did. */
export const pendingChange = async (
  deps: ImagineDeps,
  session: Session,
  message?: string,
): Promise<ForecastChange | undefined> => {
  const { settings } = session.state;
  const before = lastOwnCall(session)?.settings;
  if (!settings || !before) return undefined;
  const said = message === undefined ? {} : { message };
  const [old, now] = [
    await session.nextRequest({ ...said, settings: before, oldMemory: true }),
    await session.nextRequest(said),
  ];
  if (JSON.stringify([before, old]) === JSON.stringify([settings, now])) return undefined;
  return forecastBetween(deps, { settings: before, request: old }, { settings, request: now });
};
