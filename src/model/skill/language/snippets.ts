export interface Snippet {
  readonly label: string;
  readonly detail: string;
  /** Markdown. */
  readonly doc: string;
  /** With tab stops. */
  readonly insert: string;
}

/** A whole SKILL.md. */
export const SKILL_SNIPPET = (folder = 'my-skill'): Snippet => ({
  label: 'skill',
  detail: 'a whole SKILL.md',
  doc: 'Frontmatter with a name and a description, and a body with steps.',
  insert: `---\nname: ${folder}\ndescription: \${1:What it does}. Use when \${2:the situation}.\n---\n# \${3:Title}\n\n\${4:What to do, step by step.}\n`,
});

export const BODY_SNIPPETS: readonly Snippet[] = [
  {
    label: 'steps',
    detail: 'numbered steps',
    doc: 'A heading and a numbered list: what to do, in order.',
    insert: '## Steps\n\n1. ${1:First}\n2. ${2:Then}\n3. ${3:Check}\n',
  },
  {
    label: 'when-not-to-use',
    detail: 'the limits of the skill',
    doc: 'What the skill isn’t for, and what to use instead.',
    insert: '## When not to use\n\n- ${1:Another task}: use [[${2:other-skill}]].\n',
  },
  {
    label: 'example',
    detail: 'input and output',
    doc: 'One good example says more than a rule.',
    insert: '## Example\n\nInput:\n\n```\n${1}\n```\n\nOutput:\n\n```\n${2}\n```\n',
  },
  {
    label: 'input-keys',
    detail: 'for a metaskill',
    doc: 'The keys that the program reads. The model learns them only here.',
    insert: 'Input keys:\n\n- `${1:task}`: ${2:What to do.}\n',
  },
  {
    label: 'reference',
    detail: 'a file to read on demand',
    doc: 'Long material belongs in its own file, which the model reads only when it needs it.',
    insert: 'Read [references/${1:details}.md](references/${1:details}.md) when ${2:it is needed}.\n',
  },
];
