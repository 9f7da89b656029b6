/**
 * Where Python's YAML readers refuse what the YAML library accepts: PyYAML (the skill format's loader, Claude's upload check), and
 * ruamel behind strictyaml (the reference validator). Asked only for frontmatter that is otherwise good.
 */
import { scalarType } from './scalar-types.ts';
import type { Profile, TextRange } from './types.ts';
import { isMergeKey } from './yaml-shape.ts';
import type { ScalarNode, YamlNode } from './yaml-nodes.ts';
import { resolveAlias, type YamlTree } from './yaml-tree.ts';

export interface PythonProblem {
  readonly kind: 'tab' | 'construct';
  readonly readers: 'pyyaml' | 'both';
  readonly message: string;
  readonly range: TextRange;
  /** Every place where it happens, the first included: one fix mends them all. */
  readonly places?: readonly TextRange[];
  /** The text at the range, where quotes would make it a string for everybody. */
  readonly quoted?: string;
}

/** Nearly all frontmatter ends here. */
const SUSPECT = /[\t\u0085\u2028\u2029!]|<<|=\s|=$|\d{4}-\d|[\n\r{,] *:/;

/** Where a tab may stand: from an opening quote on, or below the header of a block scalar. */
const freeFrom = (text: string, scalar: ScalarNode): number => {
  const { start, end } = scalar.range;
  if (scalar.style === 'single' || scalar.style === 'double') return start;
  return start + (/^[^\r\n]*/.exec(text.slice(start, end))?.[0].length ?? 0);
};

/** A tab is only allowed inside quotes, block scalars and comments. `scalars` are in order of position. */
const tabProblem = (
  text: string,
  start: number,
  end: number,
  scalars: readonly ScalarNode[],
): PythonProblem | undefined => {
  if (!text.slice(start, end).includes('\t')) return undefined;
  const free = scalars
    .filter((scalar) => scalar.style !== 'plain')
    .map((scalar) => ({ start: freeFrom(text, scalar), end: scalar.range.end }));
  const places: TextRange[] = [];
  let next = 0;
  let at = start;
  while (at < end) {
    const scalar = free[next];
    if (scalar && at >= scalar.start) {
      at = Math.max(at, scalar.end);
      next++;
    } else if (text[at] === '#' && (at === start || /\s/.test(text[at - 1] ?? ''))) {
      while (at < end && text[at] !== '\n' && text[at] !== '\r') at++;
    } else if (text[at] === '\t') {
      const from = at;
      while (text[at] === '\t') at++;
      places.push({ start: from, end: at });
    } else at++;
  }
  const [range] = places;
  return (
    range && {
      kind: 'tab',
      readers: 'both',
      message: 'A tab is outside quotes. Python’s YAML readers refuse it.',
      range,
      places,
    }
  );
};

const isRealDate = (text: string): boolean => {
  const match = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt]|[ \t]+)(\d{1,2}):(\d{2}):(\d{2}))?/.exec(text);
  if (!match) return true;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const lengths = [
    31,
    (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28,
    31,
    30,
    31,
    30,
    31,
    31,
    30,
    31,
    30,
    31,
  ];
  return (
    year > 0 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= (lengths[month - 1] ?? 0) &&
    hour < 24 &&
    minute < 60 &&
    second < 60
  );
};

const CORE_TAGS = /^tag:yaml\.org,2002:(?:str|int|float|bool|null|timestamp|seq|map|binary|omap|pairs|set)$/;

const construct = (readers: PythonProblem['readers'], message: string, range: TextRange): PythonProblem => ({
  kind: 'construct',
  readers,
  message,
  range,
});

const scalarProblem = (node: ScalarNode, isKey: boolean): PythonProblem | undefined => {
  if (node.style !== 'plain') return undefined;
  const quoted = node.text;
  if (/[\u0085\u2028\u2029]/.test(node.text)) {
    return {
      ...construct('pyyaml', 'An unquoted Unicode line separator ends the line for Python’s YAML reader.', node.range),
      quoted,
    };
  }
  const type = scalarType(node, '1.1');
  if (type === 'timestamp' && !isRealDate(node.text))
    return { ...construct('pyyaml', `\`${node.text}\` looks like a date that doesn’t exist.`, node.range), quoted };
  if (!isKey && (type === 'value' || type === 'merge')) {
    return {
      ...construct(
        'pyyaml',
        `A lone \`${node.text}\` means nothing to Python’s YAML reader. Put it in quotes.`,
        node.range,
      ),
      quoted,
    };
  }
  return undefined;
};

/** `null`: a mapping or a list of mappings, as `<<` wants it. */
const mergeProblem = (value: YamlNode): PythonProblem | undefined => {
  const target = resolveAlias(value);
  const bad =
    target?.kind === 'seq'
      ? target.items.find((item) => resolveAlias(item)?.kind !== 'map')
      : target?.kind === 'map'
        ? undefined
        : value;
  return bad && construct('both', 'A merge key `<<` needs a mapping.', bad.range);
};

/** A key without text, or one whose colon is in the next line. Only an explicit key (`? a`) may have that. */
const colonProblem = (text: string, key: YamlNode): PythonProblem | undefined => {
  const before = /(?:^|[\n\r])[ ]*(?:- +)*\? *$/.test(text.slice(Math.max(0, key.range.start - 40), key.range.start));
  if (before) return undefined;
  if (key.range.start === key.range.end) return construct('pyyaml', 'Missing key before the colon.', key.range);
  const gap = /^[\s]*:/.exec(text.slice(key.range.end, key.range.end + 200))?.[0] ?? '';
  return /[\n\r]/.test(gap)
    ? construct('both', 'The colon must be on the same line as its key.', key.range)
    : undefined;
};

interface Found {
  readonly problems: PythonProblem[];
  readonly scalars: ScalarNode[];
  readonly anchors: Set<string>;
  readonly text: string;
}

const walk = (node: YamlNode, isKey: boolean, found: Found): void => {
  const { problems, scalars, anchors, text } = found;
  if (node.anchor !== undefined) {
    if (anchors.has(node.anchor))
      problems.push(construct('pyyaml', `The anchor \`&${node.anchor}\` is defined twice.`, node.range));
    anchors.add(node.anchor);
  }
  if (node.tag !== undefined && !CORE_TAGS.test(node.tag)) {
    problems.push(construct('pyyaml', `The tag \`${node.tag}\` is unknown to Python’s YAML reader.`, node.range));
  }
  if (node.kind === 'scalar') {
    scalars.push(node);
    const problem = scalarProblem(node, isKey);
    if (problem) problems.push(problem);
  } else if (node.kind === 'seq') {
    for (const item of node.items) walk(item, false, found);
  } else if (node.kind === 'map') {
    for (const entry of node.entries) {
      if (resolveAlias(entry.key)?.kind !== 'scalar') {
        problems.push(construct('both', 'A mapping or a list can’t be a key.', entry.key.range));
      }
      const colon = colonProblem(text, entry.key);
      if (colon) problems.push(colon);
      walk(entry.key, true, found);
      walk(entry.value, false, found);
      const problem = isMergeKey(entry.key) ? mergeProblem(entry.value) : undefined;
      if (problem) problems.push(problem);
    }
  }
};

export const findPythonProblems = (
  text: string,
  start: number,
  end: number,
  tree: YamlTree,
): readonly PythonProblem[] => {
  const suspect = tree.hasOddKeys || tree.hasProperties || SUSPECT.test(text.slice(start, end));
  if (!tree.root || !suspect) return [];
  const found: Found = { problems: [], scalars: [], anchors: new Set(), text };
  walk(tree.root, false, found);
  const tab = tabProblem(text, start, end, found.scalars);
  return tab ? [tab, ...found.problems] : found.problems;
};

/** Which of them stop the host of a profile. The others are told to the author all the same. */
export const stopsReader = (problem: PythonProblem, profile: Profile): boolean =>
  profile === 'strict' ? problem.readers === 'both' : profile === 'metis' || profile === 'claude-upload';
