/**
 * Lathe as a library: `import { checkSkill } from 'skill-lathe'`. It runs in Node 20.19 or later, needs no other package, and
 * sends nothing anywhere. Every example here is a file in `examples/`, which a test compiles and runs.
 */
import { folderReport, fixedText, skillReport } from './check.ts';
import { clientListing } from './listing.ts';
import { predictions, verdicts } from './cache.ts';
import { metaskillResult } from './metaskill.ts';
import { simulatorServer } from './simulator.ts';
import type {
  CachePrediction,
  CheckOptions,
  CheckSkillOptions,
  Client,
  Explanation,
  FixOptions,
  FixedSkill,
  FolderReport,
  Listing,
  ListingOptions,
  MetaskillOptions,
  MetaskillResult,
  PlannedRequest,
  SimulatorServer,
  SimulatorServerOptions,
  SkillReport,
} from './types.ts';

export type * from './types.ts';

/**
 * Checks the text of one SKILL.md.
 *
 * @example check-skill
 * ```js
 * import { checkSkill } from 'skill-lathe';
 *
 * const { valid, problems } = checkSkill('---\nname: Bad Name\ndescription: Writes tests. Use for tests.\n---\n');
 *
 * console.log(valid);
 * console.log(problems.find(({ severity }) => severity === 'error')?.line);
 * ```
 */
export const checkSkill = (text: string, options: CheckSkillOptions = {}): SkillReport => skillReport(text, options);

/**
 * Checks every skill below a folder, with its files and programs.
 *
 * @example check-folder
 * ```js
 * import { checkFolder } from 'skill-lathe';
 *
 * const { valid, skills } = await checkFolder('skills', { profile: 'strict' });
 *
 * console.log(valid);
 * for (const { path, problems } of skills) console.log(path, problems.length);
 * ```
 */
export const checkFolder = (folder: string, options: CheckOptions = {}): Promise<FolderReport> =>
  folderReport(folder, options);

/**
 * The text of a SKILL.md with its safe fixes applied. Writes nothing to disk.
 *
 * @example fix-skill
 * ```js
 * import { fixSkill } from 'skill-lathe';
 *
 * const { text, applied } = fixSkill('---\nname: tests\ndescription: Writes: tests. Use for tests.\n---\n\n# Tests\n');
 *
 * console.log(applied.length);
 * console.log(text.split('\n')[2]);
 * ```
 */
export const fixSkill = (text: string, options: FixOptions = {}): FixedSkill => fixedText(text, options);

/**
 * What an agent lists of the skills in a folder, with what its budget cuts.
 *
 * @example listing-for
 * ```js
 * import { listingFor } from 'skill-lathe';
 *
 * const { entries, budget } = await listingFor('claude-code', '.');
 *
 * for (const { name, state } of entries) console.log(name, state);
 * console.log(budget?.unit);
 * ```
 */
export const listingFor = (client: Client, folder: string, options: ListingOptions = {}): Promise<Listing> =>
  clientListing(client, folder, options);

/**
 * Why recorded requests weren't read from the cache. Takes the text of any recording that `lathe explain` reads.
 *
 * @example explain
 * ```js
 * import { readFileSync } from 'node:fs';
 * import { explain } from 'skill-lathe';
 *
 * const { verdicts } = await explain(readFileSync('requests.jsonl', 'utf8'));
 *
 * for (const { kind, cause } of verdicts) console.log(kind, cause);
 * ```
 */
export const explain = (recording: string): Promise<Explanation> => verdicts(recording);

/**
 * What requests would read from the cache, write to it, and cost, sent one after the other. Sends nothing. Throws if a body
 * can't be read.
 *
 * @example predict
 * ```js
 * import { predict } from 'skill-lathe';
 *
 * const body = JSON.stringify({
 *   model: 'claude-haiku-4-5',
 *   max_tokens: 100,
 *   system: [{ type: 'text', text: 'A long rule. '.repeat(2000), cache_control: { type: 'ephemeral' } }],
 *   messages: [{ role: 'user', content: 'Hello' }],
 * });
 * const [first, second] = await predict([
 *   { wire: 'anthropic-messages', body, startedAt: 0 },
 *   { wire: 'anthropic-messages', body, startedAt: 60_000 },
 * ]);
 *
 * console.log(first?.read, second?.read === first?.written);
 * ```
 */
export const predict = (requests: readonly PlannedRequest[]): Promise<readonly CachePrediction[]> =>
  predictions(requests);

/**
 * Runs a metaskill with scripted answers and commands.
 *
 * @example run-metaskill
 * ```js
 * import { runMetaskill } from 'skill-lathe';
 *
 * const { ok, result } = await runMetaskill('skills/greet', { name: 'Ada' }, { answers: ['Hello, Ada!'] });
 *
 * console.log(ok, result.includes('Hello, Ada!'));
 * ```
 */
export const runMetaskill = (
  folder: string,
  input: unknown = {},
  options: MetaskillOptions = {},
): Promise<MetaskillResult> => metaskillResult(folder, input, options);

/**
 * Serves a simulated provider on this machine, for tests without an API key.
 *
 * @example start-simulator
 * ```js
 * import { startSimulator } from 'skill-lathe';
 *
 * const simulator = await startSimulator();
 * const response = await fetch(`${simulator.url}/v1/models`, { headers: { 'x-api-key': 'any' } });
 *
 * console.log(response.status);
 * await simulator.close();
 * ```
 */
export const startSimulator = (options: SimulatorServerOptions = {}): Promise<SimulatorServer> =>
  simulatorServer(options);
