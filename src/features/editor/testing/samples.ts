export const SKILL = `---
name: csv-tidy
description: Tidies tables. Use when rows are messy.
allowed-tools: Read, Grep
---
# CSV tidy

Read [the rules](references/rules.md) first, then run scripts/tidy.py. For queries see [[sql-style]].

## Steps

1. Look at the rows.
2. Tidy them.
`;

const OTHER = `---
name: sql-style
description: Formats SQL queries. Use when a query is hard to read.
---
# SQL style

Write keywords in upper case.
`;

export const META = `---
name: must-have
description: Drafts a text and checks it. Use when a heading must not be missed.
---
# Must have

Input keys:

- \`task\`: What to write.
- \`heading\`: The heading.
`;

export const PROGRAM = `LIMIT = 3

def clean(value):
    """Without blanks."""
    return value.strip()

def run(input):
    task = clean(input["task"])
    heading = input["heading"]
    for attempt in range(LIMIT):
        draft = ask(task, {"purpose": "draft"})
        if heading in draft["answer"]:
            return {"status": "accepted", "answer": draft["answer"]}
    return {"status": "exhausted"}
`;

export const FILES: Readonly<Record<string, string | Uint8Array>> = {
  'AGENTS.md': '# Rules\n\nBe kind.\n',
  'skills/csv-tidy/SKILL.md': SKILL,
  'skills/csv-tidy/references/rules.md': '# Rules\n\n- One header row.\n',
  'skills/csv-tidy/scripts/tidy.py': 'import csv\n\n\ndef tidy(rows):\n    return [row for row in rows if row]\n',
  'skills/sql-style/SKILL.md': OTHER,
  'skills/must-have/SKILL.md': META,
  'skills/must-have/SKILL.star': PROGRAM,
};
