/** What the headers of a request say: its key, and the version of the API. */
import type { Wire } from '../provider/types.ts';
import { invalid, type SimError } from './sim-error.ts';

type Headers = Readonly<Record<string, string | undefined>>;

const VERSIONS = new Set(['2023-01-01', '2023-06-01', '2026-10-21']);

/** Empty: there is none. OpenAI takes a bearer only, Anthropic also `x-api-key`. */
export const keyOf = (headers: Headers, wire: Wire): string => {
  const [, bearer] = /^Bearer +(.*)$/i.exec(headers['authorization'] ?? '') ?? [];
  return (bearer ?? (wire === 'anthropic-messages' ? headers['x-api-key'] : undefined) ?? '').trim();
};

export const checkVersion = (headers: Headers, wire: Wire): SimError | undefined => {
  const version = headers['anthropic-version'];
  if (wire !== 'anthropic-messages' || VERSIONS.has(version ?? '')) return undefined;
  return invalid(
    version === undefined
      ? 'anthropic-version: header is required'
      : `anthropic-version: "${version}" is not a valid version`,
  );
};
