import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { open } from './commands/open.ts';

vi.mock('./shipped.ts', () => ({ SHIPPED: { page: new URL('../../', import.meta.url).pathname } }));

const said = (): (() => string) => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  return () => write.mock.calls.map(([text]) => String(text)).join('');
};
afterEach(() => vi.restoreAllMocks());

it('PGS3: refuses other machines unless asked twice', async () => {
  const text = said();
  expect(await open(['--host', '0.0.0.0'])).toBe(2);
  expect(text()).toContain('--expose');
});

it('PGS4: explains a busy port, and takes no other', async () => {
  const text = said();
  const holder = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => void holder.once('listening', resolve));
  const { port } = holder.address() as AddressInfo;
  // It is not a server of pages: anyone who asks is hung up on.
  holder.on('connection', (socket) => socket.destroy());
  expect(await open(['--port', String(port)])).toBe(2);
  expect(text()).toContain(`Another program uses port ${port}`);
  expect(text()).toContain('starts with no data');
  await new Promise((resolve) => void holder.close(resolve));
});
