/** Descriptions and affinity words by fixed rules, for when no model is asked or none answers. */
import type { ExecutorPlan, Wording } from './types.ts';
import type { ObjectName, Verb } from './vocabulary.ts';

type Words = { readonly en: readonly string[]; readonly it: readonly string[] };
const w = (en: string, it: string): Words => ({ en: en.split('|'), it: it.split('|') });

const VERB_WORDS: Readonly<Record<Verb, Words>> = {
  read: w('read|show', 'leggi|mostra'),
  write: w('write|save', 'scrivi|salva'),
  move: w('move|rename', 'sposta|rinomina'),
  delete: w('delete|remove', 'elimina|cancella'),
  create: w('create|make', 'crea|prepara'),
  find: w('find|search', 'trova|cerca'),
  list: w('list|enumerate', 'elenca|enumera'),
  filter: w('filter|narrow', 'filtra|restringi'),
  sort: w('sort|arrange', 'ordina|disponi'),
  group: w('group|bundle', 'raggruppa|riunisci'),
  classify: w('classify|label', 'classifica|etichetta'),
  get: w('get|look up', 'ottieni|consulta'),
  set: w('set|schedule', 'imposta|fissa'),
  send: w('send|deliver', 'invia|manda'),
  describe: w('describe|summarise', 'descrivi|riassumi'),
  render: w('render|draw', 'disegna|rendi'),
  extract: w('extract|unpack', 'estrai|spacchetta'),
  compress: w('compress|pack', 'comprimi|impacchetta'),
  compute: w('compute|calculate', 'calcola|computa'),
  compare: w('compare|contrast', 'confronta|paragona'),
  change: w('change|edit', 'modifica|cambia'),
  order: w('order|rank', 'ordina|metti in fila'),
  share: w('share|give access to', 'condividi|concedi'),
};

const OBJECT_WORDS: Readonly<Record<ObjectName, Words>> = {
  files: w('files|documents on the drive', 'file|documenti nel drive'),
  dirs: w('folders|directories', 'cartelle|directory'),
  packages: w('packages|parcels', 'pacchetti|colli'),
  messages: w('messages|mail', 'messaggi|posta'),
  events: w('events|appointments', 'eventi|appuntamenti'),
  contacts: w('contacts|addresses', 'contatti|rubrica'),
  places: w('places|locations', 'luoghi|posizioni'),
  processes: w('processes|running programs', 'processi|programmi in esecuzione'),
  urls: w('links|web addresses', 'link|indirizzi web'),
  numbers: w('numbers|figures', 'numeri|cifre'),
  images: w('images|pictures', 'immagini|foto'),
  signatures: w('signatures|seals', 'firme|sigilli'),
  texts: w('texts|notes', 'testi|note'),
  proposals: w('proposals|suggestions', 'proposte|suggerimenti'),
  persons: w('persons|people', 'persone|gente'),
  tasks: w('tasks|to-dos', 'attività|cose da fare'),
  inputs: w('inputs|answers', 'input|risposte'),
  credentials: w('credentials|keys', 'credenziali|chiavi'),
  entries: w('entries|records', 'voci|record'),
};

const QUALIFIED: Readonly<Record<string, Words>> = {
  xlsx: w('spreadsheets|sheet cells', 'fogli di calcolo|celle del foglio'),
  text: w('text documents|docs', 'documenti di testo|documenti'),
  csv: w('csv tables|csv rows', 'tabelle csv|righe csv'),
  pdf: w('pdf files|pdf pages', 'file pdf|pagine pdf'),
  zip: w('zip archives|archives', 'archivi zip|archivi'),
  json: w('json data|json records', 'dati json|record json'),
};

const nounsOf = ({ object, qualifiers, suffix }: ExecutorPlan): Words => {
  const [first] = qualifiers;
  const base = (first === undefined ? undefined : QUALIFIED[first]) ?? OBJECT_WORDS[object];
  if (suffix === undefined) return base;
  const provider = suffix.replaceAll('_', ' ');
  return { en: base.en.map((noun) => `${provider} ${noun}`), it: base.it.map((noun) => `${noun} di ${provider}`) };
};

const ITALIAN = new Set(Object.values(VERB_WORDS).flatMap(({ it }) => it));

/** A phrase of the Italian list: its first words are a verb of it. */
export const isItalian = (phrase: string): boolean =>
  [...ITALIAN].some((verb) => phrase === verb || phrase.startsWith(`${verb} `));

const MAX_AFFINITY = 15;

/** Verbs and nouns of both languages in turn, so that no verb fills the list alone. */
const affinityOf = (plan: ExecutorPlan): readonly string[] => {
  const verbs = VERB_WORDS[plan.verb];
  const nouns = nounsOf(plan);
  const found: string[] = [];
  for (let verb = 0; verb < 2; verb++)
    for (let noun = 0; noun < 2; noun++) {
      found.push(`${verbs.en[verb] ?? ''} ${nouns.en[noun] ?? ''}`, `${verbs.it[verb] ?? ''} ${nouns.it[noun] ?? ''}`);
    }
  found.push(`${plan.source.domain} ${plan.source.action}`);
  return [...new Set(found.map((phrase) => phrase.toLowerCase()))].slice(0, MAX_AFFINITY);
};

const list = (names: readonly string[]): string => names.join(', ');

export const templateWording = (plan: ExecutorPlan, skill: string): Wording => {
  const verbs = VERB_WORDS[plan.verb];
  const nouns = nounsOf(plan);
  const required = plan.args.filter(({ required: isNeeded }) => isNeeded).map(({ name }) => name);
  const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
  const oneOf = plan.requiresOneOf.map((group) => group.join(' / '));
  const needs = [...required, ...oneOf];
  return {
    en: `${capital(verbs.en[0] ?? plan.verb)} ${nouns.en[0] ?? plan.object} through the skill ${skill} (${plan.source.domain} ${plan.source.action}).${needs.length > 0 ? ` Needs ${list(needs)}.` : ''} Gives ${plan.output}.`,
    it: `${capital(verbs.it[0] ?? plan.verb)} ${nouns.it[0] ?? plan.object} con la skill ${skill} (${plan.source.domain} ${plan.source.action}).${needs.length > 0 ? ` Richiede ${list(needs)}.` : ''} Restituisce ${plan.output}.`,
    affinity: affinityOf(plan),
    by: 'template',
  };
};

const clean = (phrases: readonly string[]): string[] => [
  ...new Set(
    phrases.map((phrase) => phrase.trim().toLowerCase()).filter((phrase) => phrase !== '' && phrase.length <= 60),
  ),
];

/** What a model wrote, where it keeps to the form; else nothing. */
export const acceptWording = (given: {
  readonly it: string;
  readonly en: string;
  readonly affinity: readonly string[];
}): Wording | undefined => {
  const affinity = clean(given.affinity);
  const isText = (text: string): boolean =>
    text.trim() !== '' &&
    text.length <= 320 &&
    !/[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2060-\u2069]/.test(text);
  if (affinity.length < 8 || affinity.length > MAX_AFFINITY || !isText(given.it) || !isText(given.en)) return undefined;
  return { it: given.it.trim(), en: given.en.trim(), affinity, by: 'model' };
};
