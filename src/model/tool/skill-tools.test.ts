import { describe, expect, it } from 'vitest';
import { collectLog, type LogLine } from '../../base/log.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { applyLoaded, startActivation, type ActivationState } from '../activation/budget.ts';
import { RUN_METASKILL_LINE } from '../activation/texts.ts';
import { createSkillStore, type SkillStore } from '../library/store.ts';
import { load } from '../library/testing/libraries.ts';
import type { Dialect, MetaskillPolicy } from '../library/types.ts';
import { createTools } from './create-tools.ts';
import { builtinDefinitions, definitions, toolSpecs } from './definitions.ts';
import { schemaFaults } from './json-schema.ts';
import { createPendingTree } from './pending-tree.ts';
import { createSkillTools } from './skill-tools.ts';
import { createBench, use, type Bench } from './testing/bench-of-tools.ts';

const skill = (name: string, body: string): string =>
  `---\nname: ${name}\ndescription: Does ${name}. Use when ${name} is needed.\n---\n\n${body}`;

const STAR = 'def run(input):\n    return "x"\n';

const library = async (): Promise<SkillStore> =>
  (
    await load({
      project: {
        tree: createMemoryTree({
          'pdf/SKILL.md': skill('pdf', 'Read it.\n'),
          'loop/SKILL.md': skill('loop', 'Input keys: none\n'),
          'loop/SKILL.star': STAR,
          ...Object.fromEntries(
            ['a', 'b', 'c', 'd', 'e'].map((name) => [`${name}/SKILL.md`, skill(name, `${name.repeat(4000)}\n`)]),
          ),
          'huge/SKILL.md': skill('huge', 'x'.repeat(119_996)),
          'huger/SKILL.md': skill('huger', 'x'.repeat(120_000)),
        }),
      },
      user: createMemoryTree({
        'far/SKILL.md': skill('far', 'Far.'),
        'far-loop/SKILL.md': skill('far-loop', 'Input keys: none'),
        'far-loop/SKILL.star': STAR,
      }),
    })
  ).store;

interface Session {
  readonly bench: Bench;
  readonly lines: readonly LogLine[];
  readonly ran: unknown[];
}

const open = async (
  dialect: Dialect = 'metis',
  {
    preloaded = [],
    policy = 'local',
    result = { result: 'done', ok: true },
  }: {
    readonly preloaded?: readonly string[];
    readonly policy?: MetaskillPolicy;
    readonly result?: { readonly result: string; readonly ok: boolean };
  } = {},
): Promise<Session> => {
  const store = await library();
  const { log, lines } = collectLog();
  const ran: unknown[] = [];
  const bench = createBench((journal) => {
    let state: ActivationState = startActivation(preloaded);
    journal.subscribe((event) => {
      if (event.type === 'skill.loaded') state = applyLoaded(state, event.payload);
    });
    return createTools({
      dialect,
      store,
      policy,
      files: createPendingTree(createMemoryTree({})),
      activation: () => state,
      runMetaskill: async (args) => {
        ran.push(args);
        return result;
      },
      log,
    });
  });
  return { bench, lines, ran };
};

describe('skill_load', () => {
  it('TO100: gives the whole body under its header, with one event without a parent', async () => {
    const { bench } = await open();
    const result = await bench.call('skill_load', { name: 'pdf' });
    expect(result).toMatchObject({ text: '# Skill: pdf (source: workspace)\n\nRead it.\n', isError: false });
    expect(bench.types()).toEqual(['tool.called', 'skill.loaded', 'tool.completed']);
    const [loaded] = bench.find('skill.loaded');
    expect(loaded).toMatchObject({
      turn_id: 'turn-1',
      parent_event_id: null,
      actor: 'system',
      sensitivity: 'pseudonymous',
      payload: {
        skill_id: 'pdf',
        load_reason: 'on_demand',
        load_size_tokens: 2,
        source: 'workspace',
        triggered_by_tool_use_id: result.toolUseId,
      },
    });
    expect(bench.find('tool.completed')[0]?.payload.metadata).toEqual({
      skill_id: 'pdf',
      skill_version: loaded?.payload.skill_version,
      source: 'workspace',
      load_size_tokens: 2,
    });
    await bench.call('skill_load', { name: 'far' });
    expect(bench.find('skill.loaded')[1]?.payload.source).toBe('global');
  });

  it('TO101: points to a body that is there already, and neither counts nor tells', async () => {
    const { bench } = await open('metis', { preloaded: ['pdf'] });
    expect((await bench.call('skill_load', { name: 'pdf' })).text).toBe(
      `# Skill: pdf (source: workspace)\n\nThis skill's body is already loaded in the system prompt (pre-activated at session start). Re-read the system prompt section "# Skill: pdf" for its operating instructions.`,
    );
    await bench.call('skill_load', { name: 'a' });
    expect((await bench.call('skill_load', { name: 'a' })).text).toBe(
      '# Skill: a (source: workspace)\n\nThis skill is already loaded in the conversation history (activated earlier this session). Re-read the earlier `tool_result` for `skill_load("a")` for its operating instructions.',
    );
    expect(bench.find('skill.loaded')).toHaveLength(1);
    expect(
      bench
        .find('tool.completed')
        .map(({ payload }) => [payload.metadata['already_preloaded'], payload.metadata['already_loaded']]),
    ).toEqual([
      [true, undefined],
      [undefined, undefined],
      [undefined, true],
    ]);
  });

  it('TO102: refuses the fourth, in words, to the model and in tool.failed', async () => {
    const { bench } = await open();
    for (const name of ['a', 'b', 'c']) await bench.call('skill_load', { name });
    const message =
      'activation budget exhausted: 3 skills already activated this session (limit 3). Already loaded: [a, b, c]. To free budget, summarize and discard previously loaded skill bodies in your next response.';
    expect(await bench.call('skill_load', { name: 'd' })).toMatchObject({ text: message, isError: true });
    expect(bench.find('tool.failed')[0]?.payload).toMatchObject({
      error_class: 'execution_error',
      error_message: message,
    });
    expect(bench.find('skill.loaded')).toHaveLength(3);
  });

  it('TO103: calls at the same time cannot pass the cap together', async () => {
    const { bench } = await open();
    const results = await bench.dispatch(['a', 'b', 'c', 'd', 'e', 'a'].map((name) => use('skill_load', { name })));
    expect(results.map(({ isError }) => isError)).toEqual([false, false, false, true, true, false]);
    expect(bench.find('skill.loaded').map(({ payload }) => payload.skill_id)).toEqual(['a', 'b', 'c']);
  });

  it('TO103: nor the cap on tokens', async () => {
    const { bench, lines } = await open();
    // 29,999 tokens are within the cap of 30,000; 30,000 are not.
    expect(await bench.call('skill_load', { name: 'huger' })).toMatchObject({
      text: "activation token cap exhausted: loading 'huger' would bring cumulative activation tokens to 30000 (cap 30000). Already loaded: [].",
      isError: true,
    });
    expect(lines).toEqual([]);
    const results = await bench.dispatch([use('skill_load', { name: 'huge' }), use('skill_load', { name: 'a' })]);
    expect(results.map(({ isError }) => isError)).toEqual([false, true]);
    expect(lines).toEqual([
      {
        level: 'warning',
        code: 'activation.tokens',
        text: 'session has activated 1 skills totaling 29999 tokens (warn threshold: 10000). Continued activation may exhaust the per-session cap of 30000 cumulative tokens.',
      },
    ]);
  });

  it('TO104: knows names exactly, and says so', async () => {
    const { bench } = await open();
    expect(await bench.call('skill_load', { name: 'x' })).toMatchObject({
      text: "no skill registered with name 'x'",
      isError: true,
    });
    expect(bench.find('tool.failed')[0]?.payload.error_class).toBe('not_found');
    expect((await bench.call('skill_load', { name: '' })).text).toBe(
      'name: must be a string of 1 to 64 characters, got ""',
    );
    expect((await bench.call('skill_load', {})).text).toBe(
      'name: is required and must be a string of 1 to 64 characters',
    );
  });

  it('TO105: an executable metaskill is read, not run, and says how to run it', async () => {
    const { bench, ran } = await open();
    expect((await bench.call('skill_load', { name: 'loop' })).text.endsWith(`\n\n${RUN_METASKILL_LINE}`)).toBe(true);
    expect((await bench.call('skill_load', { name: 'far-loop' })).text).not.toContain('run_metaskill');
    expect(ran).toEqual([]);
  });

  it('TO106: without a store', async () => {
    const bench = createBench(
      createSkillTools({
        dialect: 'metis',
        store: undefined,
        policy: 'local',
        activation: () => startActivation(),
        log: () => {},
      }),
    );
    expect((await bench.call('skill_load', { name: 'x' })).text).toBe('skills are not configured for this session');
    expect((await bench.call('skill_search', { query: 'x' })).text).toBe('skills are not configured for this session');
    expect(bench.find('tool.failed')).toHaveLength(2);
  });
});

describe('skill_search', () => {
  it('TO107: gives matches and metadata, and no event of its own', async () => {
    const { bench } = await open();
    expect((await bench.call('skill_search', { query: ' FAR' })).text).toBe(
      "Skills matching ' FAR' (2):\n- far [global] — Does far. Use when far is needed.\n- far-loop [global] — Does far-loop. Use when far-loop is needed.",
    );
    expect((await bench.call('skill_search', { query: 'zzz' })).text).toBe("No skills matched 'zzz'.");
    expect((await bench.call('skill_search', { query: '', limit: 1 })).text).toMatch(
      /^Skills matching '' \(1\):\n- a \[workspace\]/,
    );
    expect(bench.find('tool.completed')[0]?.payload.metadata).toEqual({
      query: ' FAR',
      result_count: 2,
      result_names: ['far', 'far-loop'],
    });
    expect((await bench.call('skill_search', { query: 'x', limit: 51 })).isError).toBe(true);
    expect(bench.types()).not.toContain('skill.loaded');
  });
});

describe('skill, in dialect agents', () => {
  it('TO108: gives the marked body, the same again, and counts once', async () => {
    const { bench } = await open('agents');
    const body = '<skill_content name="pdf">\nRead it.\n</skill_content>';
    expect((await bench.call('skill', { name: 'pdf' })).text).toBe(body);
    expect((await bench.call('skill', { name: 'pdf' })).text).toBe(body);
    expect(bench.find('skill.loaded')).toHaveLength(1);
    expect((await bench.call('skill', { name: 'x' })).text).toBe("error: unknown skill: 'x'");
    expect((await bench.call('skill_load', { name: 'pdf' })).text).toBe("tool 'skill_load' not registered");
  });
});

describe('run_metaskill', () => {
  it('TO109, HOST4: hands its arguments to the host as they are, and an error: is a failure', async () => {
    const good = await open();
    expect(await good.bench.call('run_metaskill', { name: 5 })).toMatchObject({ text: 'done', isError: false });
    expect(good.ran).toEqual([{ name: 5 }]);
    const bad = await open('metis', { result: { result: "error: unknown metaskill: 'x'", ok: false } });
    expect(await bad.bench.call('run_metaskill', { name: 'x' })).toMatchObject({
      text: "error: unknown metaskill: 'x'",
      isError: true,
    });
    expect(bad.bench.find('tool.failed')[0]?.payload.error_message).toBe("error: unknown metaskill: 'x'");
  });
});

describe('the tools of a request', () => {
  const FILES = ['read_file', 'write_file', 'patch_file', 'list_dir', 'grep_files', 'run_command'];
  const MEMORY = ['memory_add', 'memory_replace'];
  const names = (dialect: Dialect, store: SkillStore, policy: MetaskillPolicy): string[] =>
    toolSpecs({ dialect, store, policy }).map(({ name }) => name);

  it('TO110: are in one order, run_metaskill last, and only if one may run', async () => {
    const store = await library();
    expect(names('metis', store, 'local')).toEqual([
      ...FILES,
      'skill_search',
      'skill_load',
      ...MEMORY,
      'run_metaskill',
    ]);
    expect(names('agents', store, 'local')).toEqual([...FILES, 'skill', ...MEMORY, 'run_metaskill']);
    expect(names('metis', store, 'off')).not.toContain('run_metaskill');
    expect(names('metis', createSkillStore([]), 'all')).not.toContain('run_metaskill');
  });

  it('TO110: imported executors are before run_metaskill', async () => {
    const extra = [{ name: 'tasks_list', description: 'Lists tasks.', inputSchema: {} }];
    const list = toolSpecs({ dialect: 'metis', store: await library(), policy: 'local', extra });
    expect(list.map(({ name }) => name).slice(-3)).toEqual(['memory_replace', 'tasks_list', 'run_metaskill']);
  });

  it('TO114: optional ones may be left out, the skill tools stay', async () => {
    const without = ['run_command', 'memory_add', 'skill_load', 'run_metaskill', 'no_such_tool'];
    const list = toolSpecs({ dialect: 'metis', store: await library(), policy: 'local', without });
    expect(list.map(({ name }) => name)).toEqual([
      ...FILES.filter((name) => name !== 'run_command'),
      'skill_search',
      'skill_load',
      'memory_replace',
      'run_metaskill',
    ]);
  });

  it('TO111: run_metaskill names those that the policy lets run', async () => {
    const store = await library();
    const enumOf = (policy: MetaskillPolicy): unknown => {
      const last = toolSpecs({ dialect: 'metis', store, policy }).at(-1);
      return JSON.parse(JSON.stringify(last?.inputSchema)).properties.name.enum;
    };
    expect(enumOf('local')).toEqual(['loop']);
    expect(enumOf('all')).toEqual(['far-loop', 'loop']);
  });

  it('TO112: are the tools that are there, in the same order', async () => {
    const store = await library();
    for (const dialect of ['metis', 'agents'] as const) {
      const tools = createTools({
        dialect,
        store,
        policy: 'local',
        files: createPendingTree(createMemoryTree({})),
        activation: () => startActivation(),
        runMetaskill: async () => ({ result: '', ok: true }),
        log: () => {},
      });
      expect(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))).toEqual(
        toolSpecs({ dialect, store, policy: 'local' }),
      );
    }
  });

  it('TO113: have schemas that can be checked, and those of the skill format for skills', () => {
    for (const { inputSchema } of Object.values(definitions)) expect(schemaFaults(inputSchema)).toEqual([]);
    expect(definitions.skillSearch).toMatchObject({
      sideEffects: 'read',
      requiresWorkspace: false,
      inputSchema: {
        type: 'object',
        properties: { query: { type: 'string' }, limit: { type: 'integer', minimum: 1, maximum: 50, default: 10 } },
        required: ['query'],
        additionalProperties: false,
      },
    });
    expect(definitions.skillLoad).toMatchObject({
      sideEffects: 'read',
      requiresWorkspace: false,
      inputSchema: {
        type: 'object',
        properties: { name: { type: 'string', minLength: 1, maxLength: 64 } },
        required: ['name'],
        additionalProperties: false,
      },
    });
    expect(new Set(builtinDefinitions('metis').map(({ name }) => name)).size).toBe(10);
  });
});
