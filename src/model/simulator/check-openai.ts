/** What both OpenAI wires refuse alike. Their words, as far as they are known. */
import { type Json, type JsonObject, isObject } from '../../base/json.ts';
import type { ModelFacts } from '../provider/model-book.ts';
import type { Wire } from '../provider/types.ts';
import { fieldsOf, textOf } from './json-read.ts';
import { checkBoolean, checkLength, checkNumber, checkWord, isSet, unsupported, wrongType } from './openai-words.ts';
import { invalid, unknownModel, type SimError } from './sim-error.ts';

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];
/** The levels that the generations before 5.6 do not have, newest first. */
const LACKING: readonly (readonly [models: RegExp, levels: readonly string[]])[] = [
  [/^gpt-5\.[2-5]\b/, ['minimal', 'max']],
  [/^gpt-5\.1-codex-max\b/, ['minimal', 'max']],
  [/^gpt-5\.1\b/, ['minimal', 'xhigh', 'max']],
  [/^gpt-5\b/, ['none', 'xhigh', 'max']],
  [/^o\d/, ['none', 'minimal', 'xhigh', 'max']],
];

/** The generations before reasoning. */
const WITHOUT_REASONING = /^(?:gpt-3|gpt-4|chatgpt-)/;

/** `param` is where the wire has the effort. */
export const checkEffort = (effort: Json | undefined, param: string, { id }: ModelFacts): SimError | undefined => {
  if (isSet(effort) && WITHOUT_REASONING.test(id)) return unsupported(param);
  const lacking = LACKING.find(([models]) => models.test(id))?.[1] ?? [];
  if (!lacking.includes(textOf(effort))) return checkWord(effort, EFFORTS, param);
  const known = EFFORTS.filter((level) => !lacking.includes(level)).map((level) => `'${level}'`);
  return invalid(
    `Unsupported value: '${textOf(effort)}' is not supported with the '${id}' model. Supported values are: ${known.join(', ')}.`,
    { param, code: 'unsupported_value' },
  );
};

const SERVICE_TIERS = ['auto', 'default', 'flex', 'scale', 'priority', 'fast'];
export const VERBOSITIES = ['low', 'medium', 'high'];
const MOST_PAIRS = 16;
const LONGEST_KEY = 64;
const LONGEST_VALUE = 512;
/** Names of users and caches. */
const LONGEST_NAME = 64;

const checkMetadata = ({ metadata }: JsonObject): SimError | undefined => {
  const pairs = Object.entries(fieldsOf(metadata));
  if (pairs.length > MOST_PAIRS)
    return invalid(
      `Invalid 'metadata': too many properties. Expected an object with at most ${MOST_PAIRS} properties, but got an object with ${pairs.length} properties instead.`,
      { param: 'metadata', code: 'object_above_max_properties' },
    );
  for (const [key, value] of pairs) {
    const at = `metadata.${key}`;
    const wrong =
      (typeof value === 'string' ? undefined : wrongType(at, value, 'a string')) ??
      checkLength(key, 'metadata', LONGEST_KEY) ??
      checkLength(value, at, LONGEST_VALUE);
    if (wrong) return wrong;
  }
  return undefined;
};

const MOST_LOGPROBS = 20;
const RETENTIONS = ['in-memory', 'in_memory', '24h'];

const checkStreamOptions = (body: JsonObject): SimError | undefined =>
  isObject(body['stream_options']) && body['stream'] !== true
    ? invalid("The 'stream_options' parameter is only allowed when 'stream' is enabled.", { param: 'stream_options' })
    : undefined;

/** What both wires have under the same names. */
export const checkShared = (body: JsonObject): SimError | undefined =>
  checkBoolean(body['stream'], 'stream') ??
  checkBoolean(body['store'], 'store') ??
  checkNumber(body['temperature'], 'temperature', 'decimal', 0, 2) ??
  checkNumber(body['top_p'], 'top_p', 'decimal', 0, 1) ??
  checkBoolean(body['parallel_tool_calls'], 'parallel_tool_calls') ??
  checkWord(body['service_tier'], SERVICE_TIERS, 'service_tier') ??
  checkWord(body['prompt_cache_retention'], RETENTIONS, 'prompt_cache_retention') ??
  checkLength(body['prompt_cache_key'], 'prompt_cache_key', LONGEST_NAME) ??
  checkLength(body['safety_identifier'], 'safety_identifier', LONGEST_NAME) ??
  checkNumber(body['top_logprobs'], 'top_logprobs', 'integer', 0, MOST_LOGPROBS) ??
  checkStreamOptions(body) ??
  checkMetadata(body);

/** A model that may say any JSON has to be told to in words. */
export const speaksOfJson = (value: Json | undefined): boolean => /json/i.test(JSON.stringify(value ?? ''));

export const checkModel = (body: JsonObject, facts: ModelFacts, wire: Wire): SimError | undefined => {
  if (typeof body['model'] !== 'string') return invalid('you must provide a model parameter');
  // A router serves Claude on the chat wire.
  const isServed = facts.family === 'openai' || (facts.family === 'anthropic' && wire === 'openai-chat');
  return isServed ? undefined : unknownModel(wire, body['model']);
};

/** The first generations that reason take no sampling; later ones do where they do not reason. */
const WITHOUT_SAMPLING = /^(?:gpt-5(?![.\d])(?!.*chat)|o\d)/;
const SAMPLES_UNLESS_REASONING = /^gpt-5\.\d(?!.*chat)/;

const reasons = (body: JsonObject): boolean => {
  const { reasoning } = body;
  const effort = body['reasoning_effort'] ?? (isObject(reasoning) ? reasoning['effort'] : undefined);
  return isSet(effort) && effort !== 'none';
};

export const checkSampling = (body: JsonObject, { id }: ModelFacts, isChat: boolean): SimError | undefined => {
  const isWithout = WITHOUT_SAMPLING.test(id) || (SAMPLES_UNLESS_REASONING.test(id) && reasons(body));
  if (!isWithout) return undefined;
  const other = ['stop', 'logprobs', 'presence_penalty', 'frequency_penalty'].find(
    (name) => isSet(body[name]) && body[name] !== false && body[name] !== 0,
  );
  if (other !== undefined) return unsupported(other);
  const param = ['temperature', 'top_p'].find((name) => typeof body[name] === 'number' && body[name] !== 1);
  if (param === undefined) return undefined;
  return isChat
    ? invalid(
        `Unsupported value: '${param}' does not support ${JSON.stringify(body[param])} with this model. Only the default (1) value is supported.`,
        { param, code: 'unsupported_value' },
      )
    : invalid(`Unsupported parameter: '${param}' is not supported with this model.`, { param });
};
