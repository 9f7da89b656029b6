/**
 * Answers to an `ask` of a program, or to any message without tools: drafts that leave something out the first time and
 * add it when asked, reviews of a diff, summaries of git output, reports of a fix, strings polished a little.
 */
import { capital, firstSentence, plain, splitList, topicOf } from './prose.ts';

interface Requirements {
  readonly headings: readonly string[];
  readonly words: readonly string[];
  /** Every line has to start with it. */
  readonly linePrefix: string | undefined;
}

const between = (text: string, start: string, end: string): string | undefined => {
  const from = text.indexOf(start);
  if (from === -1) return undefined;
  const rest = text.slice(from + start.length);
  const to = rest.indexOf(end);
  return (to === -1 ? rest : rest.slice(0, to)).trim();
};

/** What follows `Previous draft …:` or `Text …:`, to the end. */
const given = (prompt: string): string | undefined =>
  /^(?:previous|current|last|existing) [a-z ]+(?:\([^)\n]*\))?:\n([\s\S]*)$/im.exec(prompt)?.[1]?.trim();

const instructionOf = (prompt: string): string => {
  const previous = given(prompt);
  return previous === undefined ? prompt : prompt.slice(0, prompt.lastIndexOf(previous));
};

const taskOf = (prompt: string): string => {
  const labelled = /^task:\n([\s\S]*?)(?:\n\n|$)/im.exec(prompt)?.[1];
  return (labelled ?? prompt.split(/\n\n/)[0] ?? prompt).trim();
};

const requirementsOf = (prompt: string): Requirements => {
  const text = instructionOf(prompt);
  const headings = [...text.matchAll(/^(#{1,6} \S.*)$/gm)].map(([, heading = '']) => heading.trimEnd());
  const list =
    /in these (?:very |exact )?words:\s*([^\n]+)/i.exec(text)?.[1] ??
    /must (?:cover|contain|include|mention)[^:\n]{0,60}:\s*([^\n]+)/i.exec(text)?.[1] ??
    /(?:missing|add|include)(?: [a-z]+){0,4}:\s*([^\n]+)/i.exec(text)?.[1];
  const linePrefix = /each line start(?:ing|s) with "([^"\n]+)"/i.exec(text)?.[1];
  return { headings, words: list === undefined ? [] : splitList(list), linePrefix };
};

const isRevision = (prompt: string): boolean =>
  given(prompt) !== undefined &&
  /\b(?:revise|rework|rewrite|improve|correct|fix|add|missing)\b/i.test(instructionOf(prompt));

/** Up to the end of a sentence; a dot within a number is none. */
const CLAUSE = '(?:[^.:!?\\n]|\\.(?=\\d))';
const SUBJECT = new RegExp(
  `\\b(?:write|draft|prepare|compose|create)\\b\\s+(?:me\\s+|us\\s+)?(?:the\\s+|an?\\s+|some\\s+)?(${CLAUSE}{3,80})`,
  'i',
);
const FACTS = new RegExp(`:\\s+(${CLAUSE}+)`);

/** What a draft is called, and the facts that its task gives. */
const outline = (task: string): { readonly title: string; readonly facts: readonly string[] } => {
  const subject = SUBJECT.exec(task)?.[1];
  const facts = FACTS.exec(task)?.[1];
  return {
    title: capital(
      plain((subject ?? topicOf(task)).replace(/\s+(?:with|that|which|containing|and they)\b.*$/i, ''), 70),
    ),
    facts: facts === undefined ? [] : splitList(facts).slice(0, 6),
  };
};

const sectionBody = (heading: string, task: string): string => {
  const name = heading.replace(/^#+\s*/, '');
  return /roll ?back|revert|undo/i.test(name)
    ? 'Put the previous version back, then check that bookings and payments go through. Nothing in this change needs a data repair.'
    : `${capital(name)} for ${topicOf(outline(task).title).toLowerCase() || 'this text'}: who is affected, what they do, and whom to ask.`;
};

const draftText = (task: string, { headings, words }: Requirements): string => {
  const { title, facts } = outline(task);
  const bullets =
    facts.length > 0
      ? facts.map((fact) => `- ${capital(plain(fact, 100))}`)
      : ['- Everything that was merged since the last version, as the log has it'];
  // The last thing that is required is what a hasty writer forgets.
  const kept = headings.slice(0, -1).flatMap((heading) => ['', heading, '', sectionBody(heading, task)]);
  const said = words.slice(0, -1);
  return [
    `# ${title}`,
    '',
    '## What is new',
    '',
    ...bullets,
    ...(said.length > 0 ? ['', ...said.map((word) => `- ${capital(word)}: see the ticket.`)] : []),
    '',
    '## What to do',
    '',
    'Nothing for most people. Operators read the notes before they update.',
    ...kept,
  ].join('\n');
};

const STEPS: readonly (readonly [pattern: RegExp, step: string])[] = [
  [/owner/i, 'Name the owner and a deputy'],
  [/back ?up/i, 'Take a backup and note where it is'],
  [/dry.?run/i, 'Do a dry run on a copy'],
  [/verify|check/i, 'Verify the result against the source'],
  [/roll ?back/i, 'Write down the rollback, with its command'],
  [/test/i, 'Run the test for it'],
];

/** The word itself is in the step, letter for letter. */
const stepFor = (word: string): string => {
  const step = STEPS.find(([pattern]) => pattern.test(word))?.[1];
  return step !== undefined && step.toLowerCase().includes(word.toLowerCase())
    ? step
    : `Settle this and write it down: ${word}`;
};

const checklist = (words: readonly string[], prefix: string): string => {
  const forgotten = words.at(-1);
  const general = ['Tell everyone who is affected, with the time', 'Say when it is done, and by whom'];
  const steps = [general[0] ?? '', ...words.slice(0, -1).map(stepFor), general[1] ?? ''];
  const safe =
    forgotten === undefined ? steps : steps.filter((step) => !step.toLowerCase().includes(forgotten.toLowerCase()));
  return safe.map((step) => `${prefix}${step}`).join('\n');
};

const revise = (prompt: string, previous: string): string => {
  const { headings, words, linePrefix } = requirementsOf(prompt);
  const lines = previous.split('\n');
  const lacking = headings.filter((heading) => !lines.some((line) => line.trimEnd() === heading));
  const prefix = linePrefix ?? /^[ \t]*[-*] /m.exec(previous)?.[0] ?? '- ';
  return [
    previous.trimEnd(),
    ...words.map((word) => `${prefix}${stepFor(word)}`),
    ...lacking.flatMap((heading) => ['', heading, '', sectionBody(heading, taskOf(prompt))]),
  ].join('\n');
};

const BUGS: readonly (readonly [pattern: RegExp, says: string])[] = [
  [
    /except\s*:|catch\s*(?:\([^)]*\))?\s*\{\s*\}/,
    'every error is swallowed here, so a failed call looks like success; shown by any call that raises',
  ],
  [/\[0\]/, 'fails on an empty list; shown by a request without entries'],
  [/\/\s*(?:len|count|total|\w+\.length)\b/, 'divides by zero when there are none; shown by an empty input'],
  [/<=\s*(?:len|\w+\.length)|range\(len\([^)]*\)\s*\+\s*1\)/, 'reads one past the end; shown by the last element'],
  [
    /==\s*(?:None|null)|!=\s*(?:None|null)/,
    'a value of 0 or an empty text takes the other branch than before; shown by 0',
  ],
  [/\bround\(|float\(|parseFloat/, 'money passes through a binary fraction, and half cents go astray; shown by 0.125'],
  [/f["'].*(?:select|insert|update|delete)\b/i, 'a value becomes part of the SQL; shown by a name with a quote'],
  [/\bopen\((?!.*\bwith\b)/, 'the file stays open when the next line raises; shown by an unreadable file'],
  [/TODO|FIXME/, 'the case that the note speaks of is not handled; shown by that very case'],
];

const review = (diff: string): string => {
  let file = '';
  let line = 0;
  const findings: string[] = [];
  for (const raw of diff.split('\n')) {
    if (raw.startsWith('+++ b/')) file = raw.slice(6).trim();
    const start = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(raw)?.[1];
    if (start !== undefined) line = Number(start) - 1;
    else if (!raw.startsWith('-')) line++;
    if (!raw.startsWith('+') || raw.startsWith('+++')) continue;
    const bug = BUGS.find(([pattern]) => pattern.test(raw));
    if (bug && file !== '') findings.push(`- ${file}:${line}: ${bug[1]}`);
  }
  return findings.length === 0 ? 'NO BUGS FOUND' : findings.slice(0, 4).join('\n');
};

const summarise = (status: string, log: string): string => {
  const changes = status.split('\n').filter((line) => line.trim() !== '' && line.trim() !== 'clean');
  const commits = log.split('\n').filter((line) => /^[0-9a-f]{6,40} /.test(line.trim()));
  const [latest, second] = commits;
  const untracked = changes.filter((line) => line.startsWith('??'));
  const touched = changes.filter((line) => !line.startsWith('??')).map((line) => line.slice(2).trim());
  return [
    latest === undefined ? 'No commits yet.' : `Latest commit: ${plain(latest, 90)}.`,
    ...(second === undefined ? [] : [`Before it: ${plain(second, 90)}.`]),
    touched.length === 0
      ? 'No tracked file is changed.'
      : `Unfinished: ${touched.slice(0, 3).join(', ')}${touched.length > 3 ? ` and ${touched.length - 3} more` : ''}.`,
    ...(untracked.length > 0
      ? [
          `Not in git yet: ${untracked
            .slice(0, 3)
            .map((line) => line.slice(2).trim())
            .join(', ')}.`,
        ]
      : []),
    `Look first at ${touched[0] ?? untracked[0]?.slice(2).trim() ?? (latest ? `commit ${latest.trim().split(' ')[0]}` : 'the README')}.`,
  ]
    .slice(0, 5)
    .join('\n');
};

/** The cause that a test's output names, and where. */
export const failureOf = (output: string): { readonly cause: string; readonly file: string | undefined } => {
  const cause = /^[ \t]*(?:E[ \t]+)?((?:[A-Z]\w*(?:Error|Exception|Failure)):?[^\n]*)$/m.exec(output)?.[1];
  const failing = /^(?:FAIL|ERROR|FAILED):?\s+(\S+)/m.exec(output)?.[1];
  const files = [...output.matchAll(/File "([^"]+)"|^([\w./-]+\.\w+):\d+:/gm)].map(
    ([, python, other]) => python ?? other ?? '',
  );
  const file =
    files.findLast((path) => !/\btests?\b|test_|\.test\./.test(path) && !path.includes('/lib/')) ?? files.at(-1);
  return {
    cause: plain(cause ?? (failing === undefined ? 'the assertion in the output' : `${failing} fails`), 160),
    file,
  };
};

const reportFix = (prompt: string): string => {
  const { cause, file } = failureOf(between(prompt, '----- output -----', '----- end of output -----') ?? prompt);
  const isSecond = /the last fix was not enough/i.test(prompt);
  const place = file === undefined ? 'the code under test' : file;
  return isSecond
    ? `${capital(cause)} is still raised in ${place}. I see no small change that I am sure of, and changed nothing more.`
    : `The cause is ${cause} in ${place}. I see no small change that I am sure of, and changed nothing.`;
};

const POLISH: readonly (readonly [pattern: RegExp, to: string])[] = [
  [/\bin order to\b/gi, 'to'],
  [/\bvery \b|\breally \b|\bquite \b|\bjust \b/gi, ''],
  [/\butili[sz]e(s|d)?\b/gi, 'use$1'],
  [/\bdue to the fact that\b/gi, 'because'],
  [/\bat this point in time\b/gi, 'now'],
  [/^([^,.]+), (\w+) permitting\.$/i, '$1 if the $2 permits.'],
];

/** A little other every time; it never finds that the text is good enough. */
const polish = (text: string): string => {
  for (const [pattern, to] of POLISH) {
    const next = text.replace(pattern, to);
    if (next !== text) return capital(next);
  }
  const turned = /^(.+?) (if|when|because|while|after|before) ([^.]+)\.$/i.exec(text);
  if (turned) return `${capital(turned[2] ?? '')} ${turned[3] ?? ''}, ${(turned[1] ?? '').replace(/^The\b/, 'the')}.`;
  const back = /^(If|When|Because|While|After|Before) ([^,]+), ([^.]+)\.$/.exec(text);
  if (back) return `${capital(back[3] ?? '')} ${(back[1] ?? '').toLowerCase()} ${back[2] ?? ''}.`;
  return text.endsWith('.') ? text.slice(0, -1) : `${text}.`;
};

/** A string for a message that asks for one, without tools and without memory of anything else. */
export const draftReply = (prompt: string): string => {
  const diff =
    between(prompt, '----- diff -----', '----- end of diff -----') ??
    /```diff\n([\s\S]*?)```/.exec(prompt)?.[1] ??
    /^(?:diff --git |--- a\/)[\s\S]*/m.exec(prompt)?.[0];
  if (diff !== undefined) return review(diff);
  const status = between(prompt, '----- git status -----', '\n-----');
  if (status !== undefined) return summarise(status, between(prompt, '----- git log -----', '\n-----') ?? '');
  if (/test command fails|tests? (?:fail|failed|are failing|is failing)\b/i.test(prompt)) return reportFix(prompt);
  if (/\b(?:better|polish|smooth|improve)\b/i.test(firstSentence(prompt)) && /\btext\b/i.test(prompt)) {
    const text = /\btext[^:\n]*:\n([\s\S]+)$/i.exec(prompt)?.[1]?.trim();
    if (text !== undefined) return polish(text);
  }
  const previous = given(prompt);
  if (previous !== undefined && isRevision(prompt)) return revise(prompt, previous);
  const required = requirementsOf(prompt);
  if (required.linePrefix !== undefined) return checklist(required.words, required.linePrefix);
  return draftText(taskOf(prompt), required);
};

/** Whether a message wants a string made to rules, rather than a conversation. */
export const isDraftRequest = (prompt: string): boolean =>
  given(prompt) !== undefined ||
  /^----- .+ -----$/m.test(prompt) ||
  /^diff --git /m.test(prompt) ||
  /each line start(?:ing|s) with "/i.test(prompt) ||
  /must contain this heading|answer (?:only|with the text only)|\btest command fails/i.test(prompt);
