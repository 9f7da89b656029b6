import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isOwnPage, startPageServer } from '../../platform/http/node-page-server.ts';
import { parseArguments, textOf, wrongUse } from '../arguments.ts';
import { openBrowser } from '../open-browser.ts';
import { interrupted, readPort } from '../server-options.ts';
import { SHIPPED } from '../shipped.ts';

/** Fixed, because a browser keeps the data of each address apart. */
const DEFAULT_PORT = 4173;

const busy = async (port: number): Promise<string> => {
  const url = `http://localhost:${port}`;
  const holder = (await isOwnPage(url))
    ? `Lathe already runs at ${url}. Open that address, or stop it first.`
    : `Another program uses port ${port}. Stop it to get your data back.`;
  return `${holder} Your browser keeps Lathe's data per address, so --port ${port + 1} starts with no data`;
};

/** Serves the built page until it is interrupted. */
export const open = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, {
    port: { type: 'string' },
    host: { type: 'string' },
    expose: { type: 'boolean' },
    open: { type: 'boolean' },
  });
  if (!parsed.ok) return wrongUse('open', parsed.error);
  const { values, positionals } = parsed.value;
  if (positionals.length > 0)
    return wrongUse('open', `unexpected argument '${positionals[0]}'; choose the folder in the app`);
  const port = readPort(textOf(values, 'port'), DEFAULT_PORT);
  if (!port.ok) return wrongUse('open', port.error);
  const host = textOf(values, 'host');
  const isExposed = values['expose'] === true;
  if (host !== undefined && !isExposed)
    return wrongUse('open', `--host ${host} lets other machines open Lathe. Add --expose to confirm`);
  if (host === undefined && isExposed) return wrongUse('open', '--expose needs --host');
  if (!existsSync(join(SHIPPED.page, 'index.html')))
    return wrongUse('open', 'the app isn’t built. Run `npm start` in the repository');
  try {
    const server = await startPageServer({
      folder: SHIPPED.page,
      port: port.value,
      ...(host !== undefined && { host }),
    });
    process.stdout.write(`Lathe is ready: ${server.url}\nPress Ctrl+C to stop.\n`);
    if (values['open'] === true) openBrowser(server.url);
    await interrupted();
    await server.close();
    return 0;
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') return wrongUse('open', await busy(port.value));
    if (code === 'EACCES') return wrongUse('open', `no permission to use port ${port.value}; choose one above 1023`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      return wrongUse('open', `address not found on this machine: ${host ?? ''}; try --host 0.0.0.0`);
    throw thrown;
  }
};
