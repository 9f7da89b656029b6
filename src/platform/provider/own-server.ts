/** What is different with a server of one's own, whatever wire it speaks. */
import { addressSpace } from '../../model/provider/connection-errors.ts';
import { keyHeaders } from './key-header.ts';
import type { Attempt, ClientSettings } from './run-call.ts';

/** Where Ollama listens. */
export const OLLAMA_URL = 'http://localhost:11434/v1';

/** Every header beyond the simple ones has to be on a server's list, and these say nothing to it. */
const PLAIN_HEADERS: Readonly<Record<string, null>> = {
  'anthropic-dangerous-direct-browser-access': null,
  'user-agent': null,
  'x-stainless-arch': null,
  'x-stainless-lang': null,
  'x-stainless-os': null,
  'x-stainless-package-version': null,
  'x-stainless-retry-count': null,
  'x-stainless-runtime': null,
  'x-stainless-runtime-version': null,
  'x-stainless-timeout': null,
};

/** Chromium asks the person for a permission instead of refusing, if it is told where the server is. */
const fetchOptionsFor = ({ isBrowser, pageOrigin }: ClientSettings, url: string) => {
  const space = addressSpace({ url, isBrowser, ...(pageOrigin && { pageOrigin }) });
  return space && { fetchOptions: { targetAddressSpace: space } as Record<string, string> };
};

/** What both SDKs get: retries, time limits, and logs are Lathe's own, and a plain server gets no header that it need not know. */
export const sdkOptions = (
  settings: ClientSettings,
  baseUrl: string,
  { fetch, timeoutMs }: Attempt,
  isPlain: boolean,
) => ({
  baseURL: baseUrl,
  fetch,
  dangerouslyAllowBrowser: true,
  maxRetries: 0,
  timeout: timeoutMs,
  logLevel: 'off' as const,
  ...(isPlain && fetchOptionsFor(settings, baseUrl)),
});

export const sdkHeaders = ({ apiKey }: ClientSettings, { keyHeader }: Attempt, isPlain: boolean) => ({
  ...(isPlain && PLAIN_HEADERS),
  ...keyHeaders(apiKey, keyHeader),
});
