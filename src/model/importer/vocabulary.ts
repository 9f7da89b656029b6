/** The closed vocabulary: 23 verbs, 19 objects, and qualifiers that each go with certain objects (D35). */

export const VERBS = [
  'read',
  'write',
  'move',
  'delete',
  'create',
  'find',
  'list',
  'filter',
  'sort',
  'group',
  'classify',
  'get',
  'set',
  'send',
  'describe',
  'render',
  'extract',
  'compress',
  'compute',
  'compare',
  'change',
  'order',
  'share',
] as const;
export type Verb = (typeof VERBS)[number];

export const OBJECTS = [
  'files',
  'dirs',
  'packages',
  'messages',
  'events',
  'contacts',
  'places',
  'processes',
  'urls',
  'numbers',
  'images',
  'signatures',
  'texts',
  'proposals',
  'persons',
  'tasks',
  'inputs',
  'credentials',
  'entries',
] as const;
export type ObjectName = (typeof OBJECTS)[number];

/** Empty: goes with every object. */
const QUALIFIERS: Readonly<Record<string, readonly ObjectName[]>> = {
  csv: ['files', 'texts', 'entries'],
  xlsx: ['files'],
  ocr: ['files', 'images'],
  zip: ['files', 'dirs'],
  pdf: ['files'],
  xml: ['files', 'texts'],
  html: ['files', 'texts', 'urls'],
  json: ['files', 'texts', 'entries'],
  text: ['files', 'messages'],
  gz: ['files'],
  tar: ['files', 'dirs'],
  video: ['files'],
  audio: ['files'],
  image: ['files'],
  hash: ['files', 'texts'],
  loc: ['files', 'images', 'places'],
  lines: ['texts', 'messages'],
  paragraphs: ['texts'],
  sentences: ['texts'],
  pages: ['files', 'texts'],
  segments: ['texts'],
  indices: ['entries', 'texts'],
  history: ['messages', 'events', 'urls'],
  size: [],
  format: [],
  similar: [],
  empty: [],
  web: [],
};

export const isVerb = (word: string): word is Verb => VERBS.some((verb) => verb === word);
export const isObjectName = (word: string): word is ObjectName => OBJECTS.some((name) => name === word);

/** Why a qualifier cannot come after an object; nothing if it can. */
export const qualifierObjection = (qualifier: string, object: ObjectName): string | undefined => {
  const allowed = Object.hasOwn(QUALIFIERS, qualifier) ? QUALIFIERS[qualifier] : undefined;
  if (!allowed) return `“${qualifier}” isn’t a canonical qualifier`;
  return allowed.length === 0 || allowed.includes(object) ? undefined : `“${qualifier}” doesn’t go with ${object}`;
};

/** These only look: no judge is asked before they run. */
const SAFE: ReadonlySet<Verb> = new Set([
  'read',
  'find',
  'get',
  'list',
  'filter',
  'describe',
  'classify',
  'compute',
  'compare',
  'sort',
  'group',
]);
const PRODUCERS: ReadonlySet<Verb> = new Set(['read', 'find', 'get', 'list', 'filter', 'describe']);

export const isSafeVerb = (verb: Verb): boolean => SAFE.has(verb);
/** Those that give entries; all others give results. */
export const outputKind = (verb: Verb): 'entries' | 'results' => (PRODUCERS.has(verb) ? 'entries' : 'results');

export interface NameParts {
  readonly verb: Verb;
  readonly object: ObjectName;
  readonly qualifiers: readonly string[];
  /** Of a name with a provider. */
  readonly binding?: string;
}

/** The parts of `verb_object[_qualifier…][_binding]`, or why it is no such name. */
export const readName = (
  name: string,
  binding: string,
): { readonly ok: true; readonly parts: NameParts } | { readonly ok: false; readonly reason: string } => {
  const bare = name.endsWith(`_${binding}`) ? name.slice(0, -binding.length - 1) : name;
  const [verb = '', object = '', ...qualifiers] = bare.split('_');
  if (!isVerb(verb)) return { ok: false, reason: `“${verb}” isn’t one of the ${VERBS.length} verbs` };
  if (!isObjectName(object)) return { ok: false, reason: `“${object}” isn’t one of the ${OBJECTS.length} objects` };
  for (const qualifier of qualifiers) {
    const objection = qualifierObjection(qualifier, object);
    if (objection !== undefined) return { ok: false, reason: objection };
  }
  return { ok: true, parts: { verb, object, qualifiers, ...(bare !== name && { binding }) } };
};
