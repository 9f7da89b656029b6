import { expect, it } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { memoryBook } from '../metaskill/testing/memory-book.ts';
import { editedMetaskills, type EditedDeps } from './edited-metaskills.ts';
import { workspaceSkill } from './testing/skills.ts';
import type { WorkspaceSkill } from './workspace-view.ts';

const text = (name: string, body = 'Input keys: none') =>
  `---\nname: ${name}\ndescription: Does ${name} things. Use when ${name} is wanted.\n---\n${body}\n`;

const metaskill = (path: string, more: Partial<WorkspaceSkill> = {}): WorkspaceSkill => {
  const skill = workspaceSkill(path, { isMetaskill: true, ...more });
  const content = text(skill.name);
  const program = 'def run(input):\n    return "saved"\n';
  const files = new Map([
    ['SKILL.md', { size: content.length, text: content }],
    ['SKILL.star', { size: program.length, text: program }],
    ['steps.star', { size: 4, text: 'old\n' }],
  ]);
  return { ...skill, text: content, input: { content, fileName: 'SKILL.md', folder: skill.name, files } };
};

const edited = (
  skills: readonly WorkspaceSkill[],
  open: Readonly<Record<string, string>> = {},
  deps?: Partial<EditedDeps>,
) =>
  editedMetaskills(skills, {
    openText: (path) => open[path],
    isForeign: () => false,
    policy: 'local',
    book: memoryBook(),
    seen: () => undefined,
    ...deps,
  });

it('EM1: a program runs as it is in the editor, else as it was read', async () => {
  const skills = [metaskill('skills/loop')];
  expect(await edited(skills)[0]?.readProgram()).toEqual({ ok: true, text: 'def run(input):\n    return "saved"\n' });
  const open = { 'skills/loop/SKILL.star': 'def run(input):\n    return "typed"\n' };
  expect(await edited(skills, open)[0]?.readProgram()).toEqual({ ok: true, text: open['skills/loop/SKILL.star'] });
});

it('EM2: so does the text around it: another body, another program, or none any more', async () => {
  const skills = [metaskill('skills/loop')];
  expect(edited(skills, { 'skills/loop/SKILL.md': text('loop', 'Input keys: `topic`') })[0]?.body).toContain('topic');
  const declares = (program: string) => text('loop').replace('\n---\nInput', `\nmetaskill: ${program}\n---\nInput`);
  const [other] = edited(skills, {
    'skills/loop/SKILL.md': declares('steps.star'),
    'skills/loop/steps.star': 'def run(input):\n    return "steps"\n',
  });
  expect(other?.metaskill?.program).toBe('steps.star');
  expect(await other?.readProgram()).toEqual({ ok: true, text: 'def run(input):\n    return "steps"\n' });
  // A file that does not exist is not a program, and the skill is no longer a metaskill.
  expect(edited(skills, { 'skills/loop/SKILL.md': declares('gone.star') })).toEqual([]);
});

it('EM3: those of the project, the opened folder being one included, and no plain skill', () => {
  const skills = [
    metaskill('', { name: 'top' }),
    metaskill('skills/own', { id: 'user:skills/own', layer: 'user', isInFolder: false }),
    workspaceSkill('skills/plain'),
  ];
  expect(edited(skills).map(({ name }) => name)).toEqual(['top']);
});

it('EM4: one that came from outside is asked about by its own path, with the texts that are not saved', async () => {
  const skills = [metaskill('a/loop'), metaskill('b/loop')];
  const program = 'def run(input):\n    return "typed"\n';
  const tree = createMemoryTree({ 'b/loop/SKILL.md': text('loop'), 'b/loop/SKILL.star': program });
  const book = memoryBook();
  const [own, foreign] = edited(
    skills,
    { 'b/loop/SKILL.star': program },
    { isForeign: ({ path }) => path === 'b/loop', seen: () => tree, book },
  );
  expect([own?.refusal, own?.consent]).toEqual([undefined, undefined]);
  book.answers.push(false, true);
  expect(await foreign?.consent?.({})).toBe("error: external metaskill 'loop' is not allowed (policy: local)");
  expect(await foreign?.consent?.({})).toBeUndefined();
  expect(book.asked.map(({ files }) => files.map(({ path }) => path))).toEqual([
    ['SKILL.md', 'SKILL.star'],
    ['SKILL.md', 'SKILL.star'],
  ]);
  expect(await foreign?.readProgram()).toEqual({ ok: true, text: program });
});

it('EM4: the policy that forbids all forbids these', () => {
  expect(edited([metaskill('a/loop')], {}, { policy: 'off' })[0]?.refusal).toBe(
    "error: metaskill 'loop' is not allowed (policy: off)",
  );
});
