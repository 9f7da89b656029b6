/** Which words of a skill mean which verb and object of the vocabulary (D35). */
import { isObjectName, isVerb, type ObjectName, type Verb } from './vocabulary.ts';
import { actionWord, doerWord, nounOf } from './vocabulary-words.ts';

export interface Domain {
  readonly object: ObjectName;
  readonly qualifier?: string;
  readonly record: string;
}

const DOMAINS: Readonly<Record<string, Domain>> = {
  calendar: { object: 'events', record: 'calendar_event' },
  events: { object: 'events', record: 'calendar_event' },
  mail: { object: 'messages', record: 'email_message' },
  gmail: { object: 'messages', record: 'email_message' },
  email: { object: 'messages', record: 'email_message' },
  messages: { object: 'messages', record: 'message' },
  comments: { object: 'messages', record: 'message' },
  drive: { object: 'files', record: 'drive_file' },
  files: { object: 'files', record: 'file' },
  sheets: { object: 'files', qualifier: 'xlsx', record: 'drive_file' },
  docs: { object: 'files', qualifier: 'text', record: 'drive_file' },
  contacts: { object: 'contacts', record: 'contact' },
  people: { object: 'contacts', record: 'contact' },
  notes: { object: 'texts', record: 'text' },
  workflows: { object: 'tasks', record: 'task' },
  todos: { object: 'tasks', record: 'task' },
  // Nouns of public skills that clearly mean one of the objects (D35). A page or a repository could be several, and is none.
  issues: { object: 'tasks', record: 'issue' },
  tickets: { object: 'tasks', record: 'ticket' },
  meetings: { object: 'events', record: 'calendar_event' },
  appointments: { object: 'events', record: 'calendar_event' },
  folders: { object: 'dirs', record: 'folder' },
  directories: { object: 'dirs', record: 'folder' },
  photos: { object: 'images', record: 'image' },
  pictures: { object: 'images', record: 'image' },
  sms: { object: 'messages', record: 'message' },
  links: { object: 'urls', record: 'link' },
  presentations: { object: 'files', record: 'file' },
  pdfs: { object: 'files', qualifier: 'pdf', record: 'file' },
  workbooks: { object: 'files', qualifier: 'xlsx', record: 'file' },
  archives: { object: 'files', qualifier: 'zip', record: 'file' },
  videos: { object: 'files', qualifier: 'video', record: 'file' },
  screenshots: { object: 'images', record: 'image' },
  thumbnails: { object: 'images', record: 'image' },
  favicons: { object: 'images', record: 'image' },
  gifs: { object: 'images', record: 'image' },
  transcripts: { object: 'texts', record: 'text' },
  dependencies: { object: 'packages', record: 'package' },
  users: { object: 'persons', record: 'person' },
  locations: { object: 'places', record: 'place' },
};

/** What a command is about, and what it does to it: the two decide which verb is right. */
type Effect =
  | 'fetch_content'
  | 'fetch_metadata'
  | 'search'
  | 'body'
  | 'shape'
  | 'state'
  | 'access'
  | 'create'
  | 'delete'
  | 'deliver'
  | 'move'
  | 'own';

interface Cell {
  readonly verb: Verb;
  readonly effect: Effect;
  readonly object?: ObjectName;
  readonly qualifier?: string;
}

export const EXPECTED: Readonly<Record<Effect, readonly Verb[]>> = {
  fetch_content: ['read', 'list'],
  fetch_metadata: ['get', 'list', 'describe'],
  search: ['find', 'filter'],
  body: ['write', 'change'],
  shape: ['change'],
  state: ['set', 'change'],
  access: ['share'],
  create: ['create', 'set'],
  delete: ['delete'],
  deliver: ['send'],
  move: ['move'],
  own: ['sort', 'group', 'classify', 'render', 'extract', 'compress', 'compute', 'compare', 'order'],
};

const cell = (verb: Verb, effect: Effect, more: Omit<Cell, 'verb' | 'effect'> = {}): Cell => ({
  verb,
  effect,
  ...more,
});

const CONTEXT: Readonly<Record<string, Cell>> = {
  'calendar:list': cell('read', 'fetch_content'),
  'calendar:get': cell('read', 'fetch_content'),
  'calendar:create': cell('set', 'create'),
  'calendar:update': cell('set', 'state'),
  'mail:list': cell('read', 'fetch_content'),
  'mail:get': cell('read', 'fetch_content'),
  'mail:reply': cell('send', 'deliver'),
  'mail:labels': cell('list', 'fetch_metadata', { qualifier: 'labels' }),
  'mail:modify': cell('set', 'state'),
  'drive:get': cell('get', 'fetch_metadata'),
  'drive:list': cell('read', 'fetch_content'),
  'drive:download': cell('read', 'fetch_content'),
  'drive:upload': cell('write', 'body'),
  'drive:create-folder': cell('create', 'create', { object: 'dirs' }),
  'sheets:get': cell('read', 'fetch_content'),
  'sheets:create': cell('create', 'create'),
  'sheets:update': cell('change', 'shape'),
  'sheets:append': cell('change', 'shape'),
  'docs:get': cell('read', 'fetch_content'),
  'docs:create': cell('create', 'create'),
  'docs:append': cell('write', 'body'),
  'docs:update': cell('write', 'body'),
  'contacts:list': cell('read', 'fetch_content'),
  'contacts:get': cell('read', 'fetch_content'),
};

/** An action that is a verb of the vocabulary is that verb. */
const VERB_EFFECTS: Readonly<Partial<Record<Verb, Effect>>> = {
  describe: 'fetch_metadata',
  filter: 'search',
  change: 'shape',
};

const FLAT: Readonly<Record<string, Cell>> = {
  list: cell('read', 'fetch_content'),
  show: cell('read', 'fetch_content'),
  read: cell('read', 'fetch_content'),
  get: cell('get', 'fetch_metadata'),
  info: cell('get', 'fetch_metadata'),
  search: cell('find', 'search'),
  find: cell('find', 'search'),
  create: cell('create', 'create'),
  add: cell('create', 'create'),
  new: cell('create', 'create'),
  'create-folder': cell('create', 'create', { object: 'dirs' }),
  mkdir: cell('create', 'create', { object: 'dirs' }),
  send: cell('send', 'deliver'),
  reply: cell('send', 'deliver'),
  update: cell('set', 'state'),
  modify: cell('set', 'state'),
  set: cell('set', 'state'),
  delete: cell('delete', 'delete'),
  remove: cell('delete', 'delete'),
  share: cell('share', 'access'),
  upload: cell('write', 'body'),
  download: cell('read', 'fetch_content'),
  append: cell('write', 'body'),
  write: cell('write', 'body'),
  move: cell('move', 'move'),
  rename: cell('move', 'move'),
  labels: cell('list', 'fetch_metadata', { qualifier: 'labels' }),
  // Words that say no more and no less than one of the verbs.
  fetch: cell('read', 'fetch_content'),
  view: cell('read', 'fetch_content'),
  query: cell('find', 'search'),
  lookup: cell('find', 'search'),
  edit: cell('set', 'state'),
  generate: cell('create', 'create'),
  make: cell('create', 'create'),
  convert: cell('change', 'shape'),
  resize: cell('change', 'shape'),
  rotate: cell('change', 'shape'),
  crop: cell('change', 'shape'),
  merge: cell('change', 'shape'),
  split: cell('change', 'shape'),
  fill: cell('change', 'shape'),
  calculate: cell('compute', 'own'),
  count: cell('compute', 'own'),
  parse: cell('extract', 'own'),
  unzip: cell('extract', 'own'),
  unpack: cell('extract', 'own'),
  zip: cell('compress', 'own'),
  pack: cell('compress', 'own'),
  diff: cell('compare', 'own'),
  plot: cell('render', 'own'),
  draw: cell('render', 'own'),
  analyze: cell('describe', 'fetch_metadata'),
  analyse: cell('describe', 'fetch_metadata'),
  inspect: cell('describe', 'fetch_metadata'),
};

/** Domains that mean the same are one row of the table. */
const FAMILY: Readonly<Record<string, string>> = {
  gmail: 'mail',
  email: 'mail',
  events: 'calendar',
  files: 'drive',
  people: 'contacts',
  sheet: 'sheets',
  spreadsheet: 'sheets',
  spreadsheets: 'sheets',
  doc: 'docs',
  documents: 'docs',
  issue: 'issues',
  ticket: 'tickets',
  todo: 'todos',
  meeting: 'meetings',
  appointment: 'appointments',
  folder: 'folders',
  directory: 'directories',
  photo: 'photos',
  picture: 'pictures',
  comment: 'comments',
  link: 'links',
  pdf: 'pdfs',
  docx: 'docs',
  xlsx: 'sheets',
  pptx: 'presentations',
  presentation: 'presentations',
  workbook: 'workbooks',
  archive: 'archives',
  video: 'videos',
  screenshot: 'screenshots',
  thumbnail: 'thumbnails',
  favicon: 'favicons',
  gif: 'gifs',
  transcript: 'transcripts',
  dependency: 'dependencies',
  user: 'users',
  location: 'locations',
};

const familyOf = (domain: string): string => (Object.hasOwn(FAMILY, domain) ? FAMILY[domain] : undefined) ?? domain;

export const domainOf = (domain: string): Domain | undefined => {
  const own = Object.hasOwn(DOMAINS, domain) ? domain : familyOf(domain);
  const known = Object.hasOwn(DOMAINS, own) ? DOMAINS[own] : undefined;
  if (known) return known;
  // A domain that is an object of the vocabulary, in the singular or the plural.
  const object = [domain, `${domain}s`].find(isObjectName);
  if (object) return { object, record: object.replace(/s$/, '') };
  return nounOf(domain);
};

export const cellOf = (domain: string, action: string): Cell | undefined => {
  const word = action
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll('_', '-');
  const key = `${familyOf(domain)}:${word}`;
  if (Object.hasOwn(CONTEXT, key)) return CONTEXT[key];
  if (Object.hasOwn(FLAT, word)) return FLAT[word];
  if (isVerb(word)) return cell(word, VERB_EFFECTS[word] ?? 'own');
  const same = actionWord(word);
  return same === undefined ? undefined : cellOf(domain, same);
};

const partsOf = (word: string): readonly string[] =>
  word
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_]/)
    .filter((part) => part !== '');

/** The last word of a phrase is what it is about: `aws-icon` is an icon. */
const headOf = (parts: readonly string[]): string | undefined => {
  const whole = parts.join('-');
  if (domainOf(whole)) return whole;
  const last = parts.at(-1);
  return last !== undefined && domainOf(last) ? last : undefined;
};

export interface NameWords {
  readonly action?: string;
  readonly domain?: string;
  /** All words are understood: there is no other noun in it. */
  readonly isWhole: boolean;
}

const PREPOSITION = /^(?:to|from|into|with|in|for|by|as|of|on|via|using)$/;

/** What a name says: `list-issues`, `convert_pdf_to_images`, `report_generator`, `person-get`, `epub_to_markdown`, `extract`. */
export const readWords = (word: string): NameWords => {
  const parts = partsOf(word);
  const [first = ''] = parts;
  const last = parts.at(-1) ?? '';
  // `create-folder` is an action of its own.
  for (let at = 1; at < parts.length; at++) {
    const [action, domain] = [parts.slice(0, at).join('-'), parts.slice(at).join('-')];
    if (cellOf(domain, action) && domainOf(domain)) return { action, domain, isWhole: true };
  }
  const preposition = parts.findIndex((part, index) => index > 0 && PREPOSITION.test(part));
  const [front, behind] =
    preposition === -1 ? [parts, []] : [parts.slice(0, preposition), parts.slice(preposition + 1)];
  // `compose_validator` validates: who does it says more than the word in front.
  const isDoer = parts.length > 1 && /[eo]r$/.test(last) && doerWord(last) !== undefined;
  if (cellOf('', first) && !isDoer) {
    // `convert-pdf-to-images`: what it is done to stands first.
    const domain = headOf(front.slice(1)) ?? (front.length === 1 ? headOf(behind) : undefined);
    return {
      action: first,
      ...(domain !== undefined && { domain }),
      isWhole: domain !== undefined || parts.length === 1,
    };
  }
  // `epub_to_markdown`.
  if (preposition !== -1 && /^(?:to|into)$/.test(parts[preposition] ?? '')) {
    const domain = headOf(front) ?? headOf(behind);
    if (domain !== undefined) return { action: 'convert', domain, isWhole: true };
  }
  const doer = doerWord(last) ?? (cellOf('', last) && parts.length > 1 ? last : undefined);
  if (doer !== undefined) {
    const domain = headOf(parts.slice(0, -1));
    return {
      action: doer,
      ...(domain !== undefined && { domain }),
      isWhole: domain !== undefined || parts.length === 1,
    };
  }
  const domain = headOf(parts);
  return { ...(domain !== undefined && { domain }), isWhole: domain !== undefined };
};

/** Both halves of a name such as `list-issues`: what is done, and to what. */
export const verbAndNoun = (word: string): { readonly action: string; readonly domain: string } | undefined => {
  const { action, domain } = readWords(word);
  return action === undefined || domain === undefined ? undefined : { action, domain };
};
