/** Each template passes `lathe check` without a diagnostic. */
export const TEMPLATE_KINDS = ['skill', 'metaskill', 'instructions', 'test'] as const;
export type TemplateKind = (typeof TEMPLATE_KINDS)[number];

const title = (name: string): string => `${name[0]?.toUpperCase() ?? ''}${name.slice(1).replace(/-/g, ' ')}`;

const skillTemplate = (name: string): string => `---
name: ${name}
description: "Say in one sentence what this skill does, in the words people use for it. Use when the task involves ${name.replace(/-/g, ' ')}, or before changing what it covers."
---

# ${title(name)}

One paragraph: what this skill achieves and for whom.

## Steps

1. Read the existing files before you change anything.
2. Do the work in small steps. Show the command or the text for each.
3. Check the result: say how, and what a good result looks like.

## Limits

- What this skill does not do, and what to use instead.
- When to stop and ask.
`;

const metaskillTemplate = (name: string): string => `---
name: ${name}
description: "Drafts text and retries until it passes a check. Use when a draft has to contain certain words before it is shown."
---

# ${title(name)}

Runs \`SKILL.star\`: it asks for a draft, checks it, and asks again with what is missing, three times at most.

Input keys:

- \`task\`: what to write.
- \`required\`: words that the text must contain. Optional; default: no words.

The result has \`status\` (\`accepted\`, \`exhausted\` or \`error\`), \`answer\` and \`attempts\`.
`;

const programTemplate = `# Asks for a draft until it is whole and contains all required words, at most three times.
def run(input):
    task = input.get("task", "")
    required = input.get("required", [])
    if not task:
        return {"status": "error", "answer": "The input needs a task."}
    prompt = task
    answer = ""
    for attempt in range(3):
        result = ask(prompt, {"purpose": "draft", "max_turns": 4})
        answer = result["answer"]
        is_whole = not result["truncated"] and not result["exhausted"]
        missing = [word for word in required if word not in answer]
        trace("draft", {"attempt": attempt + 1, "missing": missing, "whole": is_whole})
        if is_whole and not missing:
            return {"status": "accepted", "answer": answer, "attempts": attempt + 1}
        prompt = "Revise this text so that it contains: " + ", ".join(missing) + "\\n\\n" + answer
    return {"status": "exhausted", "answer": answer, "attempts": 3}
`;

/** Tests of the program above; `expect` and the numbers are what a reader changes first. */
const testTemplate = `# Run with \`lathe test\`. Each test gives an input, scripts what ask() answers and what commands print, and says what comes out.
tests:
  - name: the second draft has the word
    input: { task: Write one line about the harbour., required: [ferry] }
    answers:
      - A line about boats.
      - A line about the ferry.
    expect:
      status: accepted
      attempts: 2
      answer: { contains: ferry }
    asks: 2
    command_calls: 0

  - name: three drafts are the end
    input: { task: Write one line about the harbour., required: [ferry] }
    answers: [first, second, third]
    expect:
      status: exhausted
      answer: third
    asks: 3
`;

const instructionsTemplate = (name: string): string => `# ${title(name)}

What this project is, in two sentences.

## Commands

- Install: \`…\`
- Test: \`…\`, before every commit

## Conventions

- What an agent would get wrong without being told.
- Where things are, and what not to touch.
`;

/** Files by path, relative to the folder in which the new thing is made. */
export const templateFiles = (kind: TemplateKind, name: string): ReadonlyMap<string, string> => {
  switch (kind) {
    case 'skill':
      return new Map([[`${name}/SKILL.md`, skillTemplate(name)]]);
    case 'metaskill':
      return new Map([
        [`${name}/SKILL.md`, metaskillTemplate(name)],
        [`${name}/SKILL.star`, programTemplate],
        [`${name}/SKILL.test.yaml`, testTemplate],
      ]);
    case 'test':
      return new Map([[`${name}/SKILL.test.yaml`, testTemplate]]);
    case 'instructions':
      return new Map([['AGENTS.md', instructionsTemplate(name)]]);
  }
};
