/**
 * The guard before every call: forbidden places and dangerous strings first, then verbs that only look pass, then a judge — a model where there
 * is one, else a score. Only the keys of arguments are ever written down.
 */
import { type Json, isObject } from '../../base/json.ts';
import { isSafeVerb, isVerb } from '../importer/vocabulary.ts';

export interface Verdict {
  readonly approved: boolean;
  readonly reason: string;
  readonly kind: 'guard' | 'safe-verb' | 'model' | 'score';
  readonly score: number;
}

export interface GuardInput {
  readonly name: string;
  readonly args: Json;
  /** What the person asked for, where it is known. */
  readonly intent?: string;
  readonly knownArgs: readonly string[];
}

/** 0 to 1; nothing if it gave no answer. */
export type Judge = (input: {
  readonly name: string;
  readonly argKeys: readonly string[];
  readonly intent: string;
}) => Promise<number | undefined>;

const FORBIDDEN =
  /(?:^|[/\\~])\.ssh(?:[/\\]|$)|[/\\]etc[/\\](?:passwd|shadow|sudoers)|^[/\\]root(?:[/\\]|$)|^[/\\]boot(?:[/\\]|$)|^[/\\]dev[/\\](?:sd|nvme|disk|mem)|\.aws[/\\]credentials|\.gnupg(?:[/\\]|$)|(?:^|[/\\~])\.(?:netrc|npmrc|pypirc|git-credentials)$|\.kube[/\\]config|\.docker[/\\]config\.json|\.config[/\\]gcloud|\.lathe[/\\](?:executors|keys)/i;
const PROTECTED =
  /^(?:[/\\](?:usr|bin|sbin|lib|etc|System|Library|Windows|proc|sys)(?:[/\\]|$)|[A-Za-z]:[/\\]Windows)/i;
const DANGEROUS =
  /\brm\s+-[a-z]*r[a-z]*f|:\(\)\s*\{\s*:\|:|\bmkfs\b|\bdd\s+if=|>\s*\/dev\/sd|\|\s*(?:ba|z)?sh\b|`[^`]+`|\$\([^)]+\)/;

/** Text that a person reads is no path and no command. */
const CONTENT_KEYS = new Set([
  'body',
  'text',
  'summary',
  'html',
  'subject',
  'description',
  'title',
  'content',
  'message',
  'comment',
  'query',
  'note',
  'values',
]);

const DENY_BELOW = 0.3;

const strings = (value: Json, key: string): { readonly key: string; readonly text: string }[] => {
  if (typeof value === 'string') return [{ key, text: value }];
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((item) => strings(item, key));
  return isObject(value) ? Object.entries(value).flatMap(([inner, item]) => strings(item, inner)) : [];
};

/** A path with its detours taken out: `file:` and percent signs, `//`, `/./` and `a/..`. */
const straight = (text: string): string => {
  let path = text
    .trim()
    .replace(/^["']+|(?<!["'])["']+$/g, '')
    .replace(/^file:\/\/(?:localhost)?/i, '');
  try {
    path = decodeURIComponent(path);
  } catch (thrown) {
    if (!(thrown instanceof URIError)) throw thrown;
  }
  const parts: string[] = [];
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..' && parts.at(-1) !== '') parts.pop();
    else if (part !== '.' && (part !== '' || parts.length === 0)) parts.push(part);
  }
  return parts.join('/');
};

const objection = (verb: string, args: Json): string | undefined => {
  const isMutating = !(isVerb(verb) && isSafeVerb(verb));
  for (const { key, text } of strings(args, '')) {
    if (CONTENT_KEYS.has(key.toLowerCase())) continue;
    const forms = [text, straight(text)];
    if (forms.some((form) => FORBIDDEN.test(form))) return `${key} points to a protected location`;
    if (isMutating && forms.some((form) => PROTECTED.test(form))) return `${key} points to a system folder`;
    if (DANGEROUS.test(text)) return `${key} looks like a command`;
  }
  return undefined;
};

/** Base 0.7; a name that the request mentions, odd keys and ways out of a folder move it. */
export const scoreOf = ({ name, args, intent = '', knownArgs }: GuardInput): number => {
  const low = intent.toLowerCase();
  const [verb = '', object = ''] = name.split('_');
  const mentions = [verb, object, object.replace(/s$/, '')].some((token) => token.length > 2 && low.includes(token));
  const traverses = strings(args, '').some(
    ({ key, text }) => !CONTENT_KEYS.has(key.toLowerCase()) && /(?:^|[/\\])\.\.(?:[/\\]|$)/.test(text),
  );
  const isOdd = isObject(args) && Object.keys(args).some((key) => !knownArgs.includes(key));
  const isCritical = verb === 'delete' || verb === 'send' || verb === 'share';
  const score = 0.7 + (mentions ? 0.1 : 0) - (traverses ? 0.2 : 0) - (isOdd ? 0.1 : 0) + (isCritical ? 0 : 0.05);
  return Math.round(Math.min(1, Math.max(0, score)) * 100) / 100;
};

export const createGuard =
  (judge?: Judge) =>
  async (input: GuardInput): Promise<Verdict> => {
    const [verb = ''] = input.name.split('_');
    const reason = objection(verb, input.args);
    if (reason !== undefined) return { approved: false, reason, kind: 'guard', score: 0 };
    if (isVerb(verb) && isSafeVerb(verb))
      return { approved: true, reason: 'it only reads', kind: 'safe-verb', score: 1 };
    const given = await judge?.({
      name: input.name,
      argKeys: isObject(input.args) ? Object.keys(input.args).toSorted() : [],
      intent: input.intent ?? '',
    });
    const isJudged = given !== undefined && given >= 0 && given <= 1;
    const score = isJudged ? given : scoreOf(input);
    return {
      approved: score >= DENY_BELOW,
      reason: score >= DENY_BELOW ? 'it matches the request' : 'it doesn’t match the request',
      kind: isJudged ? 'model' : 'score',
      score,
    };
  };
