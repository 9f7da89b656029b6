import { sha256 } from '../../../base/hash.ts';

/** EVQ2. */
export const queryId = (query: string, context: readonly string[]): string =>
  `q-${sha256(JSON.stringify([query.normalize('NFC'), ...context.map((turn) => turn.normalize('NFC'))])).slice(0, 10)}`;
