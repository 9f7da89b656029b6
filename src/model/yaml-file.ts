/** A YAML file that a person wrote for Lathe. What is wrong with it as YAML is reported with its line, before anyone looks at what it says. */
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, visit, type Document } from 'yaml';
import { errorMessage } from '../base/errors.ts';
import { err, ok, type Result } from '../base/result.ts';

export interface YamlFault {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

export interface YamlFile {
  readonly data: unknown;
  /** The line of a key or item; if none exists, of the nearest on the way to it. */
  readonly lineOf: (path: readonly PropertyKey[]) => number;
}

const MOST_ALIASES = 100;

/** References that lead nowhere, or around in a circle: neither can be a value. */
const aliasFaults = (document: Document, lines: LineCounter): readonly YamlFault[] => {
  const faults: YamlFault[] = [];
  visit(document, {
    Alias: (_key, alias, path) => {
      const target = alias.resolve(document);
      const { line } = lines.linePos(alias.range?.[0] ?? 0);
      if (!target) faults.push({ line, message: `there is no anchor “&${alias.source}” before this` });
      else if (path.includes(target)) faults.push({ line, message: `“*${alias.source}” holds itself` });
    },
  });
  return faults;
};

const createLineOf =
  (document: Document, lines: LineCounter): YamlFile['lineOf'] =>
  (path) => {
    let node: unknown = document.contents;
    let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
    for (const step of path) {
      if (isAlias(node)) node = node.resolve(document);
      if (isMap(node)) {
        const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
        if (!pair) break;
        if (isNode(pair.key) && pair.key.range) offset = pair.key.range[0];
        node = pair.value;
      } else if (isSeq(node) && typeof step === 'number') {
        node = node.items[step];
        if (!isNode(node)) break;
        if (node.range) offset = node.range[0];
      } else break;
    }
    return lines.linePos(offset).line;
  };

export const readYamlFile = (text: string): Result<YamlFile, readonly YamlFault[]> => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const faults = [
    ...document.errors.map(({ pos, code, message }) => ({
      line: lines.linePos(pos[0]).line,
      message: code === 'MULTIPLE_DOCS' ? 'the file holds several documents; keep one' : `not YAML: ${message}`,
    })),
    ...aliasFaults(document, lines),
  ];
  if (faults.length > 0) return err(faults.toSorted((a, b) => a.line - b.line));
  try {
    const data: unknown = document.toJS({ maxAliasCount: MOST_ALIASES });
    return ok({ data, lineOf: createLineOf(document, lines) });
  } catch (thrown) {
    return err([{ line: 1, message: errorMessage(thrown) }]);
  }
};
