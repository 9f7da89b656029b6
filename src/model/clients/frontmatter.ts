/** Frontmatter as clients read it: leniently, and each in its own way. */
import { isMap, parseDocument, visit } from 'yaml';
import { errorMessage } from '../../base/errors.ts';
import { err, ok, type Result } from '../../base/result.ts';

/** A key's value; a key that is there twice has its last one. */
export type Fields = Readonly<Record<string, unknown>>;

const NO_FIELDS: Fields = Object.freeze({});
/** Longer frontmatter was not written by hand. */
const MOST_YAML = 64 * 1024;
const MOST_ALIASES = 100;
const SEVERAL = 'MULTIPLE_DOCS';
/** Compact nesting is the only way to be deep in little space, and a parser recurses on it. */
const DEEP = /[[{](?:[^[{]{0,40}[[{]){60}|(?:[-?:][ \t]+){60}/;

// oxlint-disable-next-line no-control-regex -- these are what it refuses
const NOT_PRINTABLE = /[\0-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F\uFFFE\uFFFF]/;

export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface YamlOptions {
  /** `<<` merges mappings; in front of anything else it is a key. */
  readonly merge?: boolean;
  /** Numbers, booleans, and bytes as they are written: `1.50`, not 1.5. */
  readonly asWritten?: boolean;
  /** A key that is there twice is a fault. */
  readonly unique?: boolean;
  /** Faults that the client's reader overlooks. */
  readonly overlook?: (code: string, message: string) => boolean;
  /** Keys of any kind, and several documents, of which none is a mapping of fields. */
  readonly lax?: boolean;
  /** As js-yaml reads: no control characters, no tags but that of text, each key once, and a comment close to a quote. */
  readonly asJsYaml?: boolean;
  /** What else the client refuses in the document. */
  readonly refuse?: (contents: unknown, text: string) => string | undefined;
}

/** A comment may follow a quoted value without a blank. */
export const overlooksComment = (code: string, message: string): boolean =>
  code === 'MISSING_CHAR' && message.startsWith('Comments must be');

/** Tags that js-yaml knows, with what the values of scalars have to look like. */
const CORE = 'tag:yaml.org,2002:';
const TAGGED: ReadonlyMap<string, RegExp> = new Map([
  [`${CORE}str`, /^/],
  [`${CORE}null`, /^(?:~|null|Null|NULL|)$/],
  [`${CORE}bool`, /^(?:true|True|TRUE|false|False|FALSE)$/],
  [`${CORE}int`, /^[-+]?(?:0b[01_]+|0o[0-7_]+|0x[\da-fA-F_]+|\d[\d_]*)$/],
  [
    `${CORE}float`,
    /^(?:[-+]?(?:\d[\d_]*(?:\.[\d_]*)?(?:[eE][-+]?\d+)?|\.[\d_]+(?:[eE][-+]?\d+)?|\.(?:inf|Inf|INF))|\.(?:nan|NaN|NAN))$/,
  ],
  [`${CORE}binary`, /^[A-Za-z\d+/=\s]*$/],
  [`${CORE}timestamp`, /^\d{4}-\d{1,2}-\d{1,2}/],
]);
const TAGGED_PARTS: ReadonlySet<string> = new Set(['map', 'seq', 'set', 'omap', 'pairs'].map((name) => CORE + name));

const refuseTags = (contents: unknown): string | undefined => {
  let fault: string | undefined;
  const refuse = (): symbol => {
    fault = 'it contains a tag';
    return visit.BREAK;
  };
  if (isMap(contents))
    visit(contents, {
      Scalar: (_key, { tag, source = '' }) =>
        tag === undefined || TAGGED.get(tag)?.test(source) === true ? undefined : refuse(),
      Collection: (_key, { tag }) => (tag === undefined || TAGGED_PARTS.has(tag) ? undefined : refuse()),
    });
  return fault;
};

/** YAML 1.2. An empty text and whatever is not a mapping have no fields. */
export const readYaml = (text: string, options: YamlOptions = {}): Result<Fields, string> => {
  const { asJsYaml = false, merge = asJsYaml, unique = asJsYaml, asWritten = false, lax = false } = options;
  const { overlook = asJsYaml ? overlooksComment : undefined, refuse = asJsYaml ? refuseTags : undefined } = options;
  if (text.length > MOST_YAML || DEEP.test(text)) return err('the frontmatter is too long or nested too deeply');
  if (asJsYaml && NOT_PRINTABLE.test(text)) return err('the frontmatter contains control characters');
  try {
    const document = parseDocument(asJsYaml ? text.replaceAll(/\r\n?/g, '\n') : text, {
      uniqueKeys: unique,
      logLevel: 'error',
      prettyErrors: false,
      stringKeys: !lax,
      merge,
    });
    const fault = document.errors.find(({ code, message }) => !(lax && code === SEVERAL) && !overlook?.(code, message));
    if (fault) return err(fault.message);
    if (document.errors.some(({ code }) => code === SEVERAL)) return ok(NO_FIELDS);
    const refused = refuse?.(document.contents, text);
    if (refused !== undefined) return err(refused);
    if (asWritten)
      visit(document, {
        Scalar: (_key, node) => {
          const { value } = node;
          if (typeof value === 'number' || typeof value === 'boolean' || value instanceof Uint8Array)
            node.value = node.source;
        },
      });
    const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES });
    return ok(isRecord(value) ? value : NO_FIELDS);
  } catch (thrown) {
    const message = errorMessage(thrown);
    return merge && message.startsWith('Merge sources') ? readYaml(text, { ...options, merge: false }) : err(message);
  }
};

/** Text of a scalar, as a program writes it; nothing of a list, a mapping, or nothing. */
export const scalarText = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
    ? String(value)
    : undefined;
};

export const BYTE_ORDER_MARK = '\uFEFF';

/** Whether a plain value is not YAML because it holds a colon, or starts like a list. Puts it in quotes. `pattern` finds key and value of a line. */
export const quotePlainValues = (yaml: string, pattern: RegExp, isRisky: (value: string) => boolean): string =>
  yaml
    .split('\n')
    .map((line) => {
      const [, key, value] = pattern.exec(line) ?? [];
      if (key === undefined || value === undefined || !isRisky(value)) return line;
      return `${key}: "${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
    })
    .join('\n');
