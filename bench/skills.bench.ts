/** Parse and validate 5,000 skills with all rules, against parsing their YAML alone and against skills-ref from npm. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validate } from 'skills-ref';
import { parse } from 'yaml';
import { readSkill } from '../src/model/skill/skill.ts';
import { splitFrontmatter } from '../src/model/skill/source-text.ts';
import { generateSkills } from './generate.ts';
import { bestOf, bestOfAsync, report } from './measure.ts';

const skills = generateSkills(5000, 1);
const frontmatter = skills.map(({ text }) => {
  const { yaml } = splitFrontmatter(text);
  return yaml ? text.slice(yaml.start, yaml.end) : '';
});
const inputs = skills.map(({ name, text }) => ({
  content: text,
  fileName: 'SKILL.md',
  folder: name,
  files: new Map([['SKILL.md', { size: text.length }]]),
  knownSkills: new Set<string>(),
}));

const yamlTime = bestOf(7, () => frontmatter.forEach((text) => void parse(text)));
const ours = bestOf(7, () => inputs.forEach((input) => void readSkill(input, 'standard')));
report('all rules, against parsing the YAML alone', ours / yamlTime, { atMost: 2 });

const small = inputs.slice(0, 1250);
const few = bestOf(7, () => small.forEach((input) => void readSkill(input, 'standard')));
// Linear is 4; the smaller set also fits the caches better.
report('time for four times as many skills (4 is linear)', ours / few, { atMost: 6 });

const root = mkdtempSync(join(tmpdir(), 'lathe-bench-'));
try {
  for (const { name, text } of skills) {
    mkdirSync(join(root, name));
    writeFileSync(join(root, name, 'SKILL.md'), text);
  }
  const peer = await bestOfAsync(3, async () => {
    for (const { name } of skills) await validate(join(root, name));
  });
  const oursFromDisk = bestOf(3, () => {
    for (const { name } of skills) {
      const content = readFileSync(join(root, name, 'SKILL.md'));
      readSkill({ content, fileName: 'SKILL.md', folder: name }, 'strict');
    }
  });
  report('speed on the same files, against skills-ref (npm)', peer / oursFromDisk, { atLeast: 2 });
} finally {
  rmSync(root, { recursive: true, force: true });
}

/** What stays in memory per skill that is kept, texts included. */
const heapFor = (count: number): number => {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const kept = generateSkills(count, 2).map(
    ({ name, text }) => readSkill({ content: text, fileName: 'SKILL.md', folder: name }, 'standard').skill,
  );
  globalThis.gc?.();
  const used = process.memoryUsage().heapUsed - before;
  return kept.length === count ? used : 0;
};
heapFor(500);
const [smallHeap, largeHeap] = [heapFor(1250), heapFor(5000)];
report('memory for four times as many skills (4 is linear)', largeHeap / smallHeap, { atMost: 5 });
