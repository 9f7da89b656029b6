/** How the rules' cases are written down, and the sound skill that they depart from. */
import type { RuleId } from '../catalog.ts';
import type { Profile, SkillFile, SkillInput } from '../types.ts';

export interface SkillCase {
  /** What is special about it; only where that is not plain to see. */
  readonly what?: string;
  readonly profile?: Profile;
  readonly content: string | Uint8Array;
  readonly fileName?: string;
  /** `null`: a lone file, opened without its folder. */
  readonly folder?: string | null;
  /** Files beside SKILL.md, by path; a string is a file's text. */
  readonly files?: Readonly<Record<string, string | SkillFile>>;
  readonly knownSkills?: readonly string[];
}

export interface FiringCase extends SkillCase {
  /** The exact text at the diagnostic's range. */
  readonly at: string;
  /** The file that the diagnostic is about, unless it is SKILL.md. */
  readonly inFile?: string;
  /** Why this case comes without a fix although the rule has one. */
  readonly noFix?: string;
}

export interface RuleCases {
  readonly fires: readonly [FiringCase, ...FiringCase[]];
  readonly silent: readonly [SkillCase, ...SkillCase[]];
}

/** The rules of one file of cases. */
export type CasesOf = Partial<Readonly<Record<RuleId, RuleCases>>>;

export const DESCRIPTION = 'Extracts tables from PDF files into CSV. Use when a PDF holds tables to be analysed.';

export const BODY = `# Tables

Open the PDF page by page, find every table, and write one CSV file for each of them.

Keep the header row, and say which page a table came from.
`;

/** A SKILL.md with this frontmatter. */
export const withFrontmatter = (frontmatter: string, body = BODY): string => `---\n${frontmatter}\n---\n\n${body}`;

/** A sound SKILL.md with these lines added to its frontmatter. */
export const withFields = (lines: string, body = BODY): string =>
  withFrontmatter(`name: ok\ndescription: ${DESCRIPTION}${lines === '' ? '' : `\n${lines}`}`, body);

export const withName = (name: string): string => withFrontmatter(`name: ${name}\ndescription: ${DESCRIPTION}`);

export const withDescription = (description: string): string =>
  withFrontmatter(`name: ok\ndescription: ${description}`);

export const withBody = (body: string): string => withFields('', body);

export const SOUND = withFields('');

/** A body of ordinary prose with exactly so many characters, all of them ASCII. */
export const bodyOfLength = (length: number): string =>
  `${`# Long\n\n${'word '.repeat(length / 5)}`.slice(0, length - 1)}\n`;

const encoder = new TextEncoder();
export const bytesOf = (text: string, ...rest: number[]): Uint8Array =>
  new Uint8Array([...encoder.encode(text), ...rest]);

const toFile = (file: string | SkillFile): SkillFile =>
  typeof file === 'string' ? { size: encoder.encode(file).length, text: file } : file;

export const inputOf = (given: SkillCase): SkillInput => {
  const fileName = given.fileName ?? 'SKILL.md';
  const files =
    given.files &&
    new Map(
      Object.entries({ [fileName]: { size: given.content.length }, ...given.files }).map(([path, file]) => [
        path,
        toFile(file),
      ]),
    );
  return {
    content: given.content,
    fileName,
    ...(given.folder === null ? {} : { folder: given.folder ?? 'ok' }),
    ...(files ? { files } : {}),
    ...(given.knownSkills ? { knownSkills: new Set(given.knownSkills) } : {}),
  };
};
