/**
 * The built-in behavior: what the simulated model says when no scenario speaks. One pass over the conversation, no memory
 * of its own: the same conversation gets the same answer.
 */
import type { Json } from '../../../base/json.ts';
import { serverCall } from '../server-tools.ts';
import type { SimBehaviour, SimReply, SimToolCall } from '../types.ts';
import { fieldsOf, textOf } from '../json-read.ts';
import { fileContent, inMannerOf, quoteFile, reportRun, reportRunError } from './compose.ts';
import { draftReply, failureOf, isDraftRequest } from './draft.ts';
import { followUp } from './follow-up.ts';
import { metaskillInput } from './metaskill-input.ts';
import { betterTool, hasAskedOther, nearestTool } from './other-tool.ts';
import { namesSkill, pickSkill } from './pick-skill.ts';
import { capital, plain, topicOf } from './prose.ts';
import { functionIn, readFailure, repairFor, sourcesOf } from './repair.ts';
import type { IndexedSkill } from './skill-index.ts';
import { smallTalk } from './small-talk.ts';
import { readTurn, type Exchange, type Turn } from './turn.ts';

/** More calls than this in one turn would be going in circles. */
const MOST_CALLS = 8;
const LOADERS = new Set(['skill_load', 'skill', 'Skill']);

const say = (text: string, thinking: string): SimReply => ({ text, toolCalls: [], thinking });
const call = (thinking: string, text: string, ...toolCalls: readonly SimToolCall[]): SimReply => ({
  text,
  toolCalls,
  thinking,
});

const nameIn = (input: Json): string => textOf(fieldsOf(input)['name'] ?? fieldsOf(input)['skill']);
const pathIn = (input: Json): string => textOf(fieldsOf(input)['path']);

const FILE =
  /(?<![\w@/:.-])((?:[\w-]+(?:\.[\w-]+)*\/)*[\w-]+\.(?:md|txt|csv|tsv|json|jsonl|ya?ml|toml|py|ts|tsx|js|jsx|go|rs|java|sql|sh|html|css|ini|cfg|log|star))\b/gi;
const filesIn = (prompt: string): readonly string[] => [
  ...new Set([...prompt.matchAll(FILE)].map(([, path = '']) => path)),
];

const WRITES = /\b(?:write|save|create|update|add|append|put|store|change|edit)\b/i;

/** What a person wants to be kept: behind `remember`. */
const rememberedIn = (prompt: string): string | undefined =>
  /\b(?:please\s+)?(?:remember|keep in mind|note down|memori[sz]e)\b(?:\s+that)?[\s:,]+([^\n]+)/i
    .exec(prompt)?.[1]
    ?.trim();

const named = ({ prompt, index }: Turn): readonly IndexedSkill[] =>
  index.filter(({ name }) => namesSkill(prompt, name));

/** The skills that this turn is about, best first, and why. */
const chosen = (turn: Turn): { readonly skills: readonly IndexedSkill[]; readonly why: string } => {
  const names = named(turn);
  const { best } = pickSkill(turn.prompt, turn.index, turn.jitter);
  if (names.length > 1) return { skills: names, why: `The message names ${names.map(({ name }) => name).join(', ')}.` };
  const skill = turn.index.find(({ name }) => name === best?.name);
  return skill && best
    ? { skills: [skill], why: `This fits ${best.why}.` }
    : { skills: [], why: 'No skill of the index fits.' };
};

const exchangesOf = (turn: Turn, ...tools: readonly string[]): readonly Exchange[] =>
  turn.exchanges.filter(({ name }) => tools.includes(name));

const filesRead = (turn: Turn): readonly { readonly path: string; readonly text: string }[] =>
  exchangesOf(turn, 'read_file')
    .filter(({ isError }) => !isError)
    .map(({ input, result }) => ({ path: pathIn(input), text: result }));

/** What a tool said, as an answer. */
const toldBy = ({ name, result, isError }: Exchange): string => {
  if (isError) return `\`${name}\` failed: ${plain(result, 200)}`;
  const lines = result.trim().split('\n');
  return lines.length === 1
    ? `${name} says: ${plain(result, 400)}`
    : `This is what \`${name}\` found:\n\n\`\`\`\n${lines.slice(0, 12).join('\n')}\n\`\`\``;
};

/** The answer that ends a turn about a skill, or about none. */
const finish = (turn: Turn, skill: IndexedSkill | undefined, before = ''): SimReply => {
  const body = skill && turn.bodies.get(skill.name);
  const read = filesRead(turn);
  const missing = exchangesOf(turn, 'read_file')
    .filter(({ isError }) => isError)
    .map(({ input }) => pathIn(input));
  const written = exchangesOf(turn, 'write_file', 'patch_file').filter(({ isError }) => !isError);
  const isNew = written.some(({ input }) => missing.includes(pathIn(input)));
  const unread = `I could not read ${missing.map((path) => `\`${path}\``).join(', ')}.`;
  const notes = missing.length === 0 ? [] : [isNew ? 'There was no such file before.' : unread];
  if (written.length > 0) {
    const paths = written.map(({ input }) => `\`${pathIn(input)}\``).join(', ');
    return say(
      [
        `I wrote ${paths}${skill ? `, by **${skill.name}**` : ''}. The change is pending: read it, then apply or discard it.`,
        ...notes,
      ].join('\n\n'),
      'The file is written; that was asked for.',
    );
  }
  if (skill && body !== undefined)
    return say(
      [...(before === '' ? [] : [before]), inMannerOf(skill.name, body, turn.prompt, read), ...notes].join('\n\n'),
      `I have read ${skill.name}; I follow its headings.`,
    );
  const other = turn.exchanges.findLast(({ name }) => !['read_file', ...LOADERS].includes(name));
  const seen = read.map(({ path, text }) => quoteFile(path, text, turn.prompt));
  // A skill that came without a body: what was said in its place.
  const last = seen.length + notes.length === 0 && before === '' ? turn.exchanges.at(-1) : undefined;
  const told = other ?? last;
  const found = told ? [toldBy(told)] : [];
  const rest =
    found.length + seen.length + turn.exchanges.length === 0 && before === ''
      ? [
          `No skill here is about that (${topicOf(turn.prompt) || 'an empty message'}), and I am a simulated model that knows nothing but this conversation. ` +
            'Name a file or a skill, and I work with it.',
        ]
      : [];
  return say(
    [...(before === '' ? [] : [before]), ...seen, ...found, ...notes, ...rest].join('\n\n'),
    'I have what there is; I answer.',
  );
};

/** The next tool that a task with files needs; undefined when there is nothing left to fetch. */
const fileStep = (turn: Turn, skill: IndexedSkill | undefined): SimReply | undefined => {
  const [path] = filesIn(turn.prompt);
  const tried = exchangesOf(turn, 'read_file');
  if (path !== undefined && turn.has('read_file') && !tried.some(({ input }) => pathIn(input) === path))
    return call(`The message names ${path}; I read it first.`, `I read \`${path}\` first.`, {
      name: 'read_file',
      input: { path },
    });
  const failed = tried.find(({ isError }) => isError);
  const wantsWriting = path !== undefined && WRITES.test(turn.prompt) && turn.has('write_file');
  if (wantsWriting && exchangesOf(turn, 'write_file').length === 0) {
    const before = filesRead(turn).find((file) => file.path === path)?.text;
    const content = fileContent(path, turn.prompt, skill && turn.bodies.get(skill.name), before);
    return call(`${path} is to be written.`, '', { name: 'write_file', input: { path, content } });
  }
  if (failed && !wantsWriting && turn.has('list_dir') && exchangesOf(turn, 'list_dir').length === 0)
    return call('The file is not where the message says; I look at what is there.', '', {
      name: 'list_dir',
      input: { path: '.' },
    });
  return undefined;
};

const runStep = (turn: Turn, skill: IndexedSkill, body: string): SimReply =>
  call(
    `${skill.name} is a metaskill: I run it with the keys that its instructions document.`,
    `I run **${skill.name}** on this.`,
    { name: 'run_metaskill', input: { name: skill.name, input: metaskillInput(body, turn.prompt) } },
  );

/** A run that failed for its input is tried once more with what the error asks for. */
const afterRun = (turn: Turn, run: Exchange): SimReply => {
  const name = nameIn(run.input);
  if (!run.isError && !/^error:/i.test(run.result))
    return say(reportRun(run.result), `${name} is done; I report what it returned.`);
  const key = /input key `([^`]+)`/.exec(run.result)?.[1];
  if (key !== undefined && exchangesOf(turn, 'run_metaskill').length === 1) {
    const input = fieldsOf(fieldsOf(run.input)['input']);
    return call(
      `The input lacked a good ${key}; I correct it.`,
      `The program wants another \`${key}\`. I correct it.`,
      {
        name: 'run_metaskill',
        input: { name, input: { ...input, [key]: /list/.test(run.result) ? [turn.prompt] : turn.prompt } },
      },
    );
  }
  return say(reportRunError(name, run.result), `${name} failed; I say why.`);
};

const isBudgetRefusal = ({ isError, result }: Exchange): boolean =>
  isError && /activation (?:budget|token cap) exhausted/.test(result);

/** Refused by the budget: it says so, and continues with what is there. */
const adapt = (turn: Turn, refusal: Exchange): SimReply => {
  const name = nameIn(refusal.input);
  const loaded = /Already loaded: \[([^\]]*)\]/.exec(refusal.result)?.[1]?.replaceAll("'", '') ?? '';
  const skill = turn.index.find((one) => one.name === name);
  const note =
    `The activation budget of this session is used up, so I work without the body of **${name}**` +
    `${loaded === '' ? '' : ` and with what is loaded: ${loaded}`}.` +
    (skill ? ` From its description: ${plain(skill.description.split(/\bUse when\b/i)[0] ?? '', 160)}` : '');
  const other = turn.index.find(
    (one) => chosen(turn).skills.some((wanted) => wanted.name === one.name) && turn.bodies.has(one.name),
  );
  const advice = 'A new session has room for it; here is how far I get without.';
  const step = fileStep(turn, other);
  if (step) return { ...step, text: note };
  return finish(turn, other, `${note} ${advice}`);
};

const afterLoad = (turn: Turn, skills: readonly IndexedSkill[]): SimReply => {
  const refusal = turn.latest.find(isBudgetRefusal);
  if (refusal) return adapt(turn, refusal);
  const failed = turn.latest.find(({ isError }) => isError);
  if (failed) {
    const query = nameIn(failed.input).split('-')[0] ?? '';
    if (turn.has('skill_search') && exchangesOf(turn, 'skill_search').length === 0)
      return call('That name is not known; I search.', '', { name: 'skill_search', input: { query } });
    return finish(turn, undefined, `I could not load that skill: ${plain(failed.result, 200)}`);
  }
  return withSkill(turn, skills);
};

/** A mention loads a skill and no more; its program runs where the message asks for that. */
const isOnlyMentioned = ({ prompt }: Turn, name: string): boolean =>
  new RegExp(`\\$${name}(?![\\w-])`).test(prompt) && !/\b(?:run|execute|start)\b/i.test(prompt);

/** The body is there. */
const withSkill = (turn: Turn, skills: readonly IndexedSkill[]): SimReply => {
  const skill = skills.find(({ name }) => turn.bodies.has(name));
  const body = skill && turn.bodies.get(skill.name);
  if (!skill || body === undefined) return finish(turn, undefined);
  const isToRun = skill.executable && turn.has('run_metaskill') && !isOnlyMentioned(turn, skill.name);
  if (isToRun && exchangesOf(turn, 'run_metaskill').length === 0) return runStep(turn, skill, body);
  return fileStep(turn, skill) ?? finish(turn, skill);
};

const askTool = (wanted: SimToolCall | undefined): SimReply | undefined =>
  wanted && call(`${wanted.name} can tell.`, `I ask ${wanted.name}.`, wanted);

/** No skill fits: what the message asks of the workspace itself. */
const plainStep = (turn: Turn, tools: Parameters<SimBehaviour>[0]['tools']): SimReply | undefined => {
  const first = turn.exchanges.length === 0;
  if (
    first &&
    turn.has('list_dir') &&
    /\b(?:list|show|what|which)\b.*\b(?:files|folders?|director(?:y|ies))\b/i.test(turn.prompt)
  )
    return call('The message asks what is here.', '', { name: 'list_dir', input: { path: '.' } });
  const sought = /\b(?:find|search|grep|where is)\b(?:\s+for)?\s+["“`']([^"”`'\n]+)["”`']/i.exec(turn.prompt)?.[1];
  if (first && sought !== undefined && turn.has('grep_files'))
    return call('I search the files for it.', '', {
      name: 'grep_files',
      input: { pattern: sought.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') },
    });
  return fileStep(turn, undefined) ?? askTool(nearestTool(turn, tools));
};

const readStep = (path: string, why: string): SimReply =>
  call(why, `I look at \`${path}\`.`, { name: 'read_file', input: { path } });

/** A failing comparison: the test says which function is meant, the function is read, one line of it is changed. */
const repairStep = (turn: Turn): SimReply | undefined => {
  const failure = readFailure(turn.prompt);
  if (!failure || !turn.has('read_file') || !turn.has('patch_file')) return undefined;
  const name = functionIn(failure.check);
  const textAt = (path: string): string | undefined => filesRead(turn).find((file) => file.path === path)?.text;
  const wasTried = (path: string): boolean =>
    exchangesOf(turn, 'read_file').some(({ input }) => pathIn(input) === path);
  const found = `\`${failure.check}\` gives ${failure.actual}`;
  const patch = exchangesOf(turn, 'patch_file').at(-1);
  if (patch) {
    const { old, new: by } = fieldsOf(patch.input);
    const path = pathIn(patch.input);
    const repair = { old: textOf(old).trim(), by: textOf(by).trim() };
    if (patch.isError)
      return say(
        `${capital(found)}, but ${path} could not be changed: ${plain(patch.result, 200)}`,
        'The change was refused.',
      );
    const source = textAt(path);
    const cause = source !== undefined && name !== undefined ? repairFor(source, name, failure)?.cause : undefined;
    return say(
      `The cause is in \`${name}\` of ${path}: ${cause ?? found}, so ${failure.actual} came out instead of ${failure.expected}. I changed \`${repair.old}\` to \`${repair.by}\`, and no test.`,
      'The change is made; the tests are run for me.',
    );
  }
  if (!wasTried(failure.testFile)) return readStep(failure.testFile, `The failing check is in ${failure.testFile}.`);
  const sources = name === undefined ? [] : sourcesOf(textAt(failure.testFile) ?? '', failure.testFile, name);
  const path = sources.find((source) => textAt(source) !== undefined) ?? sources.find((source) => !wasTried(source));
  if (path === undefined || name === undefined)
    return say(
      `${found}, not ${failure.expected}. I could not find the function that it is about, and changed nothing.`,
      'I do not see where the fault is.',
    );
  if (!wasTried(path)) return readStep(path, `${name} comes from ${path}.`);
  const repair = repairFor(textAt(path) ?? '', name, failure);
  if (!repair)
    return say(
      `${found}, not ${failure.expected}. I read \`${name}\` in ${path}, found no small change that would make it right, and changed nothing.`,
      'No simple fault is to be seen.',
    );
  return call(`In ${name} ${repair.cause}.`, `In \`${name}\` ${repair.cause}.`, {
    name: 'patch_file',
    input: { path, old: repair.old, new: repair.new },
  });
};

const nested = (turn: Turn): SimReply => {
  const isFix = /test command fails|tests? failed/i.test(turn.prompt);
  const repair = isFix ? repairStep(turn) : undefined;
  if (repair) return repair;
  const { file } = failureOf(turn.prompt);
  if (isFix && file !== undefined && turn.has('read_file') && turn.exchanges.length === 0)
    return readStep(file, `The output points to ${file}.`);
  return say(draftReply(turn.prompt), 'A text to given rules; I write it.');
};

const WANTS_TEXT = /\b(?:write|draft|compose|prepare|outline|rewrite|polish|revise)\b/i;

/** A nested ask has the index with metaskills, and no tool that runs them. */
const isNested = (turn: Turn, toolCount: number): boolean =>
  (toolCount === 0 && (turn.index.length > 0 || WANTS_TEXT.test(turn.prompt))) ||
  (turn.index.some(({ executable }) => executable) && !turn.has('run_metaskill'));

export const builtinBehaviour: SimBehaviour = (conversation) => {
  const turn = readTurn(conversation);
  const { tools, system, serverTools = [] } = conversation;
  const served = turn.exchanges.length === 0 ? serverCall(turn.prompt, serverTools) : undefined;
  if (served) return call('The provider can look that up.', 'Here is what I found.', served);
  const greet = (): SimReply | undefined => {
    const words = turn.exchanges.length === 0 ? smallTalk(turn, system) : undefined;
    return words === undefined ? undefined : say(words, 'This needs no tool.');
  };
  if (isDraftRequest(turn.prompt) || (isNested(turn, tools.length) && !turn.loader)) return greet() ?? nested(turn);
  if (isNested(turn, tools.length)) return nested(turn);
  const { skills, why } = chosen(turn);
  if (turn.exchanges.length >= MOST_CALLS)
    return finish(
      turn,
      skills.find(({ name }) => turn.bodies.has(name)),
    );
  const run = turn.latest.find(({ name }) => name === 'run_metaskill');
  if (run) return afterRun(turn, run);
  if (turn.latest.some(({ name }) => name === 'memory_add' || name === 'memory_replace')) {
    const failed = turn.latest.find(({ isError }) => isError);
    return failed
      ? say(`I could not keep that: ${plain(failed.result, 200)}`, 'The memory refused it.')
      : say('I have noted that. It is read again on every turn.', 'It is in the memory now.');
  }
  const kept = rememberedIn(turn.prompt);
  if (kept !== undefined && turn.exchanges.length === 0 && turn.has('memory_add'))
    return call('This is to be remembered.', '', { name: 'memory_add', input: { text: capital(kept) } });
  if (turn.exchanges.some(isBudgetRefusal)) {
    const refusal = turn.exchanges.find(isBudgetRefusal);
    if (refusal) return adapt(turn, refusal);
  }
  if (turn.latest.some(({ name }) => LOADERS.has(name))) return afterLoad(turn, skills);
  if (hasAskedOther(turn)) return finish(turn, undefined);
  const asked = askTool(betterTool(turn, tools));
  if (asked) return asked;
  const missing = skills.filter(({ name }) => !turn.bodies.has(name));
  const tried = new Set(exchangesOf(turn, ...LOADERS).map(({ input }) => nameIn(input)));
  const wanted = missing.filter(({ name }) => !tried.has(name));
  const { loader } = turn;
  if (wanted.length > 0 && loader)
    return call(
      `${why} I load it before I start.`,
      wanted.length === 1 ? `This is work for **${wanted[0]?.name}**. I load it.` : 'I load the skills that you name.',
      ...wanted.map(({ name }) => ({ name: loader, input: loader === 'Skill' ? { skill: name } : { name } })),
    );
  if (skills.length > 0) return withSkill(turn, skills);
  const greeting = greet() ?? plainStep(turn, tools);
  if (greeting) return greeting;
  const about = turn.exchanges.length === 0 ? followUp(turn.prompt, conversation.messages) : undefined;
  return about === undefined ? finish(turn, lastLoaded(turn)) : say(about, 'This is about my last answer.');
};

/** A short message continues with what the conversation was about. */
const lastLoaded = (turn: Turn): IndexedSkill | undefined => {
  if (turn.prompt.length > 60 || turn.exchanges.length > 0) return undefined;
  const name = [...turn.bodies.keys()].findLast(
    (one) => !turn.index.some((skill) => skill.name === one && skill.preloaded),
  );
  return turn.index.find(
    (skill) => skill.name === name && /\b(?:go on|continue|more|again|next|yes|ok)\b/i.test(turn.prompt),
  );
};
