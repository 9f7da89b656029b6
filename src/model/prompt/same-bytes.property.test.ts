/** What a cache needs: the same folder gives the same bytes, today and tomorrow, on this turn and the next (PR8). */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { silentLog } from '../../base/log.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import type { TreeEntry } from '../files/file-tree.ts';
import { openWorkspace } from '../workspace/open-workspace.ts';
import { DIALECTS, METASKILL_POLICIES } from '../library/types.ts';
import { toWire } from '../provider/to-wire.ts';
import { toolSpecs } from '../tool/definitions.ts';
import { assembleStable, type StableInput, type StablePrompt } from './assemble.ts';
import { DEFAULT_PERSONA } from './persona.ts';
import { placeSegments } from './layout.ts';
import { skillFile } from './testing/prompts.ts';
import { PADDING_POLICIES } from './types.ts';
import { findMemory, volatileSegments } from './volatile.ts';

const clean = (made: string): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(made));
const line = fc
  .string({ unit: 'grapheme', maxLength: 40 })
  .map((made) => clean(made).replace(/[\u0000-\u001F\u007F-\u009F]/g, ' '));
const name = fc.stringMatching(/^[a-z0-9]{1,3}(-[a-z0-9]{1,4}){0,2}$/);
const root = fc.constantFrom('skills', '.agents/skills', '.claude/skills', '.metis/skills', 'x/y');

const skill = fc.record({
  root,
  name,
  description: line.map((made) => `Does ${made}. Use when needed.`),
  /** From nothing to more than fits. */
  body: fc
    .tuple(fc.array(line, { maxLength: 6 }), fc.constantFrom(1, 1, 3, 40, 400))
    .map(([lines, times]) => lines.join('\n').repeat(times)),
  program: fc.boolean(),
});

const folder = fc
  .record({
    skills: fc.array(skill, { maxLength: 8 }),
    agents: fc.option(line),
    memory: fc.option(line),
    user: fc.option(line),
  })
  .map(({ skills, agents, memory, user }) => {
    const files = new Map<string, string>();
    for (const item of skills) {
      files.set(`${item.root}/${item.name}/SKILL.md`, skillFile(item.name, item.body, item.description));
      if (item.program) files.set(`${item.root}/${item.name}/SKILL.star`, 'def run(input):\n    return 1\n');
    }
    if (agents !== null) files.set('AGENTS.md', agents);
    if (memory !== null) files.set('MEMORY.md', memory);
    if (user !== null) files.set('.agents/USER.md', user);
    return files;
  });

const options = fc.record({
  dialect: fc.constantFrom(...DIALECTS),
  policy: fc.constantFrom(...METASKILL_POLICIES),
  padding: fc.constantFrom(...PADDING_POLICIES),
  model: fc.constantFrom('claude-haiku-4-5', 'claude-opus-5', 'gpt-6-sol', 'unknown'),
});
type Options = Pick<StableInput, 'dialect' | 'policy' | 'padding' | 'model'>;

/** A session of its own: reads the folder, which lists its entries in the order of `shuffle`. */
const open = async (
  files: ReadonlyMap<string, string>,
  wanted: Options,
  shuffle: (entries: readonly TreeEntry[]) => readonly TreeEntry[],
) => {
  const memoryTree = createMemoryTree(files, 'project');
  const tree = {
    ...memoryTree,
    list: async (path: string) => {
      const entries = await memoryTree.list(path);
      return entries && shuffle(entries);
    },
  };
  const { library, instructions } = await openWorkspace(
    { project: { tree } },
    { profile: 'standard', dialect: wanted.dialect, log: silentLog },
  );
  const tools = toolSpecs({ dialect: wanted.dialect, store: library.store, policy: wanted.policy });
  const input = { ...wanted, persona: DEFAULT_PERSONA, instructions: instructions.text, store: library.store, tools };
  return { tree, tools, prompt: assembleStable(input), again: () => assembleStable(input) };
};

const bytesOf = (prompt: StablePrompt): string => JSON.stringify(prompt);

it('PR8, PR15: two sessions over one folder have the same stable bytes, and every turn too', async () => {
  await fc.assert(
    fc.asyncProperty(folder, options, fc.integer(), async (files, wanted, seed) => {
      const first = await open(files, wanted, (entries) => entries);
      const backwards = new Map([...files].toReversed());
      const second = await open(backwards, wanted, (entries) => {
        const turned = entries.toReversed();
        const cut = turned.length === 0 ? 0 : Math.abs(seed) % turned.length;
        return [...turned.slice(cut), ...turned.slice(0, cut)];
      });
      expect(bytesOf(second.prompt)).toBe(bytesOf(first.prompt));
      for (let turn = 0; turn < 3; turn++) expect(bytesOf(first.again())).toBe(bytesOf(first.prompt));

      const { prompt } = first;
      const { min, max } = prompt.target;
      expect(prompt.segments.map(({ text }) => text).join('')).toBe(prompt.text);
      expect(prompt.padded).toBe(min !== undefined && prompt.natural < min);
      if (prompt.padded) {
        expect(prompt.estimate).toBeGreaterThanOrEqual(min ?? 0);
        expect(prompt.estimate).toBeLessThanOrEqual(max ?? 0);
      }
      expect(prompt.text.match(/^- [a-z0-9-]+ \[preloaded\]: /gm)?.map((found) => found.slice(2, -14)) ?? []).toEqual(
        prompt.preloaded,
      );
    }),
    { numRuns: 150 },
  );
});

it('PR8: memory that changes between turns moves no byte of the prefix in the body', async () => {
  const files = new Map([
    ['skills/a/SKILL.md', skillFile('a', 'A body.')],
    ['MEMORY.md', 'One.'],
  ]);
  const { tree, tools, prompt } = await open(
    files,
    { dialect: 'metis', policy: 'local', padding: 'spec', model: 'claude-haiku-4-5' },
    (entries) => entries,
  );
  const environment = { date: '2026-11-16', workspace: 'project', platform: 'test' };
  const bodyNow = async (): Promise<{ body: string; prefixEnd: number; volatileStart: number }> => {
    const { user, memory } = await findMemory(tree, silentLog);
    const volatile = volatileSegments({ environment, user: user.text, memory: memory.text });
    const request = toWire(
      {
        model: 'claude-haiku-4-5',
        tools,
        system: { stable: prompt.text, volatile: volatile.map(({ text }) => text).join('') },
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
        maxOutputTokens: 100,
        stream: true,
        cache: { mode: 'static', ttl: { tools: '5m', system: '5m', messages: '5m' } },
        cacheKey: prompt.hash,
      },
      'anthropic-messages',
    );
    const body = JSON.stringify(request.body);
    const placed = placeSegments(body, request, [...prompt.toolSegments, ...prompt.segments, ...volatile]);
    const ends = placed.filter(({ stability }) => stability === 'stable').map(({ byteEnd }) => byteEnd);
    const starts = placed.filter(({ stability }) => stability === 'volatile').map(({ byteStart }) => byteStart);
    return { body, prefixEnd: Math.max(...ends), volatileStart: Math.min(...starts) };
  };
  const before = await bodyNow();
  await tree.write('MEMORY.md', new TextEncoder().encode('One.\nTwo.'));
  const after = await bodyNow();
  expect(after.body).not.toBe(before.body);
  expect(after.prefixEnd).toBe(before.prefixEnd);
  expect(after.prefixEnd).toBeLessThan(after.volatileStart);
  const prefix = (body: string): Uint8Array => new TextEncoder().encode(body).slice(0, before.prefixEnd);
  expect(prefix(after.body)).toEqual(prefix(before.body));
});
