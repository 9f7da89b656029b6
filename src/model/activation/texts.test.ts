import { describe, expect, it } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import type { SkillStore } from '../library/store.ts';
import { load, skillText } from '../library/testing/libraries.ts';
import { isExecutable, type LibrarySkill } from '../library/types.ts';
import { findMentions } from './mentions.ts';
import {
  loadedPointer,
  loadMetadata,
  NO_SKILLS_TEXT,
  preloadedPointer,
  RUN_METASKILL_LINE,
  searchMetadata,
  searchText,
  skillLoadText,
  unknownSkillText,
} from './texts.ts';

const skill = (name: string, body: string, description = `Does ${name}. Use when needed.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}`;

const store = async (): Promise<SkillStore> =>
  (
    await load({
      project: {
        tree: createMemoryTree({
          'pdf/SKILL.md': skill('pdf', '  # PDF\n\nRead it.\n\n', '|\n  Reads PDF.\n  Use when handling PDFs.'),
          'loop/SKILL.md': skillText('loop'),
          'loop/SKILL.star': 'def run(input):\n    return "x"\n',
        }),
      },
      user: createMemoryTree({
        'pdf-redact/SKILL.md': skill('pdf-redact', 'x'.repeat(30_000), 'Redacts. Use when hiding.'),
      }),
    })
  ).store;

const get = async (name: string): Promise<LibrarySkill> => {
  const item = (await store()).get(name);
  if (!item) throw new Error(`there is no ${name}`);
  return item;
};

describe('what a load answers', () => {
  it('AC20: metis gives the header and the body as it is', async () => {
    expect(skillLoadText(await get('pdf'), 'metis', false)).toBe(
      '# Skill: pdf (source: workspace)\n\n  # PDF\n\nRead it.\n\n',
    );
    expect(skillLoadText(await get('pdf-redact'), 'metis', false)).toMatch(
      /^# Skill: pdf-redact \(source: global\)\n\nx/,
    );
  });

  it('AC21: a preloaded skill is a pointer into the system prompt', async () => {
    expect(preloadedPointer(await get('pdf'))).toBe(
      '# Skill: pdf (source: workspace)\n\nThis skill\'s body is already loaded in the system prompt (pre-activated at session start). Re-read the system prompt section "# Skill: pdf" for its operating instructions.',
    );
  });

  it('AC22: a loaded skill is a pointer into the conversation', async () => {
    expect(loadedPointer(await get('pdf-redact'))).toBe(
      '# Skill: pdf-redact (source: global)\n\nThis skill is already loaded in the conversation history (activated earlier this session). Re-read the earlier `tool_result` for `skill_load("pdf-redact")` for its operating instructions.',
    );
  });

  it('AC32: a body that came in a message is found in that message, not in a tool_result', async () => {
    const pointer = loadedPointer(await get('pdf'), true);
    expect(pointer).not.toContain('tool_result');
    expect(pointer).toContain('the earlier user message, from "# Skill: pdf (source: workspace)" on,');
  });

  it('AC23: agents marks the content', async () => {
    expect(skillLoadText(await get('pdf'), 'agents', false)).toBe(
      '<skill_content name="pdf">\n# PDF\n\nRead it.\n</skill_content>',
    );
  });

  it('AC24, A04: one line after the body of a metaskill that may run, and nothing behind one that may not', async () => {
    const loop = await get('loop');
    expect(RUN_METASKILL_LINE).toContain('run_metaskill');
    expect(RUN_METASKILL_LINE).not.toContain('\n');
    const body = '# loop\n\nInput keys: none';
    expect(skillLoadText(loop, 'metis', isExecutable(loop.skill.metaskill, loop.layer, 'local'))).toBe(
      `# Skill: loop (source: workspace)\n\n${body}\n\n${RUN_METASKILL_LINE}`,
    );
    expect(skillLoadText(loop, 'agents', true)).toBe(
      `<skill_content name="loop">\n${body}\n</skill_content>\n\n${RUN_METASKILL_LINE}`,
    );
    for (const dialect of ['metis', 'agents'] as const)
      expect(skillLoadText(loop, dialect, isExecutable(loop.skill.metaskill, loop.layer, 'off'))).not.toContain(
        'run_metaskill',
      );
  });

  it('AC25, A05: an unknown name, in the words of each dialect', () => {
    expect(unknownSkillText('x', 'metis')).toBe("no skill registered with name 'x'");
    expect(unknownSkillText('x', 'agents')).toBe("error: unknown skill: 'x'");
    expect(unknownSkillText("o'x", 'metis')).toBe('no skill registered with name "o\'x"');
  });

  it('AC26: no store', () => {
    expect(NO_SKILLS_TEXT).toBe('skills are not configured for this session');
  });

  it('AC29: metadata of a load', async () => {
    const item = await get('pdf');
    const facts = {
      skill_id: 'pdf',
      skill_version: item.skill.version,
      source: 'workspace',
      load_size_tokens: item.skill.estimatedBodyTokens,
    };
    expect(loadMetadata(item)).toEqual(facts);
    expect(loadMetadata(item, 'already_preloaded')).toEqual({ ...facts, already_preloaded: true });
    expect(loadMetadata(item, 'already_loaded')).toEqual({ ...facts, already_loaded: true });
  });

  it('AC30, A06: a body of any length is whole', async () => {
    const item = await get('pdf-redact');
    for (const dialect of ['metis', 'agents'] as const)
      expect(skillLoadText(item, dialect, false)).toContain('x'.repeat(30_000));
  });

  it('AC31, A03: reading a metaskill returns its instructions', async () => {
    expect(skillLoadText(await get('loop'), 'metis', true)).toContain('Input keys: none');
  });
});

describe('what a search answers', () => {
  it('AC27: a line for each match, with the query as it was given', async () => {
    const results = (await store()).search(' PDF ');
    expect(searchText(' PDF ', results)).toBe(
      "Skills matching ' PDF ' (2):\n- pdf [workspace] — Reads PDF. Use when handling PDFs.\n- pdf-redact [global] — Redacts. Use when hiding.",
    );
  });

  it('AC28: no match', () => {
    expect(searchText('x', [])).toBe("No skills matched 'x'.");
    expect(searchText('it\'s "x"', [])).toBe("No skills matched 'it\\'s \"x\"'.");
  });

  it('AC29: metadata of a search', async () => {
    expect(searchMetadata('pdf', (await store()).search('pdf'))).toEqual({
      query: 'pdf',
      result_count: 2,
      result_names: ['pdf', 'pdf-redact'],
    });
    expect(searchMetadata('', [])).toEqual({ query: '', result_count: 0, result_names: [] });
  });
});

describe('mentions', () => {
  it.each([
    ['please $pdf now', ['pdf']],
    ['$pdf', ['pdf']],
    ['($pdf), “$loop”.', ['pdf', 'loop']],
    ['$pdf-redact', ['pdf-redact']],
    ['$pdf- and $pdf--', ['pdf']],
    ['a $ pdf, $PDF, $pdfs, $pdf_x, $pdf-x, $pdfé, $$pdf, x$pdf, é$pdf, $', []],
    ['$pdf-Reader', []],
    ['', []],
  ])('AC40, A08: %j names %j', async (text, names) => {
    expect(findMentions(text, await store())).toEqual(names);
  });

  it('AC41: each once, in the order of the text, and only skills of the session', async () => {
    expect(findMentions('$loop $other $pdf $loop $toString $pdf', await store())).toEqual(['loop', 'pdf']);
  });

  it('AC42: code is not special', async () => {
    expect(findMentions('`$pdf`\n```\n$loop\n```', await store())).toEqual(['pdf', 'loop']);
  });
});
