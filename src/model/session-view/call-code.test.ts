import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { curlOf, sdkCodeOf, type CallCode } from './call-code.ts';

const BODY =
  '{"model":"claude-haiku-4-5","stream":true,"messages":[{"role":"user","content":"it\'s $HOME `ls` \\"x\\""}]}';
const call: CallCode = {
  provider: 'anthropic',
  wire: 'anthropic-messages',
  url: 'https://api.anthropic.com/v1/messages',
  body: BODY,
};

describe('a call as code', () => {
  it('SV51: a shell hands curl the exact body, and the key from its variable', () => {
    const script = `curl() { printf '%s\\n' "$@"; }\n${curlOf(call)}`;
    const args = execFileSync('/bin/sh', ['-c', script], {
      encoding: 'utf8',
      env: { ANTHROPIC_API_KEY: 'from-the-environment' },
    }).split('\n');
    expect(args[0]).toBe('https://api.anthropic.com/v1/messages');
    expect(args).toContain('x-api-key: from-the-environment');
    // What the SDK sends: the older version takes other bodies.
    expect(args).toContain('anthropic-version: 2026-10-21');
    expect(args).toContain(BODY);
  });

  it('SV51: a body that is too long for an argument comes by the standard input', () => {
    const body = JSON.stringify({ system: `LATHE_BODY \n it's $HOME \`ls\` \\ ${'ä'.repeat(70_000)}`, stream: true });
    const long = `{\nLATHE_BODY\n${body.slice(1)}`;
    for (const text of [body, long]) {
      // Whatever is started is bound to the limit of the system, a function of the shell is not.
      const script = `curl() { /usr/bin/env printf '%s\\n' "$@"; echo; /bin/cat; }\n${curlOf({ ...call, body: text })}\n`;
      const printed = execFileSync('/bin/sh', [], { encoding: 'utf8', input: script, env: { PATH: '/usr/bin:/bin' } });
      const [args = '', ...input] = printed.split('\n\n');
      expect(args.split('\n').slice(-3)).toEqual(['--no-buffer', '--data-binary', '@-']);
      expect(input.join('\n\n')).toBe(`${text}\n`);
    }
  });

  it('SV51: the simulator of the page is lathe sim there', () => {
    const code = curlOf({ ...call, provider: 'simulator', url: 'https://simulator.invalid/v1/messages' });
    expect(code).toContain("'http://127.0.0.1:4141/v1/messages'");
  });

  it('SV51: as SDK code it is the same request', () => {
    const code = sdkCodeOf(call);
    expect(code).toContain("import Anthropic from '@anthropic-ai/sdk';");
    expect(code).toContain('new Anthropic({ apiKey: process.env["ANTHROPIC_API_KEY"] })');
    const body = code.slice(code.indexOf('create(') + 'create('.length, code.indexOf(');\nfor await'));
    expect(JSON.parse(body)).toEqual(JSON.parse(BODY));
    const chat = sdkCodeOf({
      provider: 'compatible',
      wire: 'openai-chat',
      url: 'http://localhost:11434/v1/chat/completions',
      body: '{"model":"m"}',
    });
    expect(chat).toContain(
      'new OpenAI({ baseURL: "http://localhost:11434/v1", apiKey: process.env["COMPATIBLE_API_KEY"] })',
    );
    expect(chat).toContain('client.chat.completions.create');
    expect(chat).toContain('console.log(response);');
  });
});
