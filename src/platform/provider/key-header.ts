/** Which header carries the key. */
import { silentLog } from '../../base/log.ts';
import type { ClientSettings, KeyHeader, KeyHeaderChoice } from './run-call.ts';

/** Whatever could name a key or an account is said or left out here: the SDKs also take headers from the environment. */
export const keyHeaders = (apiKey: string, header: KeyHeader): Readonly<Record<string, string | null>> => ({
  authorization: apiKey !== '' && header === 'authorization' ? `Bearer ${apiKey}` : null,
  'x-api-key': apiKey !== '' && header === 'x-api-key' ? apiKey : null,
  'api-key': null,
  'openai-organization': null,
  'openai-project': null,
});

/**
 * The SDK of Anthropic sends `Authorization`. Whether a provider lets a page send that header is not known: a wildcard in
 * its answer to the preflight would not cover it. The other header is tried once, and whichever is answered stays.
 */
export const chooseKeyHeader = ({ apiKey, isBrowser, log = silentLog }: ClientSettings): KeyHeaderChoice => {
  let answered: KeyHeader | undefined;
  return {
    first: () => answered ?? 'authorization',
    instead: (used) => {
      if (!isBrowser || apiKey === '') return undefined;
      // A call beside this one may have found it out in the meantime.
      if (answered !== undefined) return answered === used ? undefined : answered;
      if (used === 'x-api-key') return undefined;
      log({
        level: 'warning',
        code: 'provider.auth_fallback',
        text: 'No answer to a call with the header Authorization; trying once with x-api-key.',
      });
      return 'x-api-key';
    },
    answered: (used) => {
      answered ??= used;
    },
  };
};
