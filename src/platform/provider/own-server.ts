/** What is different with a server of one's own, whatever wire it speaks. */
import { addressSpace } from '../../model/provider/connection-errors.ts';
import type { ClientSettings } from './run-call.ts';

/** Where Ollama listens. */
export const OLLAMA_URL = 'http://localhost:11434/v1';

/** Every header beyond the simple ones has to be on a server's list, and these say nothing to it. */
export const PLAIN_HEADERS: Readonly<Record<string, null>> = {
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
export const fetchOptionsFor = ({ isBrowser, pageOrigin }: ClientSettings, url: string) => {
  const space = addressSpace({ url, isBrowser, ...(pageOrigin && { pageOrigin }) });
  return space && { fetchOptions: { targetAddressSpace: space } as Record<string, string> };
};
