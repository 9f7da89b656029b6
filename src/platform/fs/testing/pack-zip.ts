/** An archive as a stranger would make it: any names, nothing checked. */
import { zipSync } from 'fflate';

export const packZip = (files: Readonly<Record<string, string>>): Uint8Array => {
  const encoder = new TextEncoder();
  // A flat map with `/` in its keys: fflate would read a nested one as folders.
  return zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, encoder.encode(text)])));
};
