/** Finds skills that an agent lists for its model, whatever the agent: lines `- name: description`, or `<skill>` elements. */

export interface ListedSkill {
  readonly name: string;
  /** UTF-16 offsets of its entry. */
  readonly start: number;
  readonly end: number;
}

/** A heading or a sentence that announces skills. */
const HEAD = /\bskills?\b/i;
const ITEM = /^\s{0,4}[-*] [*`]{0,2}([A-Za-z0-9][\w:.-]{0,80}?)[*`]{0,2}(?: \[preloaded\])?: \S/;
const ELEMENT = /<skill>[\s\S]{0,4000}?<name>\s*([^<\s]{1,80})\s*<\/name>[\s\S]{0,8000}?<\/skill>/g;

/** Lines behind an announcement that are not an entry yet: an explanation, the folders that entries come from. */
const MOST_BEFORE = 12;

const listedInElements = (text: string): readonly ListedSkill[] =>
  text.includes('<skill>')
    ? [...text.matchAll(ELEMENT)].map((match) => ({
        name: match[1] ?? '',
        start: match.index,
        end: match.index + match[0].length,
      }))
    : [];

const listedInLines = (text: string): readonly ListedSkill[] => {
  const found: ListedSkill[] = [];
  let [left, offset, isIn] = [0, 0, false];
  for (const line of text.split('\n')) {
    const [start, end] = [offset, offset + line.length];
    offset = end + 1;
    const name = left > 0 || isIn ? ITEM.exec(line)?.[1] : undefined;
    if (name !== undefined) {
      found.push({ name, start, end });
      isIn = true;
    } else if (HEAD.test(line) && !isIn) left = MOST_BEFORE;
    else if (isIn && (line.trim() === '' || /^(?:#|<\/)/.test(line)))
      [isIn, left] = [false, HEAD.test(line) ? MOST_BEFORE : 0];
    else if (isIn) {
      // A description of several lines.
      const last = found.pop();
      if (last) found.push({ ...last, end });
    } else left--;
  }
  return found;
};

export const listedSkills = (text: string): readonly ListedSkill[] => {
  if (!HEAD.test(text)) return [];
  const elements = listedInElements(text);
  return elements.length > 0 ? elements : listedInLines(text);
};
