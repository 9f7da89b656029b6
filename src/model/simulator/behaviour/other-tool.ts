/** Tools that are none of Lathe's own: imported executors, and whatever else a client brings. */
import type { SimBehaviour, SimToolCall } from '../types.ts';
import { exampleInput } from './example-input.ts';
import { isToolbox, namesTool, toolboxCall } from './toolbox.ts';
import { namesSkill, pickSkill, type PickableSkill } from './pick-skill.ts';
import type { Turn } from './turn.ts';

type Tools = Parameters<SimBehaviour>[0]['tools'];

const OWN_TOOLS = new Set([
  'read_file',
  'write_file',
  'patch_file',
  'list_dir',
  'grep_files',
  'run_command',
  'skill_search',
  'skill_load',
  'skill',
  'Skill',
  'memory_add',
  'memory_replace',
  'run_metaskill',
]);

const isOther = (name: string): boolean => !OWN_TOOLS.has(name);

/** As skills are described; an underscore is not a hyphen, so that no name decides by itself. */
const described = ({ name, description }: Tools[number]): PickableSkill => ({
  name: name.replaceAll('_', ' '),
  description,
});

/** Arguments of which the description says that one is needed; the first stands for all. */
const neededOf = (description: string): readonly string[] =>
  (/One of these is needed: ([^.]*)\./.exec(description)?.[1] ?? '')
    .split(';')
    .flatMap((group) => group.split(',')[0]?.trim() || []);

const callOf = (tool: Tools[number], prompt: string): SimToolCall => ({
  name: tool.name,
  input: exampleInput(tool.inputSchema, prompt, neededOf(tool.description)),
});

/** The turn has asked one already: what is left is to tell what it said. */
export const hasAskedOther = (turn: Turn): boolean => turn.exchanges.some(({ name }) => isOther(name));

/** Among the tools of a harness, the one that the message asks for in so many words. */
const calledFor = (turn: Turn, tools: Tools): SimToolCall | undefined => {
  const named = tools.find(({ name }) => isOther(name) && namesTool(turn.prompt, name));
  return toolboxCall(turn, tools, turn.notices) ?? (named && callOf(named, turn.prompt));
};

/** One that fits the message better than every skill. */
export const betterTool = (turn: Turn, tools: Tools): SimToolCall | undefined => {
  const others = tools.filter(({ name }) => isOther(name));
  if (others.length === 0 || turn.exchanges.length > 0) return undefined;
  if (turn.index.some(({ name }) => namesSkill(turn.prompt, name))) return undefined;
  if (isToolbox(tools)) return calledFor(turn, tools);
  const { best } = pickSkill(turn.prompt, [...turn.index, ...others.map(described)]);
  const tool = others.find((item) => described(item).name === best?.name);
  return tool && callOf(tool, turn.prompt);
};

/** Nothing else is left to do: the one that comes nearest. Among many, nearest is not near enough. */
export const nearestTool = (turn: Turn, tools: Tools): SimToolCall | undefined => {
  const others = tools.filter(({ name }) => isOther(name));
  if (others.length === 0 || turn.exchanges.length > 0 || isToolbox(tools)) return undefined;
  const { best, ranked } = pickSkill(turn.prompt, others.map(described));
  const name = others.length === 1 ? ranked[0]?.name : best?.name;
  const tool = others.find((item) => described(item).name === name);
  return tool && callOf(tool, turn.prompt);
};
