import { describe, expect, it } from 'vitest';
import { renamedText } from './renamed-text.ts';

const skill = (line: string, end = '\n'): string =>
  ['---', line, 'description: d', '---', '', 'name: tools', ''].join(end);

describe('the name in a renamed folder', () => {
  it('RN1: follows where it was the folder’s, with its quotes, its comment and its line ends', () => {
    expect(renamedText(skill('name: tools'), 'tools', 'kit')).toBe(skill('name: kit'));
    expect(renamedText(skill('name: "tools"'), 'tools', 'kit')).toBe(skill('name: "kit"'));
    expect(renamedText(skill("name: 'tools'  # ours"), 'tools', 'kit')).toBe(skill("name: 'kit'  # ours"));
    expect(renamedText(skill('name: tools', '\r\n'), 'tools', 'kit')).toBe(skill('name: kit', '\r\n'));
    expect(renamedText(`\uFEFF${skill('name: tools')}`, 'tools', 'kit')).toBe(`\uFEFF${skill('name: kit')}`);
  });

  it('RN1: stays where it was another, and outside the frontmatter', () => {
    for (const text of [skill('name: other'), skill('title: tools'), 'name: tools\n', '---\nname: tools\n', '']) {
      expect(renamedText(text, 'tools', 'kit')).toBe(text);
    }
  });
});
