/** Tools that the provider runs itself: what is offered, and what a call of them brings into the answer. */
import { sha256 } from '../../base/hash.ts';
import type { Json } from '../../base/json.ts';
import { fieldsOf, listOf, textOf } from './json-read.ts';
import type { ServerTool } from './types.ts';

const ANTHROPIC =
  /^(web_search|web_fetch|code_execution|tool_search_tool_(?:regex|bm25)|advisor|mcp_toolset)(?:_\d+)?$/;
const OPENAI =
  /^(web_search|file_search|code_interpreter|image_generation|mcp|tool_search)(?:_preview)?(?:_\d{4}_\d{2}_\d{2})?$/;

/** Undefined: a tool of the client, also where the provider knows its form (`bash_20250124`). */
export const serverToolOf = (value: Json): ServerTool | undefined => {
  const tool = fieldsOf(value);
  const type = textOf(tool['type']);
  const [, kind] = ANTHROPIC.exec(type) ?? OPENAI.exec(type) ?? [];
  if (kind === undefined) return undefined;
  // From August 2025 on, code is run by a shell of its own.
  const name = kind === 'code_execution' && Number(type.split('_').at(-1)) >= 20250825 ? 'bash_code_execution' : kind;
  return { kind, name };
};

export const serverToolsOf = (tools: Json | undefined): readonly ServerTool[] =>
  listOf(tools).flatMap((tool) => serverToolOf(tool) ?? []);

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60) || 'page';

const searchResults = (query: string): readonly Json[] =>
  ['overview', 'guide', 'reference'].map((page) => ({
    type: 'web_search_result',
    url: `https://example.com/${slug(query)}/${page}`,
    title: `${query || 'Example'}: ${page}`,
    encrypted_content: `Sim${sha256(`search\n${query}\n${page}`)}`,
    page_age: null,
  }));

const inputOf = (name: string, prompt: string): Json => {
  const [url] = /https?:\/\/[^\s"'<>)]+/.exec(prompt) ?? [];
  switch (name) {
    case 'web_fetch':
      return { url: url ?? 'https://example.com/' };
    case 'code_execution':
      return { code: 'print("ok")' };
    case 'code_interpreter':
      return { code: 'print("ok")' };
    case 'bash_code_execution':
      return { command: 'echo ok' };
    default:
      return { query: queryOf(prompt) };
  }
};

/** What is to be looked for: after the words that ask for it. */
const queryOf = (prompt: string): string => {
  const [, asked] =
    /\b(?:search|query|look up|find out)\b[^:\n]*?(?::|\bfor(?: the query)?:?|\babout)\s+([^\n]{1,300})/i.exec(
      prompt,
    ) ?? [];
  return (asked ?? prompt.split('\n')[0] ?? '').trim().slice(0, 300);
};

const WANTED: Readonly<Record<string, RegExp>> = {
  web_search: /\b(?:search|look up|google|news|latest|on the web|online)\b/i,
  web_fetch: /https?:\/\//,
  code_execution: /\b(?:run|execute|compute|calculate|plot)\b/i,
  bash_code_execution: /\b(?:run|execute|compute|calculate|plot)\b/i,
  code_interpreter: /\b(?:run|execute|compute|calculate|plot)\b/i,
  file_search: /\b(?:search|find|look up)\b.*\b(?:files?|documents?)\b/is,
};

/** A call that the message asks for. */
export const serverCall = (
  prompt: string,
  tools: readonly ServerTool[],
): { readonly name: string; readonly input: Json } | undefined => {
  const tool = tools.find(({ name }) => WANTED[name]?.test(prompt) === true);
  return tool && { name: tool.name, input: inputOf(tool.name, prompt) };
};

export const exampleServerInput = (name: string): Json => inputOf(name, '');

/** The block behind `server_tool_use`, without its id. */
export const serverResult = (name: string, given: Json): { readonly type: string; readonly content: Json } => {
  const input = fieldsOf(given);
  switch (name) {
    case 'web_fetch':
      return {
        type: 'web_fetch_tool_result',
        content: {
          type: 'web_fetch_result',
          url: textOf(input['url']),
          content: {
            type: 'document',
            source: { type: 'text', media_type: 'text/plain', data: 'A page that the simulator made up.' },
            title: 'Example page',
            citations: null,
          },
          retrieved_at: '2026-01-31T09:00:00Z',
        },
      };
    case 'code_execution':
    case 'bash_code_execution':
      return {
        type: `${name}_tool_result`,
        content: { type: `${name}_result`, stdout: 'ok\n', stderr: '', return_code: 0, content: [] },
      };
    case 'tool_search_tool_regex':
    case 'tool_search_tool_bm25':
      return {
        type: 'tool_search_tool_result',
        content: { type: 'tool_search_tool_search_result', tool_references: [] },
      };
    default:
      return { type: 'web_search_tool_result', content: searchResults(textOf(input['query'])) };
  }
};

/** The item that stands for a call in a response, without its id. */
export const serverItem = (name: string, given: Json): { readonly type: string; readonly [key: string]: Json } => {
  const input = fieldsOf(given);
  switch (name) {
    case 'code_interpreter':
      return {
        type: 'code_interpreter_call',
        status: 'completed',
        code: textOf(input['code']),
        container_id: 'cntr_simulator',
        outputs: [],
      };
    case 'file_search':
      return { type: 'file_search_call', status: 'completed', queries: [textOf(input['query'])], results: null };
    default:
      return {
        type: 'web_search_call',
        status: 'completed',
        action: { type: 'search', query: textOf(input['query']), queries: [textOf(input['query'])] },
      };
  }
};

/** Prefixes of ids, as the real ones have them. */
export const itemPrefix = (type: string): string =>
  ({ code_interpreter_call: 'ci', file_search_call: 'fs' })[type] ?? 'ws';
