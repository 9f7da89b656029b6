import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../base/hash.ts';
import { createMasker } from './masker.ts';

const mask = (text: string): string => createMasker().mask(text);
const kindsIn = (text: string): readonly string[] => {
  const masker = createMasker();
  masker.mask(text);
  return masker.masked().map(({ kind }) => kind);
};
const bytes = (text: string): number => new TextEncoder().encode(text).length;

/** A value of every kind, in the text that holds it. */
const VALUES: readonly [string, string, string][] = [
  ['email', 'ada.lovelace+x@mail.analytical-engine.org', 'Ask ada.lovelace+x@mail.analytical-engine.org.'],
  ['email', 'josé@exámple.com', 'von josé@exámple.com,'],
  ['email', 'ada%40engine.org', 'to=ada%40engine.org&x=1'],
  ['account', '7c9e6679-7425-40de-944b-e07fc1f90ae7', '{"account_uuid":"7c9e6679-7425-40de-944b-e07fc1f90ae7"}'],
  ['account', 'org-9Xk2Lm44TqZ', 'anthropic-organization-id: org-9Xk2Lm44TqZ'],
  ['device', 'd41d8cd98f00b204e980', '{"device_id":"d41d8cd98f00b204e980"}'],
  ['device', '2f9c1a-install-77', 'installation_id=2f9c1a-install-77'],
  ['key', 'sk-ant-api03-Zq8-w_91xLmP', 'key sk-ant-api03-Zq8-w_91xLmP here'],
  ['key', 'AKIAIOSFODNN7EXAMPLE', 'id AKIAIOSFODNN7EXAMPLE'],
  ['key', 'abcd1234efgh', '{"name":"x-api-key","value":"abcd1234efgh"}'],
  ['key', 'MIIEpAIBAAKCAQEA75', '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA75\n-----END RSA PRIVATE KEY-----'],
  ['token', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a', 'export T ghp_16C7e42F292c6912E7710c838347Ae178B4a'],
  ['token', 'eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl', 'jwt eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl'],
  ['token', 'abc123def456', 'Authorization: Bearer abc123def456'],
  ['token', 's3cr3t', 'postgres://app:s3cr3t@db/x'],
  ['token', 'sid=81723; theme=dark', 'GET /\nCookie: sid=81723; theme=dark\n'],
  ['token', 'tr0ub4dor', 'DB_PASSWORD=tr0ub4dor'],
  ['token', 'tok_9f8e7d6c5b4a3210', '{"mcp_servers":[{"authorization_token":"tok_9f8e7d6c5b4a3210"}]}'],
  ['token', 'abcdef123456', 'GET https://host/x?access_token=abcdef123456&b=1'],
  ['token', 'abcdef1234567890', '//registry.example/:_authToken=abcdef1234567890'],
  ['token', 'p4ssw0rdLong', 'redis://:p4ssw0rdLong@host:6379'],
  ['token', 'xapp-1-A0123-12345-abcdef0123', 'SLACK xapp-1-A0123-12345-abcdef0123'],
  ['token', 'T0000/B0000/abcd12345678', 'https://hooks.slack.com/services/T0000/B0000/abcd12345678'],
  ['key', 'wJalrXUtnFEMI/K7MDENG', 'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG'],
  ['key', 'MIIEvQIBADANBgkq', String.raw`-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq\n-----END PRIVATE KEY-----`],
  ['device', '0a1b2c3d-1111-2222', '{"x-codex-installation-id":"0a1b2c3d-1111-2222"}'],
  ['account', 'user-ABCDEF123456', '{"user":"user-ABCDEF123456"}'],
  ['home', 'ada', 'cd /home/ada/engine'],
  ['home', 'ada', 'open /Users/ada'],
  ['home', 'Ada King', String.raw`C:\Users\Ada King\notes`],
  ['home', 'ada', 'file:///home%2Fada%2Fx'.replace('///home', '%2Fhome')],
  ['home', 'ada', '~/.claude/projects/-home-ada-engine/x.jsonl'],
  ['home', 'ada', String.raw`{\"cwd\":\"C:\\\\Users\\\\ada\\\\x\"}`],
];

describe('masking', () => {
  it.each(VALUES)('MK1, MK7: masks the %s %s', (kind, value, text) => {
    const masked = mask(text);
    expect(masked).not.toContain(value);
    expect(kindsIn(text)).toEqual([kind]);
    // Nothing but the value changes.
    const at = text.indexOf(value);
    expect(masked.slice(0, at)).toBe(text.slice(0, at));
    expect(masked.slice(at + value.length)).toBe(text.slice(at + value.length));
  });

  it.each(VALUES)('MK2: gives the %s %s a stand-in of its length that is not masked again', (_kind, value, text) => {
    const masked = mask(text);
    expect([masked.length, bytes(masked)]).toEqual([text.length, bytes(text)]);
    if (value.length >= 12) expect(mask(masked)).toBe(masked);
  });

  it('MK3: masks a value alike in every export, and two values differently', () => {
    const masker = createMasker();
    const standIn = masker.mask('me@engine.org').slice(0);
    expect(masker.mask('x me@engine.org')).toBe(`x ${standIn}`);
    expect(mask('y me@engine.org')).toBe(`y ${standIn}`);
    // Of three letters there are not many stand-ins, so some would meet.
    const names = Array.from({ length: 900 }, (_, n) => `q${n.toString(36).padStart(2, '0')}`);
    const paths = masker.mask(names.map((name) => `/home/${name}`).join('\n')).split('\n');
    expect(new Set(paths).size).toBe(names.length);
  });

  it('MK4: keeps JSON as it is written, and looks into JSON inside its strings', () => {
    const inner = JSON.stringify({
      metadata: { user_id: JSON.stringify({ device_id: 'dev-1234-abcd', session_id: 's-1' }) },
    });
    const text = `{ "a" : 1e2,\n"body":${JSON.stringify(inner)},"n":"line\\nada@engine.org \\u0061da2@engine.org \\/home\\/ada" }`;
    const masked = mask(text);
    expect(masked.length).toBe(text.length);
    expect(masked).toMatch(/^\{ "a" : 1e2,\n"body":"\{\\"metadata\\":\{\\"user_id\\":\\?"/);
    for (const value of ['dev-1234-abcd', 'ada@engine', 'da2@engine', 'home\\/ada'])
      expect(masked).not.toContain(value);
    const read = JSON.parse(masked) as { body: string; n: string };
    const body = JSON.parse(read.body) as { metadata: { user_id: string } };
    expect((JSON.parse(body.metadata.user_id) as { session_id: string }).session_id).toBe('s-1');
    expect(read.n.split('\n')[0]).toBe('line');
  });

  it('MK5: masks JSON lines and events of a stream by line, and keeps escapes in pieces of JSON', () => {
    const lines = '{"organization_id":"org-aaa111"}\n{"cut":"ada@engine.org\ndata: {"api_key":"k1k1k1k1"}\n';
    const masked = mask(lines);
    for (const value of ['org-aaa111', 'ada@engine', 'k1k1k1k1']) expect(masked).not.toContain(value);
    expect(masked.length).toBe(lines.length);
    expect(mask(String.raw`{"partial_json":"\"x\\nada@engine.org`)).toContain(String.raw`\\n`);
  });

  it('MK6: masks a value that a field names wherever it appears, also before and in other parts', () => {
    const masker = createMasker({ secrets: ['open-sesame'] });
    const id = 'a1b2c3d4-e5f6-7788';
    masker.learn({ account_uuid: id });
    expect(masker.mask(`see x${id}y and open-sesame`)).not.toMatch(/a1b2|sesame/);
    expect(mask(`first ${id}\nthen account_id=${id}`)).not.toContain(id);
    expect(mask('/home/ada.king/x\n-home-ada-king-x')).not.toMatch(/ada|king/);
  });

  it('MK8: lists what was masked, without the values', () => {
    const masker = createMasker();
    masker.mask({ a: 'me@engine.org', b: ['me@engine.org', '/home/ada/x'] });
    expect(masker.masked()).toEqual([
      {
        kind: 'email',
        standIn: expect.stringMatching(/^email-[0-9a-z]{7}$/) as string,
        length: 13,
        count: 2,
        hash: sha256('me@engine.org').slice(0, 8),
      },
      {
        kind: 'home',
        standIn: expect.stringMatching(/^u[0-9a-z]{2}$/) as string,
        length: 3,
        count: 1,
        hash: sha256('ada').slice(0, 8),
      },
    ]);
    // What repeats is counted each time.
    const long = `${'word '.repeat(60)} me@engine.org`;
    masker.mask([long, long]);
    expect(masker.masked()[0]?.count).toBe(4);
  });

  it('MK10: leaves public addresses, session ids, and ordinary text alone', () => {
    const text = [
      'Co-Authored-By: Claude <noreply@anthropic.com>',
      'git clone git@github.com:a/b logo@2x.png @scope/name@1.2.3',
      '{"session_id":"0a1b2c3d-4e5f","max_tokens":32000,"token":" hello","type":"user","password":{"type":"string"}}',
      'a bearer token is missing, api_key: required, tokens: 12345678',
      'req_011CVabc msg_01XY toolu_01AB sk-learn nav-home-button',
    ].join('\n');
    expect(mask(text)).toBe(text);
  });

  it('MK2, MK4: keeps length and JSON for any text around private values', () => {
    const piece = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...VALUES.map(([, , text]) => text)));
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, piece), { maxLength: 4 }), (pairs) => {
        const source = JSON.stringify(
          pairs.map(([key, value]) => ({ [key]: value, nested: JSON.stringify([value, { key }]) })),
        );
        const masked = mask(source);
        expect([masked.length, bytes(masked)]).toEqual([source.length, bytes(source)]);
        expect(() => JSON.parse(masked) as unknown).not.toThrow();
      }),
      { numRuns: 30 },
    );
  });

  it('MK9: looks at each part of a hostile text a bounded number of times', () => {
    for (const piece of [
      '@',
      'a@',
      'a.',
      'sk-',
      'eyJ',
      '-eyJ.',
      '/home/',
      'Bearer ',
      'api_key=',
      'api_key=a1',
      'a:',
      'x-api-key-',
      '://a:',
      '\\',
      '-----BEGIN PRIVATE KEY-----',
    ])
      expect(mask(piece.repeat(120_000 / piece.length)).length).toBe(Math.floor(120_000 / piece.length) * piece.length);
  });

  it('MK11: masks bodies that repeat each other as it masks each alone, and looks at a repeated part once', () => {
    const said = VALUES.map(([, , text]) => text);
    const bodies = said.map((_, at) =>
      JSON.stringify({ model: 'm', messages: said.slice(0, at + 1).map((content) => ({ role: 'user', content })) }),
    );
    const [one, each] = [createMasker(), createMasker()];
    const growing = one.bodies();
    bodies.forEach((body, at) => growing.learn(body, bodies[at - 1]));
    for (const body of bodies) each.learn(body);
    const masked = bodies.map((body, at) => growing.mask(body, bodies[at - 1]));
    expect(masked).toEqual(bodies.map((body) => each.mask(body)));
    expect(one.masked()).toEqual(each.masked());
  });
});
