import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { errorMessage } from '../../base/errors.ts';
import { plural } from '../../base/text.ts';
import { captureSetups } from '../../model/traffic/capture/agent-setup.ts';
import { DEFAULT_TARGETS, startCaptureServer } from '../../platform/http/node-capture.ts';
import { createPageFiles } from '../../platform/http/node-page-files.ts';
import { createRecordingFile } from '../../platform/http/node-recording.ts';
import { parseArguments, textOf, wrongUse } from '../arguments.ts';
import { visible } from '../output/terminal-text.ts';
import { openBrowser } from '../open-browser.ts';
import { interrupted, readOrigins, readPort } from '../server-options.ts';
import { SHIPPED } from '../shipped.ts';

const DEFAULT_PORT = 4142;

const HELP = `usage: lathe capture [--target URL] [--port N] [--out FILE] [--open] [--origin ORIGIN]

Records the traffic between an agent and its provider until you press Ctrl+C. It listens on 127.0.0.1, passes every
byte on as it comes, and writes a file that \`lathe explain\` and the app open. Keys, cookies, and authorization headers
are never written.

  --target URL      where requests go (default: Anthropic or OpenAI, as each request says)
  --port N          default ${DEFAULT_PORT}; 0 takes any free one
  --out FILE        the recording (default: capture-TIME.jsonl here); an existing file is never changed
  --open            also serve the app on this port, with a live view of the recording
  --origin ORIGIN   also answer pages from there; pages of this machine may always ask

One line per request goes to standard error.
`;

const readTarget = (given: string | undefined): URL | undefined => {
  if (given === undefined || !URL.canParse(given)) return undefined;
  const url = new URL(given);
  return (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === ''
    ? url
    : undefined;
};

/** Which lines of setup fit what comes after the target. */
const wiresOf = (target: URL | undefined): readonly ('anthropic' | 'openai')[] => {
  if (/(?:^|\.)anthropic\.com$/.test(target?.hostname ?? '')) return ['anthropic'];
  if (/(?:^|\.)openai\.com$/.test(target?.hostname ?? '')) return ['openai'];
  return ['anthropic', 'openai'];
};

/** The built page; in a checkout it may not be built yet. */
const pageFolder = (): string | undefined => (existsSync(join(SHIPPED.page, 'index.html')) ? SHIPPED.page : undefined);

const fileNameFor = (time: number): string =>
  `capture-${new Date(time).toISOString().slice(0, 19).replace(/[:T]/g, '-')}.jsonl`;

/** Records an agent's traffic until it is interrupted. */
export const capture = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, {
    target: { type: 'string' },
    port: { type: 'string' },
    out: { type: 'string' },
    open: { type: 'boolean' },
    origin: { type: 'string', multiple: true },
    help: { type: 'boolean', short: 'h' },
  });
  if (!parsed.ok) return wrongUse('capture', parsed.error);
  const { values, positionals } = parsed.value;
  if (values['help'] === true) {
    process.stdout.write(HELP);
    return 0;
  }
  if (positionals.length > 0) return wrongUse('capture', `unexpected argument: '${positionals[0]}'`);
  const port = readPort(textOf(values, 'port'), DEFAULT_PORT);
  if (!port.ok) return wrongUse('capture', port.error);
  const origins = readOrigins(values['origin']);
  if (!origins.ok) return wrongUse('capture', origins.error);
  const given = textOf(values, 'target');
  const target = readTarget(given);
  if (given !== undefined && !target)
    return wrongUse('capture', `invalid --target '${given}'; expected a URL such as ${DEFAULT_TARGETS.anthropic}`);
  const page = values['open'] === true ? pageFolder() : undefined;
  if (values['open'] === true && page === undefined)
    return wrongUse('capture', 'the app isn’t built. Run `npm start` once, then `lathe capture --open`');
  const out = resolve(textOf(values, 'out') ?? fileNameFor(Date.now()));
  const tell = (text: string): void => void process.stderr.write(`${visible(text)}\n`);

  let recording: Awaited<ReturnType<typeof createRecordingFile>>;
  try {
    recording = await createRecordingFile(out, target?.href ?? 'Anthropic and OpenAI', {
      now: Date.now,
      onStopped: (why) => tell(`Can't write ${out}: ${why}. The agent continues, but Lathe records nothing more.`),
    });
  } catch (thrown) {
    const isThere = (thrown as NodeJS.ErrnoException).code === 'EEXIST';
    return wrongUse(
      'capture',
      isThere ? `${out} already exists; choose another --out` : `can't write ${out}: ${errorMessage(thrown)}`,
    );
  }
  const pages = page === undefined ? undefined : createPageFiles({ folder: page, recording });
  let isRefused = false;
  try {
    const server = await startCaptureServer({
      ...(target && { target: target.href }),
      port: port.value,
      now: Date.now,
      record: recording.append,
      origins: origins.value,
      ...(pages && { own: pages }),
      onRequest: ({ method, path, status, ms, problem }) =>
        tell(`${method} ${path} ${status ?? 'no response'} ${ms} ms${problem === undefined ? '' : `: ${problem}`}`),
    });
    process.stdout.write(
      `Recording to ${out}\nRequests go to ${target?.href ?? 'Anthropic or OpenAI, as each one says'}\n`,
    );
    process.stdout.write('\nSet one of these, then start your agent:\n\n');
    for (const { agent, line } of captureSetups(server.url, wiresOf(target)))
      process.stdout.write(`  ${agent.padEnd(14)} ${line}\n`);
    if (pages) {
      const address = `${server.url}/?capture`;
      process.stdout.write(`\nLive view: ${address}\n`);
      if (process.stdout.isTTY) openBrowser(address);
    }
    // Listen before asking for it, so that a quick Ctrl+C gets the last line too.
    const end = interrupted();
    process.stdout.write('\nPress Ctrl+C to stop.\n');
    await end;
    await server.close();
    return recording.stopped() ? 1 : 0;
  } catch (thrown) {
    isRefused = true;
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      return wrongUse('capture', `port ${port.value} is in use; choose another with --port, or 0 for any`);
    if (code === 'EACCES') return wrongUse('capture', `port ${port.value} can't be used; choose one above 1023`);
    throw thrown;
  } finally {
    await recording.close();
    const count = recording.requests();
    const next =
      count === 0
        ? 'No requests came. Start your agent with one of the lines above.'
        : `Recorded ${plural(count, 'request')}. Next: lathe explain ${out}`;
    if (!isRefused) process.stdout.write(`${next}\n`);
  }
};
