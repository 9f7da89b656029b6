import { describe, expect, it } from 'vitest';
import { createHostLog } from '../provider/host-log.ts';
import { createCountedFetch } from './counted-fetch.ts';

describe('the fetch of imports', () => {
  it('SO6: counts requests and bytes of other hosts, and hands everything through', async () => {
    const hosts = createHostLog();
    const get = createCountedFetch({
      fetch: () => Promise.resolve(new Response('12345', { status: 203, headers: { 'x-ratelimit-limit': '60' } })),
      hosts,
      now: () => 7,
      ownHost: 'here.example',
    });
    const answer = await get('https://there.example/a');
    expect([answer.status, answer.headers.get('x-ratelimit-limit'), await answer.text()]).toEqual([203, '60', '12345']);
    await (await get(new URL('https://here.example/demo'))).text();
    expect(hosts.entries()).toMatchObject([{ host: 'there.example', requests: 1, receivedBytes: 5 }]);
  });

  it('SO6: a request that fails counts, and its error continues', async () => {
    const hosts = createHostLog();
    const get = createCountedFetch({
      fetch: () => Promise.reject(new TypeError('no')),
      hosts,
      now: () => 7,
      ownHost: '',
    });
    await expect(get('https://there.example/a')).rejects.toThrow('no');
    expect(hosts.entries()).toMatchObject([{ requests: 1, receivedBytes: 0 }]);
  });
});
