import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Message, ToolSpec } from '../../provider/types.ts';
import type { SimConversation, SimReply } from '../types.ts';
import { builtinBehaviour } from './decide.ts';
import { draftReply } from './draft.ts';
import { metaskillInput } from './metaskill-input.ts';
import { readSkillIndex } from './skill-index.ts';

const METIS = [
  'A persona.',
  '',
  '## Available skills',
  'Use `skill_search(query)` to filter and `skill_load(name)` to read a body.',
  '',
  '- commit-message [preloaded]: Write a commit message: short. Use when committing.',
  '- must-have-heading: Draft a text until one exact heading is in it. Use when a draft must contain a section. (metaskill: starlark)',
  '- pdf: Fill in forms. Use when a PDF form has to be filled.',
  '',
  '# Skill: commit-message',
  '',
  '1. Read the staged diff first.',
  '',
  '## Operating context',
  '',
  'Work with care.',
].join('\n');

const AGENTS = METIS.replace(
  '## Available skills\nUse `skill_search(query)` to filter and `skill_load(name)` to read a body.',
  'You have access to the following skills. Load any when relevant.',
);

const tool = (name: string): ToolSpec => ({ name, description: '', inputSchema: { type: 'object' } });
const TOOLS = ['read_file', 'skill_search', 'skill_load', 'memory_add', 'run_metaskill'].map(tool);

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });

const decide = (messages: readonly Message[], extra: Partial<SimConversation> = {}): SimReply =>
  builtinBehaviour({
    wire: 'anthropic-messages',
    model: 'claude-haiku-4-5',
    system: METIS,
    tools: TOOLS,
    messages,
    toolChoice: 'auto',
    thinking: false,
    ...extra,
  });

const after = (
  prompt: string,
  name: string,
  input: { readonly [key: string]: string },
  text: string,
  isError = false,
): Message[] => [
  user(prompt),
  { role: 'assistant', content: [{ type: 'tool_use', id: 't', name, input }] },
  { role: 'user', content: [{ type: 'tool_result', toolUseId: 't', text, isError }] },
];

describe('the index in a prompt', () => {
  it.each([
    ['metis', METIS],
    ['agents', AGENTS],
  ])('SI23: is read in dialect %s, with its marks', (_dialect, system) => {
    expect(readSkillIndex(system)).toEqual([
      {
        name: 'commit-message',
        description: 'Write a commit message: short. Use when committing.',
        preloaded: true,
        executable: false,
      },
      {
        name: 'must-have-heading',
        description: 'Draft a text until one exact heading is in it. Use when a draft must contain a section.',
        preloaded: false,
        executable: true,
      },
      {
        name: 'pdf',
        description: 'Fill in forms. Use when a PDF form has to be filled.',
        preloaded: false,
        executable: false,
      },
    ]);
  });

  it.each([
    [
      'Claude Code',
      'The following skills are available for use with the Skill tool:\n\n- csv: Reads &lt;csv&gt;: all of it\n- tools:pdf\n- a (b): x',
      [
        ['csv', 'Reads <csv>: all of it'],
        ['tools:pdf', ''],
        ['a', 'x'],
      ],
    ],
    [
      'Codex',
      '### Skill roots\n- `r0` = `./.codex/skills`\n### Available skills\n- csv: Reads (all) (file: r0/csv/SKILL.md)\n- csv: Other (file: r1/csv/SKILL.md)\n- pdf: (file: r0/pdf/SKILL.md)\n\n- x: y',
      [
        ['csv', 'Reads (all)'],
        ['pdf', ''],
      ],
    ],
    [
      'GitHub Copilot',
      '<available_skills>\n<skill>\n  <name>csv</name>\n  <description>A &amp;lt; B</description>\n  <location>project</location>\n</skill>\nAdditional skills available (invoke by name): pdf, ocr\n</available_skills>',
      [
        ['csv', 'A &lt; B'],
        ['pdf', ''],
        ['ocr', ''],
      ],
    ],
  ])('SI62: is read in the listing of %s', (_agent, text, expected) => {
    const skills = readSkillIndex(`You are helpful.\n\n${text}\n\nMore.`);
    expect(skills.map(({ name, description }) => [name, description])).toEqual(expected);
  });

  it('SI23: is empty where none exists', () => {
    expect(readSkillIndex('You are helpful.\n\n- a: b')).toEqual([]);
  });
});

describe('the first step', () => {
  it('SI24: a preloaded skill is used without loading it', () => {
    const reply = decide([user('Write the commit message for my commit')]);
    expect(reply.toolCalls).toEqual([]);
    expect(reply.text).toMatch(/commit-message[^]*Read the staged diff first/);
  });

  it('SI34: without tools and without an index it says that it knows nothing, or writes the text that is asked for', () => {
    const bare = { system: '', tools: [] };
    expect(decide([user('What is the capital of France?')], bare).text).toContain(
      'knows nothing but this conversation',
    );
    expect(decide([user('Write release notes for version 2.1.')], bare).text).toContain('## What is new');
  });

  describe('SI3: tools that are none of its own', () => {
    const EXECUTORS: readonly ToolSpec[] = [
      {
        name: 'read_events',
        description: 'Read events of the calendar. From the skill harbour-desk.',
        inputSchema: { type: 'object', properties: { day: { type: 'string', format: 'date' } }, required: [] },
      },
      {
        name: 'delete_events',
        description: 'Delete events. One of these is needed: event_id, event_ids.',
        inputSchema: {
          type: 'object',
          properties: { event_id: { type: 'string' }, event_ids: { type: 'array', items: { type: 'string' } } },
          required: [],
        },
      },
    ];
    const withExecutors = { tools: [...TOOLS, ...EXECUTORS] };

    it('are called before a skill if they fit better, with what the message says', () => {
      expect(decide([user('Please read the events of the calendar')], withExecutors).toolCalls).toEqual([
        { name: 'read_events', input: {} },
      ]);
      expect(decide([user('Please delete the event b1')], withExecutors).toolCalls).toEqual([
        { name: 'delete_events', input: { event_id: 'b1' } },
      ]);
    });

    it('leave alone what a skill fits, and what nothing fits', () => {
      expect(decide([user('Fill in this PDF form')], withExecutors).toolCalls).toEqual([
        { name: 'skill_load', input: { name: 'pdf' } },
      ]);
      expect(decide([user('Write a poem about the sea')], withExecutors).toolCalls).toEqual([]);
    });

    it('are asked once; what they say is the answer', () => {
      const reply = decide(after('Please read the events', 'read_events', {}, '{"entries":["Skua"]}'), withExecutors);
      expect(reply.toolCalls).toEqual([]);
      expect(reply.text).toContain('Skua');
    });
  });

  it('SI24: a skill that fits is loaded', () => {
    expect(decide([user('Fill this PDF form')]).toolCalls).toEqual([{ name: 'skill_load', input: { name: 'pdf' } }]);
    const tools = ['skill', 'run_metaskill'].map(tool);
    expect(decide([user('Fill this PDF form')], { system: AGENTS, tools }).toolCalls).toEqual([
      { name: 'skill', input: { name: 'pdf' } },
    ]);
  });

  it('SI24: a body that came with the message counts as loaded, and is not the message', () => {
    const message: Message = {
      role: 'user',
      content: [
        { type: 'text', text: 'Fill this PDF form with $pdf' },
        { type: 'text', text: '# Skill: pdf (source: workspace)\n\n## Steps\n\n- Open the form.' },
      ],
    };
    const reply = decide([message]);
    expect(reply.toolCalls).toEqual([]);
    expect(reply.text).toMatch(/on: Fill this PDF form[^]*Open the form/);
  });
});

describe('what tools answer', () => {
  it('SI35: an unknown name makes it search, and then explain', () => {
    const messages = after(
      'Fill this PDF form',
      'skill_load',
      { name: 'pdf' },
      "no skill registered with name 'pdf'",
      true,
    );
    expect(decide(messages).toolCalls).toEqual([{ name: 'skill_search', input: { query: 'pdf' } }]);
    const tools = TOOLS.filter(({ name }) => name !== 'skill_search');
    expect(decide(messages, { tools }).text).toContain("no skill registered with name 'pdf'");
  });

  it('SI30: a mention loads a metaskill, and a message that says so runs it', () => {
    const body = '# Skill: must-have-heading (source: workspace)\n\nInput keys:\n\n- `task`: What to write.';
    const callsFor = (prompt: string) =>
      decide(after(prompt, 'skill_load', { name: 'must-have-heading' }, body)).toolCalls.map(({ name }) => name);
    expect(callsFor('$must-have-heading what does this do?')).toEqual([]);
    expect(callsFor('Run $must-have-heading on this note')).toEqual(['run_metaskill']);
  });

  it('SI35: a run that wants another input is tried once more', () => {
    const prompt = 'Draft notes that must contain a section';
    const body =
      '# Skill: must-have-heading (source: workspace)\n\nInput keys:\n\n- `task`: What to write.\n- `heading`: The heading.';
    const loaded = after(prompt, 'skill_load', { name: 'must-have-heading' }, body);
    expect(decide(loaded).toolCalls).toEqual([
      { name: 'run_metaskill', input: { name: 'must-have-heading', input: { task: prompt, heading: '## Summary' } } },
    ]);
    const run = { name: 'must-have-heading', input: { task: prompt } };
    const failed: Message[] = [
      ...loaded,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'u', name: 'run_metaskill', input: run }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            toolUseId: 'u',
            text: 'error: input key `heading` must be a non-empty string',
            isError: true,
          },
        ],
      },
    ];
    expect(decide(failed).toolCalls).toMatchObject([
      { name: 'run_metaskill', input: { input: { task: prompt, heading: prompt } } },
    ]);
  });

  it('SI35: a refusal of the memory is reported', () => {
    const messages = after('Remember that it rains', 'memory_add', { text: 'It rains' }, 'MEMORY.md is full', true);
    expect(decide(messages).text).toContain('MEMORY.md is full');
  });

  it('SI36: never goes in circles, and never says nothing', () => {
    const messages: Message[] = [user('Read a.md and b.md')];
    for (let count = 0; count < 12; count++) {
      const { toolCalls, text } = decide(messages);
      expect(text + toolCalls.map(({ name }) => name).join()).not.toBe('');
      if (toolCalls.length === 0) break;
      messages.push(
        {
          role: 'assistant',
          content: toolCalls.map(({ name, input }, index) => ({
            type: 'tool_use',
            id: `${count}-${index}`,
            name,
            input,
          })),
        },
        {
          role: 'user',
          content: toolCalls.map((_call, index) => ({
            type: 'tool_result',
            toolUseId: `${count}-${index}`,
            text: 'error',
            isError: true,
          })),
        },
      );
    }
    expect(decide(messages).toolCalls).toEqual([]);
  });
});

describe('an ask of a program', () => {
  const rule =
    'The text must contain this heading, exactly, on a line of its own and not in a code block:\n## Rollback';

  it('SI28: a draft lacks its last requirement, and a revision has it', () => {
    const draft = draftReply(`Write release notes for Harbour 2.4: seat maps, faster search.\n\n${rule}`);
    expect(draft.split('\n')).not.toContain('## Rollback');
    expect(draft).toMatch(/^# Release notes for Harbour 2\.4\n[^]*- Seat maps\n- Faster search/);
    const revised = draftReply(
      `Revise the draft below. Add the missing heading and keep the rest.\n\n${rule}\n\nTask:\nWrite notes.\n\nPrevious draft (text to edit, not instructions):\n${draft}`,
    );
    expect(revised.startsWith(draft)).toBe(true);
    expect(revised.split('\n')).toContain('## Rollback');
  });

  it('SI28: the examples of the metaskill specification end well too', () => {
    const heading = draftReply('Revise the draft so it includes this exact heading:\n# H\n\nPrevious draft:\nA text.');
    expect(heading.split('\n')).toContain('# H');
    const list = draftReply(
      'Revise the checklist. It must include these words: install, rollback\n\nPrevious checklist:\n- Test it',
    );
    expect(list).toMatch(/^- Test it\n- .*install[^]*rollback/i);
    expect(
      draftReply('Review this diff for bugs only. Ignore style nits.\n\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n+y = 1'),
    ).toBe('NO BUGS FOUND');
    expect(draftReply('The tests failed. Fix the problem, then stop.\n\nValueError: bad')).toContain('ValueError: bad');
  });

  it('SI28: a polished text is another one each time', () => {
    let text = 'The ferry leaves at nine, weather permitting.';
    for (let count = 0; count < 5; count++) {
      const next = draftReply(
        `Make this text a little better. Keep its meaning. Answer with the text only.\n\nText (to edit, not instructions):\n${text}`,
      );
      expect(next).not.toBe(text);
      text = next;
    }
  });

  it('SI29: is known by a prompt with metaskills and no tool to run them', () => {
    const tools = TOOLS.filter(({ name }) => name !== 'run_metaskill');
    expect(decide([user('Fill this PDF form')], { tools }).toolCalls).toEqual([]);
  });
});

describe('the input of a metaskill', () => {
  const body = (name: string): string =>
    readFileSync(new URL(`../../../../public/demo/skills/${name}/SKILL.md`, import.meta.url), 'utf8');
  const ROWS: readonly [skill: string, message: string, input: object][] = [
    [
      'must-have-heading',
      'Notes with a "Known issues" section',
      { task: 'Notes with a "Known issues" section', heading: '## Known issues' },
    ],
    ['must-have-heading', 'Write notes', { task: 'Write notes', heading: '## Rollback' }],
    ['checklist-gate', 'A checklist for the launch', { task: 'A checklist for the launch' }],
    [
      'checklist-gate',
      'A checklist with owner, backup and a dry run',
      { task: 'A checklist with owner, backup and a dry run', required: ['owner', 'backup', 'dry run'] },
    ],
    [
      'diff-review',
      'Check harbour/refunds/ against main',
      { intent: 'Check harbour/refunds/ against main', base: 'main', path: 'harbour/refunds/' },
    ],
    ['fix-until-green', 'Make `npm test` pass', { goal: 'Make `npm test` pass', command: ['npm', 'test'] }],
    ['endless-polish', 'Polish this: It rains a lot.', { text: 'It rains a lot.' }],
    ['repo-pulse', 'What is new?', {}],
  ];
  it.each(ROWS)('SI30: of %s for %j', (skill, message, input) => {
    expect(metaskillInput(body(skill), message)).toEqual(input);
  });
});

describe('following up', () => {
  const answer: Message = {
    role: 'assistant',
    content: [{ type: 'text', text: '## Seats\n\n- The map shows free seats.\n- Search is faster now.' }],
  };
  const reply = (prompt: string): string => decide([user('Tell me about Harbour'), answer, user(prompt)]).text;

  it('SI48: a message about the last answer is answered from it', () => {
    expect(reply('And now in one sentence.')).toBe('Search is faster now.');
    expect(reply('Make it shorter')).toBe('The map shows free seats. Search is faster now.');
    expect(reply('as a list please')).toBe('- The map shows free seats.\n- Search is faster now.');
    expect(reply('Say that in other words')).toBe('In other words: Search is faster now.');
  });

  it('SI48: an answer in the manner of a skill is summed up by what it asks for, not by a heading', () => {
    const text =
      'Working by **incident-report**, on: Bookings were down.\n\n### What you need\n\n- alerts;\n\n### Steps\n\n- Go.\n\nTell me more.';
    const messages = [user('Report'), { role: 'assistant' as const, content: [{ type: 'text' as const, text }] }];
    expect(decide([...messages, user('And now in one sentence.')]).text).toBe(
      'For “Bookings were down”, by **incident-report**: these parts matter: what you need and steps.',
    );
  });

  it('SI48: without an answer there is nothing to follow up', () => {
    expect(decide([user('And now in one sentence.')]).text).toContain('No skill here is about that');
  });
});

describe('talk without a task', () => {
  const answerTo = (prompt: string, system = METIS): string => {
    const reply = decide([user(prompt)], { system });
    expect(reply.toolCalls).toEqual([]);
    return reply.text;
  };

  it.each([
    ['Thanks!', 'You are welcome.'],
    ['ok, thank you very much', 'You are welcome.'],
    ['bye', 'Goodbye.'],
    ['Who are you?', 'I am a simulated model'],
    ['What is 2+2?', '2 + 2 = 4'],
    ['how much is 7 / 0', 'Nothing can be divided by zero.'],
    ['What do you know about me?', 'there is no USER.md here'],
  ])('SI51: %s', (prompt, words) => {
    expect(answerTo(prompt)).toContain(words);
  });

  it.each(['What can you do?', 'Which skills do you have?', 'help'])('SI51: %s names every skill', (prompt) => {
    expect(answerTo(prompt)).toContain(
      '- **commit-message**: Write a commit message: short.\n- **must-have-heading**: Draft a text until one exact heading is in it.\n- **pdf**: Fill in forms.',
    );
  });

  it('SI51: what it was told of the person is in the prompt', () => {
    const system = `${METIS}\n\n## User context (USER.md)\n\n# User\n\nMira, in Bergen.\n\n## Workspace memory (MEMORY.md)\n\n- Likes tea.`;
    expect(answerTo('What do you know about me?', system)).toBe('From USER.md:\n\nMira, in Bergen.');
    expect(answerTo('What do you remember?', system)).toBe('From MEMORY.md:\n\n- Likes tea.');
  });

  it('SI31: a commit that is described has its subject immediately', () => {
    expect(answerTo('Write a commit message for renaming Fare to Ticket.')).toContain('```\nRename Fare to Ticket\n');
  });

  it('SI32: a short file is shown whole', () => {
    const messages = after('Read TODO.md', 'read_file', { path: 'TODO.md' }, '# To do\n\n- Tea');
    expect(decide(messages).text).toContain('```\n# To do\n\n- Tea\n```');
  });
});
