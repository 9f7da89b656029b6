import { describe, expect, it } from 'vitest';
import { parseArguments } from './arguments.ts';

const OPTIONS = {
  'max-ask-calls': { type: 'string' },
  profile: { type: 'string' },
  json: { type: 'boolean' },
} as const;
const faultOf = (...args: string[]): string => {
  const parsed = parseArguments(args, OPTIONS);
  return parsed.ok ? '' : parsed.error;
};

describe('the words of a call', () => {
  it('a negative number is a value', () => {
    expect(parseArguments(['dir', '--max-ask-calls', '-1', '--json'], OPTIONS)).toMatchObject({
      ok: true,
      value: { values: { 'max-ask-calls': '-1', json: true }, positionals: ['dir'] },
    });
  });

  it('behind an option without a value it is none', () => {
    expect(faultOf('--json', '-1')).toMatch(/^unknown option: -1/);
  });

  it('an unknown option names the one that was meant, or all', () => {
    expect(faultOf('--profil', 'x')).toBe('unknown option: --profil. Did you mean --profile?');
    expect(faultOf('--zzzzzz')).toBe('unknown option: --zzzzzz; expected --max-ask-calls, --profile, --json');
  });

  it('a value too few or too many is said in words', () => {
    expect(faultOf('--profile')).toBe('missing value: --profile. If the value starts with a dash, write --profile=-…');
    expect(faultOf('--profile', '--json')).toMatch(/^missing value: --profile/);
    expect(faultOf('--json=x')).toBe("--json doesn't take a value");
  });
});
