import { describe, expect, it } from 'vitest';
import { decodeText, splitFrontmatter, type FrontmatterFault } from './source-text.ts';

/** What was found, as strings. */
const parts = (
  text: string,
): { yaml: string | undefined; body: string; faults: readonly FrontmatterFault['kind'][] } => {
  const { yaml, bodyStart, faults } = splitFrontmatter(text);
  return {
    yaml: yaml && text.slice(yaml.start, yaml.end),
    body: text.slice(bodyStart),
    faults: faults.map(({ kind }) => kind),
  };
};

const faultText = (text: string): string | undefined => {
  const [fault] = splitFrontmatter(text).faults;
  return fault && 'start' in fault ? text.slice(fault.start, fault.end) : undefined;
};

describe('decoding', () => {
  it('READ1: keeps a byte order mark, so that it can be reported', () => {
    expect(decodeText(new Uint8Array([0xef, 0xbb, 0xbf, 0x61]))).toEqual({ text: '\uFEFFa', invalidAt: undefined });
  });

  it('READ1: reads what is not UTF-8 for display', () => {
    expect(decodeText(new Uint8Array([0x61, 0xff, 0x62]))).toEqual({ text: 'a\uFFFDb', invalidAt: 1 });
  });
});

describe('sound frontmatter', () => {
  it('READ2: lies between two lines `---`', () => {
    expect(parts('---\na: b\n---\n\n\nbody\n')).toEqual({ yaml: 'a: b\n', body: 'body\n', faults: [] });
    expect(parts('---\r\na: b\r\n---\r\n\r\nbody')).toEqual({ yaml: 'a: b\r\n', body: 'body', faults: [] });
    expect(parts('---\ra: b\r---\rbody')).toEqual({ yaml: 'a: b\r', body: 'body', faults: [] });
    expect(parts('---\na: b\n---')).toEqual({ yaml: 'a: b\n', body: '', faults: [] });
    expect(parts('---\n---\nbody')).toEqual({ yaml: '', body: 'body', faults: [] });
  });

  it('READ2: may have spaces after the dashes, which are pointed out', () => {
    const text = '---  \na: b\n---\t \nbody';
    expect(parts(text)).toEqual({ yaml: 'a: b\n', body: 'body', faults: [] });
    expect(splitFrontmatter(text).paddedDelimiters.map(({ start, end }) => text.slice(start, end))).toEqual([
      '  ',
      '\t ',
    ]);
  });

  it('READ2: ends at the first closing line; a rule in the body is text', () => {
    expect(parts('---\na: b\n---\nx\n---\ny').body).toBe('x\n---\ny');
  });

  it('READ2: is not ended by dashes inside a value', () => {
    expect(parts('---\na: x --- y\nb: |\n  --- z\n---\nbody').yaml).toBe('a: x --- y\nb: |\n  --- z\n');
  });
});

describe('faults', () => {
  it.each<[string, FrontmatterFault['kind'], string | undefined, string]>([
    ['no frontmatter\n', 'missing', undefined, 'no frontmatter\n'],
    ['\uFEFF---\na: b\n---\nx', 'not-first', 'a: b\n', 'x'],
    ['\n \n---\na: b\n---\nx', 'not-first', 'a: b\n', 'x'],
    ['Hello\n---\na: b\n---\nx', 'not-first', 'a: b\n', 'x'],
    ['----\na: b\n---\nx', 'delimiter', 'a: b\n', 'x'],
    ['---a: b\n---\nx', 'delimiter', 'a: b\n', 'x'],
    ['---\na: b\n-----\nx', 'delimiter', 'a: b\n', 'x'],
    ['---\na: b\n---x', 'delimiter', 'a: b\n', 'x'],
    ['---\na: b\n  ---\nx', 'delimiter', 'a: b\n', 'x'],
    ['---\na: b\n...\nx', 'delimiter', 'a: b\n', 'x'],
    ['——\na: b\n---\nx', 'delimiter', 'a: b\n', 'x'],
  ])('READ3: %j', (text, fault, yaml, body) => {
    expect(parts(text)).toEqual({ yaml, body, faults: [fault] });
  });

  it('READ3: an opening line alone is unclosed, and nothing is taken for YAML', () => {
    expect(parts('---\na: b\n')).toEqual({ yaml: undefined, body: '---\na: b\n', faults: ['unclosed'] });
    expect(parts('---').faults).toEqual(['unclosed']);
  });

  it('READ3: a fault points to the delimiter', () => {
    expect(faultText('----\na: b\n---\nx')).toBe('----');
    expect(faultText('---\na: b\n---x')).toBe('---');
    expect(faultText('---\na: b\n  ---\nx')).toBe('  ---');
    expect(faultText('---\na: b\n')).toBe('---');
  });

  it('READ3: a rule between paragraphs does not open frontmatter', () => {
    expect(parts('Hello\n\n---\n\nNote: this is text.\n\n---\n').faults).toEqual(['missing']);
    expect(parts(`${'line\n'.repeat(50)}---\na: b\n---\n`).faults).toEqual(['missing']);
  });

  it('READ3: both delimiters may be wrong', () => {
    expect(parts('----\na: b\n----\nx')).toEqual({ yaml: 'a: b\n', body: 'x', faults: ['delimiter', 'delimiter'] });
  });
});
