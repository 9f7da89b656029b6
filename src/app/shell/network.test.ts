import { expect, it } from 'vitest';
import { networkText } from './network.ts';

it('says which hosts the page has talked to, with bytes', () => {
  const one = { host: 'api.example.com', requests: 2, sent: 1500, received: 999 };
  expect(networkText([])).toBe('No network use so far');
  expect(networkText([one])).toBe('Network: api.example.com, 1.5 KB sent, 999 B received');
  expect(networkText([one, { host: 'localhost:11434', requests: 1, sent: 0, received: 2_500_000 }])).toBe(
    'Network: 2 hosts, 1.5 KB sent, 2.5 MB received',
  );
});
