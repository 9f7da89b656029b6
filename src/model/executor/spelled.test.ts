import { describe, expect, it } from 'vitest';
import { maskValues } from './secrets.ts';

const VALUE = 'sk-Xq7vKp2mR9tLw4Zb';
const bytes = Buffer.from(VALUE);
const codes = (write: (byte: number) => string, between = ''): string => Array.from(bytes, write).join(between);
const letters = (write: (code: number) => string): string =>
  Array.from(VALUE, (letter) => write(letter.charCodeAt(0))).join('');

describe('values in another spelling', () => {
  it.each([
    ['large letters', VALUE.toUpperCase()],
    ['small letters', VALUE.toLowerCase()],
    ['groups', 'sk-X q7vK p2mR 9tLw 4Zb'],
    ['a letter in each line', Array.from(VALUE).join('\n')],
    ['letters of full width', letters((code) => String.fromCharCode(code + 0xfee0))],
    ['tag characters', letters((code) => String.fromCodePoint(code + 0xe0000))],
    ['nothing visible in between', Array.from(VALUE).join('\u200B')],
    ['percent signs', codes((byte) => `%${byte.toString(16)}`)],
    ['escapes of JavaScript', codes((byte) => String.raw`\u00${byte.toString(16)}`)],
    ['escapes of Python', codes((byte) => String.raw`\x${byte.toString(16)}`)],
    ['entities', codes((byte) => `&#${byte};`)],
    ['hexadecimal entities', codes((byte) => `&#x${byte.toString(16)};`)],
    ['a list of numbers', JSON.stringify([...bytes])],
    ['octal numbers', codes((byte) => byte.toString(8), ' ')],
    ['binary numbers', codes((byte) => byte.toString(2).padStart(8, '0'), ' ')],
    ['hex in pairs', codes((byte) => byte.toString(16), ':')],
    ['hex with its prefix', codes((byte) => `0x${byte.toString(16)}`, ', ')],
    ['hex from behind', Array.from(bytes.toString('hex')).toReversed().join('')],
    ['base64 in lines', 'c2stWHE3\ndktwMm1S\nOXRMdzRa\nYg=='],
    ['base64 from behind', '==gYaRzdMRXOS1mMwtkd3EHWts2c'],
    ['base64 twice', Buffer.from(bytes.toString('base64')).toString('base64')],
    ['base32', 'ONVS2WDRG53EW4BSNVJDS5CMO42FUYQ'],
    ['rot13', 'fx-Kd7iXc2zE9gYj4Mo'],
  ])('CR4: %s are masked', (_, form) => {
    const masked = maskValues(JSON.stringify({ before: 'harbor 42', got: form, after: 'boats' }), [VALUE]);
    expect(masked).toContain('•••');
    expect(masked).toContain('harbor 42');
    expect(masked).toContain('boats');
    expect(masked).not.toMatch(/[Q4q]7|58.{1,4}71|113/);
  });

  it('CR4: other strings stay as they are', () => {
    const text = JSON.stringify({
      id: 'msg_18c401f429',
      text: 'Ask Ada, Q. 7, about the boats: 50 % off \\u00e9 &#38; more',
    });
    expect(maskValues(text, [VALUE, 'harbor-token-4711', 'ab12'])).toBe(text);
  });
});
