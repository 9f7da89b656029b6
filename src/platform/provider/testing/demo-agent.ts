/** A small agent over the demo workspace, so that the simulated model can be watched at work. */
import { fileURLToPath } from 'node:url';
import type { Json } from '../../../base/json.ts';
import { applyLoaded, decideActivation, startActivation } from '../../../model/activation/budget.ts';
import { loadedPointer, skillLoadText, unknownSkillText } from '../../../model/activation/texts.ts';
import { silentLog } from '../../../base/log.ts';
import { indexText } from '../../../model/library/index-text.ts';
import { loadLibrary, type Library } from '../../../model/library/load-library.ts';
import { isExecutable, type Dialect } from '../../../model/library/types.ts';
import { runMetaskill } from '../../../model/metaskill/host.ts';
import type { HostDeps } from '../../../model/metaskill/host-types.ts';
import { toolSpecs } from '../../../model/tool/definitions.ts';
import { createNodeTree } from '../../fs/node-tree.ts';
import type { EngineHost } from '../../worker/engine-host.ts';

const DEMO = new URL('../../../../public/demo/', import.meta.url);

type Fields = Readonly<Record<string, Json>>;

interface Content {
  readonly type: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: Fields;
  readonly text?: string;
}

interface Answered {
  readonly content: readonly Content[];
  readonly stop_reason: string;
}

export interface AgentTurn {
  readonly text: string;
  /** Names of tools with their inputs, in order. */
  readonly calls: readonly (readonly [name: string, input: Fields])[];
  readonly results: readonly string[];
}

export interface DemoAgent {
  readonly say: (prompt: string) => Promise<AgentTurn>;
}

export interface DemoAgentOptions {
  readonly fetch: typeof fetch;
  readonly engine?: EngineHost;
  readonly dialect?: Dialect;
  readonly command?: HostDeps['command'];
}

const MOST_CALLS = 12;

const textIn = (input: Fields, key: string): string => {
  const value = input[key];
  return typeof value === 'string' ? value : '';
};

const tree = createNodeTree(fileURLToPath(DEMO));
const libraries = new Map<Dialect, Promise<Library>>();

const demoLibrary = (dialect: Dialect): Promise<Library> => {
  const known = libraries.get(dialect);
  if (known) return known;
  const library = loadLibrary({ project: { tree } }, { profile: 'standard', dialect, log: silentLog });
  libraries.set(dialect, library);
  return library;
};

export const startDemoAgent = async (options: DemoAgentOptions): Promise<DemoAgent> => {
  const { dialect = 'metis' } = options;
  const { store } = await demoLibrary(dialect);
  const specs = toolSpecs({ dialect, store, policy: 'local' });
  const system = `You are a careful assistant.\n\n${indexText(store, { dialect, policy: 'local' })}`;
  let budget = startActivation();

  const send = async (messages: readonly object[], tools: typeof specs): Promise<Answered> => {
    const response = await options.fetch('https://api.anthropic.com/v1/messages', {
      method: 'POST',
      headers: { 'anthropic-version': '2026-10-21', 'x-api-key': 'key-1', 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'claude-haiku-4-5',
        max_tokens: 4096,
        system,
        tools: tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })),
        messages,
      }),
    });
    const body = (await response.json()) as Answered & { readonly error?: { readonly message: string } };
    if (!response.ok) throw new Error(body.error?.message);
    return body;
  };

  const load = (name: string): readonly [text: string, isError: boolean] => {
    const item = store.get(name);
    if (!item) return [unknownSkillText(name, dialect), true];
    const tokens = item.skill.estimatedBodyTokens;
    const decision = decideActivation(budget, { name, tokens });
    if (decision.kind === 'refused') return [decision.message, true];
    if (decision.kind !== 'load') return [loadedPointer(item), false];
    budget = applyLoaded(budget, {
      skill_id: name,
      skill_version: item.skill.version,
      source: item.source,
      load_reason: 'user_invoked',
      load_size_tokens: tokens,
    } as never);
    return [skillLoadText(item, dialect, isExecutable(item.skill.metaskill, item.layer, 'local')), false];
  };

  const run = async (args: Fields): Promise<readonly [string, boolean]> => {
    const { result, ok } = await runMetaskill(args, {
      engine: options.engine,
      find: (name) => {
        const item = store.get(name);
        if (!item) return undefined;
        return {
          name,
          metaskill: item.skill.metaskill,
          body: item.skill.body,
          refusal: undefined,
          readProgram: async () => {
            const bytes = await tree.read(`skills/${name}/SKILL.star`);
            return bytes ? { ok: true, text: new TextDecoder().decode(bytes) } : { ok: false, reason: 'no program' };
          },
        };
      },
      ask: async ({ prompt }) => {
        const inner = await converse([{ role: 'user', content: prompt }], true);
        return { answer: inner.text, exhausted: false, turns: inner.calls.length + 1 };
      },
      command: options.command ?? (() => Promise.resolve({ kind: 'failed', message: 'no commands available' })),
      now: () => performance.now(),
    });
    return [result, !ok];
  };

  const execute = async (name: string, input: Fields): Promise<readonly [string, boolean]> => {
    switch (name) {
      case 'skill_load':
      case 'skill':
        return load(textIn(input, 'name'));
      case 'run_metaskill':
        return run(input);
      case 'read_file': {
        const bytes = await tree.read(textIn(input, 'path'));
        return bytes ? [new TextDecoder().decode(bytes), false] : [`there is no file ${textIn(input, 'path')}`, true];
      }
      case 'list_dir':
        return [((await tree.list('')) ?? []).map((entry) => entry.name).join('\n'), false];
      default:
        return ['done', false];
    }
  };

  const converse = async (messages: object[], isNested: boolean): Promise<AgentTurn> => {
    const tools = isNested ? specs.filter(({ name }) => name !== 'run_metaskill') : specs;
    const calls: [string, Fields][] = [];
    const results: string[] = [];
    for (;;) {
      const { content, stop_reason: stop } = await send(messages, tools);
      messages.push({ role: 'assistant', content });
      const used = content.filter(({ type }) => type === 'tool_use');
      const text = content.map((block) => block.text ?? '').join('');
      if (stop !== 'tool_use') return { text, calls, results };
      if (calls.length > MOST_CALLS) throw new Error('the agent goes in circles');
      const answers: object[] = [];
      for (const { id, name = '', input = {} } of used) {
        calls.push([name, input]);
        const [result, isError] = await execute(name, input);
        results.push(result);
        answers.push({ type: 'tool_result', tool_use_id: id, content: result, is_error: isError });
      }
      messages.push({ role: 'user', content: answers });
    }
  };

  const history: object[] = [];
  return {
    say: (prompt) => {
      history.push({ role: 'user', content: prompt });
      return converse(history, false);
    },
  };
};
