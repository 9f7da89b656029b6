/** One SKILL.md, read once: where its parts are. What they mean under a profile is decided later. */
import { toLineFeeds } from '../../base/text.ts';
import { scanBody, type BodyFacts } from './body.ts';
import { findPythonProblems, type PythonProblem } from './python-yaml.ts';
import { decodeText, splitFrontmatter, type FrontmatterSplit } from './source-text.ts';
import type { SkillInput, TextRange } from './types.ts';
import type { MapNode, YamlNode } from './yaml-nodes.ts';
import { parseYaml, type YamlTree } from './yaml-tree.ts';

export interface Field {
  readonly name: string;
  readonly key: YamlNode;
  readonly value: YamlNode;
}

export interface SkillDocument {
  readonly input: SkillInput;
  readonly text: string;
  /** Byte offset of the first sequence that is not UTF-8. */
  readonly invalidAt: number | undefined;
  readonly split: FrontmatterSplit;
  readonly yaml: YamlTree | undefined;
  /** What Python's YAML readers refuse in frontmatter that is otherwise good. */
  readonly pythonProblems: readonly PythonProblem[];
  /** The top-level mapping, if there is one and it could be read without a syntax error. */
  readonly root: MapNode | undefined;
  /** Top-level entries with a scalar key in order of position; a repeated key appears repeatedly. */
  readonly fields: readonly Field[];
  /** The last entry of a name wins. */
  field(name: string): Field | undefined;
  readonly eol: '\n' | '\r\n';
  /** With LF, without the blank lines in front. */
  readonly body: string;
  readonly bodyRange: TextRange;
  readonly bodyFacts: BodyFacts;
}

const lineEnding = (text: string): '\n' | '\r\n' => {
  const first = text.indexOf('\n');
  return first > 0 && text.charCodeAt(first - 1) === 13 ? '\r\n' : '\n';
};

/** A class, because an object literal with getters gets a shape of its own every time, which costs more than parsing. */
class Document implements SkillDocument {
  readonly input: SkillInput;
  readonly text: string;
  readonly invalidAt: number | undefined;
  readonly split: FrontmatterSplit;
  readonly yaml: YamlTree | undefined;
  readonly root: MapNode | undefined;
  readonly fields: readonly Field[];
  readonly eol: '\n' | '\r\n';
  readonly bodyRange: TextRange;
  readonly #byName: ReadonlyMap<string, Field>;
  #pythonProblems: readonly PythonProblem[] | undefined;
  #body: string | undefined;
  #bodyFacts: BodyFacts | undefined;

  constructor(input: SkillInput) {
    const { text, invalidAt } = decodeText(input.content);
    const split = splitFrontmatter(text);
    const yaml = split.yaml && parseYaml(text, split.yaml.start, split.yaml.end);
    const root = yaml?.problems.length === 0 && yaml.root?.kind === 'map' ? yaml.root : undefined;
    const fields: Field[] = [];
    for (const entry of root?.entries ?? []) {
      if (entry.name !== undefined) fields.push({ name: entry.name, key: entry.key, value: entry.value });
    }
    this.input = input;
    this.text = text;
    this.invalidAt = invalidAt;
    this.split = split;
    this.yaml = yaml;
    this.root = root;
    this.fields = fields;
    this.#byName = new Map(fields.map((field) => [field.name, field]));
    this.eol = lineEnding(text);
    this.bodyRange = { start: split.bodyStart, end: text.length };
  }

  get pythonProblems(): readonly PythonProblem[] {
    const { text, split, yaml } = this;
    const isSound = split.yaml !== undefined && yaml !== undefined && yaml.problems.length === 0;
    return (this.#pythonProblems ??= isSound ? findPythonProblems(text, split.yaml.start, split.yaml.end, yaml) : []);
  }

  get body(): string {
    return (this.#body ??= toLineFeeds(this.text.slice(this.bodyRange.start)));
  }

  get bodyFacts(): BodyFacts {
    return (this.#bodyFacts ??= scanBody(this.text, this.bodyRange.start));
  }

  field(name: string): Field | undefined {
    return this.#byName.get(name);
  }
}

/** Never throws, whatever the content is. */
export const readDocument = (input: SkillInput): SkillDocument => new Document(input);
