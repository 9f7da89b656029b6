/** Headers: what those of a request say (its key, and the version of the API), and those of an answer. */
import type { Wire } from '../provider/types.ts';
import { invalid, type SimError } from './sim-error.ts';

type Headers = Readonly<Record<string, string | undefined>>;

const VERSIONS = new Set(['2023-01-01', '2023-06-01', '2026-10-21']);

/** Empty: none exists. OpenAI takes a bearer only, Anthropic also `x-api-key`. */
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

export const headersOf = (
  { wire, requestId, scope }: { readonly wire: Wire; readonly requestId: string; readonly scope: string },
  type: string,
): Readonly<Record<string, string>> =>
  wire === 'anthropic-messages'
    ? {
        'content-type': type,
        'request-id': requestId,
        'anthropic-organization-id': 'org_simulator',
        'anthropic-workspace-id': `wrkspc_sim_${scope}`,
      }
    : {
        'content-type': type,
        'x-request-id': requestId,
        'openai-organization': 'simulator',
        'openai-version': '2020-10-01',
      };

/** Of the betas that a request names. */
export const betasOf = (headers: Headers): readonly string[] =>
  (headers['anthropic-beta'] ?? '')
    .split(',')
    .map((beta) => beta.trim())
    .filter((beta) => beta !== '');
