/** Words of public skills that clearly mean one object or one verb of the vocabulary (D35): data, read by the map beside it. */
import type { ObjectName } from './vocabulary.ts';

export interface Noun {
  readonly object: ObjectName;
  readonly qualifier?: string;
  readonly record: string;
}

/** `object`, or `object qualifier`, and its nouns in the singular. What could mean several (page, repository, project, key, token) is none. */
const ROWS: readonly (readonly [kind: string, nouns: string])[] = [
  ['tasks', 'bug reminder chore subtask'],
  ['events', 'booking reservation webinar'],
  ['messages', 'notification tweet newsletter'],
  ['persons', 'person employee candidate customer attendee'],
  ['contacts', 'lead'],
  ['places', 'city venue restaurant hotel station'],
  ['urls', 'url website webpage bookmark'],
  [
    'images',
    'diagram chart infographic schematic icon logo figure illustration poster banner avatar sticker meme wallpaper drawing png jpg jpeg svg qrcode mermaid drawio',
  ],
  [
    'texts',
    'article paper story summary prompt citation bibliography bibtex glossary checklist changelog readme report essay letter poem markdown md memo abstract chapter outline docstring transcription caption subtitle lyric biography doi prose headline',
  ],
  ['proposals', 'recommendation suggestion idea'],
  ['numbers', 'metric statistic stat price rate score cost budget kpi ratio salary quote roi'],
  ['entries', 'record row item log finding dataset data metadata'],
  ['packages', 'package library'],
  ['processes', 'process job daemon container'],
  ['files', 'epub ebook notebook attachment upload download path filename filepath slide deck ppt keynote'],
  ['files csv', 'csv tsv'],
  ['files json', 'json jsonl sarif'],
  ['files xml', 'xml'],
  ['files html', 'html'],
  ['files pdf', 'pdf'],
  ['files audio', 'audio song music podcast speech sound mp3 wav'],
  ['files video', 'clip movie mp4'],
  ['files zip', 'tarball'],
  ['dirs', 'dir'],
  ['credentials', 'secret password'],
  ['inputs', 'question survey'],
  ['signatures', 'certificate'],
];

const NOUNS: ReadonlyMap<string, Noun> = new Map(
  ROWS.flatMap(([kind, nouns]) => {
    const [object = '', qualifier] = kind.split(' ');
    return nouns.split(' ').map((noun): readonly [string, Noun] => [
      noun,
      // The rows above name objects of the vocabulary; a test holds that.
      { object: object as ObjectName, ...(qualifier !== undefined && { qualifier }), record: noun },
    ]);
  }),
);

export const allNouns = (): Iterable<Noun> => NOUNS.values();

/** A noun, in the singular or the plural. */
export const nounOf = (word: string): Noun | undefined =>
  [word, word.replace(/ies$/, 'y'), word.replace(/s$/, ''), word.replace(/es$/, '')]
    .map((form) => NOUNS.get(form))
    .find((noun) => noun !== undefined);

/** Words of actions, by the action of the map that they mean. */
const ACTIONS: Readonly<Record<string, string>> = {
  describe:
    'check validate verify audit lint review assess evaluate examine diagnose profile summarize summarise explain scan',
  find: 'detect discover identify locate',
  create: 'build scaffold init initialize initialise draft compose produce',
  read: 'load open dump print cat preview scrape crawl ls',
  write: 'save store',
  convert:
    'transform format reformat clean normalize normalise optimize optimise translate trim strip replace repair annotate watermark encrypt decrypt enhance rearrange insert',
  compute: 'estimate measure score forecast predict benchmark calc recalc recalculate simulate',
  extract: 'transcribe',
  compress: 'minify shrink',
  group: 'cluster',
  classify: 'categorize categorise',
  order: 'rank prioritize prioritise',
  filter: 'dedupe deduplicate',
  render: 'visualize visualise',
  send: 'post publish notify submit forward',
  delete: 'rm purge prune',
  get: 'status',
  set: 'patch assign close complete',
};

/** Who does it, or what is done, in the name of a script: `report_generator`, `gap_analysis`. */
const DOERS: Readonly<Record<string, string>> = {
  generate: 'generator generation',
  describe:
    'analyzer analyser analysis validator validation checker auditor linter reviewer evaluator assessor profiler summarizer inspector scanner evaluation assessment',
  convert:
    'converter conversion formatter optimizer optimiser translator cleaner transformer normalizer merger splitter',
  extract: 'extractor extraction parser',
  compute: 'calculator estimator predictor forecaster counter scorer simulator simulation calculation',
  find: 'finder detector searcher',
  create: 'builder creator maker composer scaffolder drafter',
  read: 'fetcher downloader reader loader scraper crawler',
  write: 'writer',
  compare: 'comparator comparer comparison differ',
  render: 'renderer visualizer plotter',
  order: 'ranker prioritizer',
  sort: 'sorter',
  classify: 'classifier categorizer classification',
  group: 'clusterer clustering',
  send: 'sender notifier publisher',
  compress: 'compressor minifier',
  filter: 'deduplicator',
};

const byWord = (table: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(table).flatMap(([action, words]) => words.split(' ').map((word) => [word, action] as const)));

const ACTION_WORDS = byWord(ACTIONS);
const DOER_WORDS = byWord(DOERS);

/** The action that a word means, where it is not one of the map itself. */
export const actionWord = (word: string): string | undefined => ACTION_WORDS.get(word);
/** The action of a word that comes after what it is about. */
export const doerWord = (word: string): string | undefined => DOER_WORDS.get(word);
