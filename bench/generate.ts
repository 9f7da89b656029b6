/** Skills shaped like the statistics of 4,999 real ones: sizes, styles of descriptions, other fields. */

/** A small generator with a seed (mulberry32), so that every run measures the same files. */
const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
};

const WORDS =
  'deploy service review branch token request client schema migrate table index cache build release test report parse file folder model prompt agent skill tool header value number list query page cursor record field user system network retry limit error message result'.split(
    ' ',
  );

/** Body lengths in characters at the 10th, 50th, 90th and 99th percentile, and at both ends. */
const LENGTHS: readonly (readonly [number, number])[] = [
  [0, 200],
  [0.1, 1377],
  [0.5, 3938],
  [0.9, 13506],
  [0.99, 29411],
  [1, 60000],
];

const lengthAt = (share: number): number => {
  for (let index = 1; index < LENGTHS.length; index++) {
    const [from, low] = LENGTHS[index - 1] ?? [0, 0];
    const [to, high] = LENGTHS[index] ?? [1, 0];
    if (share <= to) return low * (high / low) ** ((share - from) / (to - from));
  }
  return 0;
};

export interface GeneratedSkill {
  readonly name: string;
  readonly text: string;
}

export const generateSkills = (count: number, seed: number): GeneratedSkill[] => {
  const random = seeded(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const words = (many: number): string => Array.from({ length: many }, () => pick(WORDS)).join(' ');
  const sentence = (): string => {
    const text = words(6 + Math.floor(random() * 12));
    return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}.`;
  };

  const description = (): string => {
    const text =
      `${sentence()} Use when ${words(8)}${random() < 0.5 ? `, ${words(3)}, or ${words(4)}` : ''}. ${random() < 0.4 ? sentence() : ''}`.trim();
    const style = random();
    if (style < 0.54) return text;
    if (style < 0.83) return `"${text}"`;
    if (style < 0.9) return `'${text}'`;
    const header = style < 0.96 ? '>' : '|';
    return `${header}\n  ${text.replace(/(.{60}\S*) /g, '$1\n  ')}`;
  };

  const extras = (): string => {
    let out = '';
    if (random() < 0.26) {
      out +=
        random() < 0.4
          ? `metadata: {author: ${pick(WORDS)}, version: "1.${Math.floor(random() * 9)}"}\n`
          : `metadata:\n  author: ${pick(WORDS)}\n  version: "1.0"\n`;
    }
    if (random() < 0.08) out += 'license: Apache-2.0\n';
    if (random() < 0.036) out += `allowed-tools: ${pick(['Read Write Bash', 'Read, Write', '\n  - Read\n  - Bash'])}\n`;
    if (random() < 0.19) out += `requires: {mcp: [${pick(WORDS)}]}\n`;
    if (random() < 0.06) out += 'version: 1.0.0\n';
    return out;
  };

  const body = (): string => {
    const wanted = lengthAt(random());
    let out = `# ${sentence()}\n\n`;
    while (out.length < wanted) {
      const kind = random();
      if (kind < 0.2) out += `## ${words(3)}\n\n`;
      else if (kind < 0.3) out += `\`\`\`bash\nlathe check ${pick(WORDS)} --json\n${words(8)}\n\`\`\`\n\n`;
      else if (kind < 0.6) out += `- **${words(2)}**: ${sentence()}\n- \`${pick(WORDS)}\`: ${sentence()}\n\n`;
      else if (kind < 0.62) out += `See [${words(2)}](https://example.com/${pick(WORDS)}) → ${sentence()}\n\n`;
      else if (kind < 0.68) out += '---\n\n';
      else out += `${sentence()} ${sentence()}\n\n`;
    }
    return out.slice(0, Math.max(100, Math.floor(wanted)));
  };

  return Array.from({ length: count }, (_, index) => {
    const name = `${pick(WORDS)}-${pick(WORDS)}-${index}`;
    return { name, text: `---\nname: ${name}\ndescription: ${description()}\n${extras()}---\n\n${body()}\n` };
  });
};
