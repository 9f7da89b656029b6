import { existsSync } from 'node:fs';
import { BREAKPOINT_MODES, TTLS } from '../../model/provider/types.ts';
import { modelFacts } from '../../model/provider/model-book.ts';
import { joinSources } from '../../model/traffic/recording/sources.ts';
import { explainCalls } from '../../model/traffic/explainer.ts';
import { answerWhatIf } from '../../model/whatif/answer.ts';
import { movables } from '../../model/whatif/move.ts';
import { bestBreakpoints } from '../../model/whatif/planner.ts';
import { prepareWhatIf } from '../../model/whatif/prepare.ts';
import { type Placement, type Policy, SUB_AGENT_POLICIES, TOOL_POLICIES } from '../../model/whatif/types.ts';
import { createNodeTokenizer } from '../../platform/tokenizer/node-tokenizer.ts';
import { parseArguments, wrongUse } from '../arguments.ts';
import { countTexts } from '../count-texts.ts';
import { openRecordings } from '../recording-files.ts';
import { createPaint, visible, wantsColour } from '../output/terminal-text.ts';
import { humanWhatIf, machineWhatIf } from '../output/whatif-report.ts';
import { jsonDocument } from '../output/json-document.ts';

type Values = Readonly<Record<string, unknown>>;

const oneOf = <T extends string>(values: Values, name: string, allowed: readonly T[]): T | undefined | string[] => {
  const value = values[name];
  if (value === undefined) return undefined;
  const found = allowed.find((one) => one === value);
  return (
    found ?? [`invalid --${name} '${visible(typeof value === 'string' ? value : '')}'; expected ${allowed.join(', ')}`]
  );
};

/** `tools,system,last-8@1h`: where breakpoints go, each with its own TTL if one is named. */
const placements = (text: string): readonly Placement[] =>
  text.split(',').map((one) => {
    const [, at = one, ttl] = /^(.*)@(5m|1h)$/.exec(one) ?? [];
    return ttl === '5m' || ttl === '1h' ? { at, ttl } : { at };
  });

/** Where the first mistake is, in words; the policy without its moved values, which need the recording. */
const policyOf = (values: Values): Policy | string => {
  const ttl = oneOf(values, 'ttl', TTLS);
  const tools = oneOf(values, 'tools', TOOL_POLICIES);
  const subAgents = oneOf(values, 'sub-agents', SUB_AGENT_POLICIES);
  for (const found of [ttl, tools, subAgents]) if (Array.isArray(found)) return found[0] ?? '';
  const own = values['breakpoints'];
  const breakpoints =
    typeof own !== 'string' ? undefined : (BREAKPOINT_MODES.find((mode) => mode === own) ?? placements(own));
  if (
    Array.isArray(breakpoints) &&
    breakpoints.some(({ at }: Placement) => !/^(?:tools|system|last(?:-\d+)?|\w+\[\d+\].*)$/.test(at))
  )
    return `invalid --breakpoints '${visible(String(own))}'; expected ${BREAKPOINT_MODES.join(', ')}, or places such as tools,system,last`;
  const size = values['padding'];
  const tokens = size === undefined ? undefined : Number(size);
  if (tokens !== undefined && (!Number.isInteger(tokens) || tokens < 1 || tokens > 1_000_000))
    return `invalid --padding '${visible(String(size))}'; expected a number of tokens`;
  const model = typeof values['model'] === 'string' ? values['model'] : undefined;
  if (model !== undefined && modelFacts(model).family === 'unknown')
    return `unknown --model '${visible(model)}'; Lathe doesn't know how its cache works`;
  return {
    ...(typeof ttl === 'string' && { ttl }),
    ...(breakpoints !== undefined && { breakpoints }),
    ...(typeof tools === 'string' && { tools }),
    ...(typeof subAgents === 'string' && { subAgents }),
    ...(model !== undefined && { model }),
    ...(tokens !== undefined && { padding: { tokens } }),
  };
};

/** The recording under another policy. */
export const whatif = async (args: readonly string[]): Promise<number> => {
  const text = { type: 'string' } as const;
  const parsed = parseArguments(args, {
    json: { type: 'boolean' },
    plan: { type: 'boolean' },
    ttl: text,
    breakpoints: text,
    tools: text,
    move: text,
    model: text,
    'sub-agents': text,
    padding: text,
  });
  if (!parsed.ok) return wrongUse('whatif', parsed.error);
  const { values, positionals } = parsed.value;
  if (positionals.length === 0) return wrongUse('whatif', 'missing argument: SOURCE', 'whatif SOURCE…');
  const missing = positionals.find((source) => !existsSync(source));
  if (missing !== undefined) return wrongUse('whatif', `file or folder not found: ${missing}`);
  const asked = policyOf(values);
  if (typeof asked === 'string') return wrongUse('whatif', asked);
  const { calls, faults } = joinSources(openRecordings(positionals).files);
  const explained = explainCalls(calls, { tokens: await countTexts(calls) });
  const prepared = await prepareWhatIf(explained, { tokenizer: createNodeTokenizer() });
  const movable = movables(prepared.steps);
  const move = typeof values['move'] === 'string' ? values['move'].split(',') : [];
  const labels = move.includes('auto') ? movable.map(({ label }) => label) : move;
  const unknown = labels.find((label) => !movable.some((one) => one.label === label));
  if (unknown !== undefined)
    return wrongUse(
      'whatif',
      `no changing value at '${visible(unknown)}'${movable.length > 0 ? `; found at ${movable.map(({ label }) => label).join(', ')}` : ''}`,
    );
  const given: Policy = { ...asked, ...(labels.length > 0 && { move: labels }) };
  const plan = values['plan'] === true ? await bestBreakpoints(prepared, given) : undefined;
  const policy: Policy = plan && !plan.isRecorded ? { ...given, breakpoints: plan.breakpoints } : given;
  const told = { ...(await answerWhatIf(prepared, policy)), plan };
  if (values['json'] === true) {
    process.stdout.write(jsonDocument({ ...machineWhatIf(told), faults }));
  } else {
    process.stdout.write(`${humanWhatIf(told, createPaint(wantsColour(process.stdout)))}\n`);
    for (const { file, line, message } of faults)
      process.stderr.write(`${visible(file)}:${line}: ${visible(message)}\n`);
  }
  return faults.length > 0 || told.result.faults.length > 0 ? 1 : 0;
};
