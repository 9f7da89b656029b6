/** The list at `/.well-known/agent-skills/index.json`. Its server decides what is in it, so every entry is checked before anything is asked or named after it. */
import { parseJson } from '../../base/json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { plural } from '../../base/text.ts';
import { shownPath, whyNotWritten } from '../../model/files/write-rules.ts';
import { isInsideHost } from '../../model/provider/connection-errors.ts';
import { z } from '../../model/zod.ts';
import { readBounded } from './bounded-body.ts';

export const LIST_PATH = '/.well-known/agent-skills/index.json';

const LIST_BYTES = 1024 * 1024;
const MOST_SKILLS = 200;

const entrySchema = z.object({
  name: z.string(),
  type: z.enum(['skill-md', 'archive']),
  url: z.string(),
  digest: z.string().exactOptional(),
  version: z.string().exactOptional(),
});
export type ListedSkill = z.infer<typeof entrySchema>;

export interface SkillList {
  readonly skills: readonly ListedSkill[];
  /** What Lathe left out of the list, as a sentence. */
  readonly note?: string;
}

const nameFault = (name: string): string | undefined =>
  name === '' || name.includes('/') || whyNotWritten(name) !== undefined
    ? `${shownPath(name)} isn't a valid name for a skill.`
    : undefined;

/** Where a skill of a list is; an error where Lathe does not ask. */
export const listedAddress = ({ url }: ListedSkill, list: URL): Result<URL, string> => {
  if (!URL.canParse(url, list)) return err('Its URL isn’t valid.');
  const target = new URL(url, list);
  if (target.protocol !== list.protocol) return err('Its URL has a different protocol than the list.');
  if (target.username !== '' || target.password !== '') return err('Its URL contains a name or a password.');
  // A server must not reach through this browser what it cannot reach itself.
  if (isInsideHost(target.host) && target.host !== list.host)
    return err(`Its URL points into a private network (${target.host}).`);
  return ok(target);
};

/** Each skill once, the first of a name; case does not count on every disk. */
export const readSkillList = (text: string): Result<SkillList, string> => {
  const parsed = parseJson(text);
  if (!parsed.ok) return err('The skill list isn’t valid JSON.');
  const shape = z.object({ skills: z.array(z.unknown()) }).safeParse(parsed.value);
  if (!shape.success) return err('The skill list doesn’t have the right format.');
  const skills = new Map<string, ListedSkill>();
  const notes: string[] = [];
  let broken = 0;
  for (const entry of shape.data.skills.slice(0, MOST_SKILLS)) {
    const read = entrySchema.safeParse(entry);
    const fault = read.success ? nameFault(read.data.name) : undefined;
    if (!read.success) broken++;
    else if (fault !== undefined) notes.push(fault);
    else if (!skills.has(read.data.name.toLowerCase())) skills.set(read.data.name.toLowerCase(), read.data);
  }
  if (shape.data.skills.length > MOST_SKILLS)
    notes.unshift(`The list has ${plural(shape.data.skills.length, 'skill')}. Lathe reads the first ${MOST_SKILLS}.`);
  if (broken > 0)
    notes.push(`Lathe ignored ${plural(broken, 'entry', 'entries')} of the list because they are not skills.`);
  return ok({ skills: [...skills.values()], ...(notes.length > 0 && { note: notes.slice(0, 3).join(' ') }) });
};

export const readListResponse = async (response: Response): Promise<Result<SkillList, string>> => {
  const bytes = await readBounded(response, LIST_BYTES);
  return bytes.ok ? readSkillList(new TextDecoder().decode(bytes.value)) : err('The skill list is larger than 1 MB.');
};
