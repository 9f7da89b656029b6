/** A call as code that makes it again. The key is the name of a variable, never a key. */
import { isObject, parseJson } from '../../base/json.ts';
import { valueOr } from '../../base/result.ts';
import type { ProviderId, Wire } from '../provider/types.ts';
import { prettyJson } from './raw-call.ts';

export interface CallCode {
  readonly provider: ProviderId;
  readonly wire: Wire;
  readonly url: string;
  /** The exact body. */
  readonly body: string;
}

const KEY_NAMES: Readonly<Record<ProviderId, string>> = {
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
  openrouter: 'OPENROUTER_API_KEY',
  compatible: 'COMPATIBLE_API_KEY',
  // `lathe sim` takes any key.
  simulator: 'ANTHROPIC_API_KEY',
};

/** The one that the SDK sends. */
const ANTHROPIC_VERSION = '2026-10-21';
/** Where `lathe sim` listens: the simulator of the page cannot be reached from outside. */
const SIM_ADDRESS = 'http://127.0.0.1:4141';

const keyName = ({ provider, wire }: Pick<CallCode, 'provider' | 'wire'>): string =>
  provider === 'simulator' && wire !== 'anthropic-messages' ? 'OPENAI_API_KEY' : KEY_NAMES[provider];

const addressOf = ({ provider, url }: CallCode): string =>
  provider === 'simulator' ? SIM_ADDRESS + url.replace(/^https?:\/\/[^/]+/, '') : url;

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const headersOf = (call: CallCode): readonly string[] =>
  call.wire === 'anthropic-messages'
    ? [`x-api-key: $${keyName(call)}`, `anthropic-version: ${ANTHROPIC_VERSION}`]
    : [`Authorization: Bearer $${keyName(call)}`];

/** Linux takes no argument from 128 KiB on. */
const LONGEST_ARGUMENT = 100_000;

const dataOf = (body: string): string => {
  if (new TextEncoder().encode(body).length <= LONGEST_ARGUMENT) return `--data-raw ${quoted(body)}`;
  let end = 'LATHE_BODY';
  while (body.includes(end)) end += '_';
  return `--data-binary @- <<'${end}'\n${body}\n${end}`;
};

/** For a POSIX shell. */
export const curlOf = (call: CallCode): string =>
  [
    `curl ${quoted(addressOf(call))}`,
    ...["'Content-Type: application/json'", ...headersOf(call).map((header) => `"${header}"`)].map(
      (header) => `-H ${header}`,
    ),
    ...(call.body.includes('"stream":true') ? ['--no-buffer'] : []),
    dataOf(call.body),
  ].join(' \\\n  ');

const METHODS: Readonly<Record<Wire, { readonly path: string; readonly method: string }>> = {
  'anthropic-messages': { path: '/v1/messages', method: 'messages.create' },
  'openai-responses': { path: '/responses', method: 'responses.create' },
  'openai-chat': { path: '/chat/completions', method: 'chat.completions.create' },
};

/** JSON is TypeScript, apart from two separators that older parsers take for line ends. */
const bodyCode = (body: string): string =>
  parseJson(body).ok ? prettyJson(body).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029') : body;

const isStream = (body: string): boolean => {
  const parsed = valueOr(parseJson(body), undefined);
  return isObject(parsed) && parsed['stream'] === true;
};

/** TypeScript for the official SDKs. */
export const sdkCodeOf = (call: CallCode): string => {
  const { path, method } = METHODS[call.wire];
  const isAnthropic = call.wire === 'anthropic-messages';
  const name = isAnthropic ? 'Anthropic' : 'OpenAI';
  const address = addressOf(call);
  const baseUrl = address.endsWith(path) ? address.slice(0, -path.length) : address;
  const isDefault = baseUrl === (isAnthropic ? 'https://api.anthropic.com' : 'https://api.openai.com/v1');
  const options = [
    ...(isDefault ? [] : [`baseURL: ${JSON.stringify(baseUrl)}`]),
    `apiKey: process.env[${JSON.stringify(keyName(call))}]`,
  ];
  const use = isStream(call.body)
    ? 'for await (const event of response) console.log(event);'
    : 'console.log(response);';
  return [
    `import ${name} from ${isAnthropic ? "'@anthropic-ai/sdk'" : "'openai'"};`,
    '',
    `const client = new ${name}({ ${options.join(', ')} });`,
    `const response = await client.${method}(${bodyCode(call.body)});`,
    use,
    '',
  ].join('\n');
};
