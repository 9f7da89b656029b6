/** The same model in a terminal. This file holds the help and picks a command; everything else is loaded when it is needed. */

const HELP = `lathe: a workbench for agent skills

usage: lathe <command> [arguments]

  check DIR…                 validate every skill below DIR
      --profile P              standard (default), strict, metis, metaskill, claude-upload, claude-code; or an agent:
                               codex, gemini, copilot, cursor, opencode, windsurf, kiro, goose
      --fix                    apply safe fixes
      --fix --unsafe           also apply fixes that can change the meaning
      --format F               human (default), json, sarif, github;  --json is --format json
      --level L                lowest severity to show: error, warning, info (default), hint
      --quiet                  show errors only
      --max-warnings N         exit 1 if there are more warnings
      --output-file FILE       write the report to a file
      --watch                  check again after each change
      -  --stdin               check a SKILL.md from standard input
      --stdin-filename FILE    where it belongs: for its folder's name, the files beside it, and lathe.yaml
      --no-gitignore           also check skills that .gitignore names
                               lathe.yaml in DIR or above sets profile, rules, overrides, ignore, max_warnings, clients,
                               index_budget, and thresholds

  rules                      list every rule with its severity in a profile
      --profile P              as for check;  --json

  explain-rule ID            why a rule exists, its severity in each profile, and its fix

  index DIR                  print the skill index of a session in DIR
      --dialect D              metis (default), agents
      --profile P              standard (default), metis, metaskill
      --policy P               whose metaskills run: local (default), all, off
      --user DIR               your user library, a second folder of skills
      --cwd DIR                the session's working folder inside DIR
      --remote                 fetch the URLs in skills.urls; without it, use the copies from an earlier fetch
      --config-folder N[=DIR]  allow a folder in skills.paths that is outside the project; can be repeated
      --json                   text, tokens per line, report and log

  agents DIR                 what each agent lists from DIR: the exact text, what it cuts, and its budget
      --client C               claude-code, codex, gemini, copilot, cursor, opencode, windsurf, kiro, goose, metis;
                               with a version as claude-code@2.1.197; can be repeated (default: all)
      --model M  --window N    the model, and its context window in tokens
      --user DIR               the home folder (default: yours);  --no-user  without it
      --cwd DIR                where the agent starts inside DIR
      --plugin DIR             a plugin with skills; can be repeated
      --settings FILE          the agent's settings as JSON; they override those in the folders
      --env NAME=VALUE         an environment variable of the agent; can be repeated
      --usage FILE             .claude.json of Claude Code, to rank skills by use
      --trim NAME=N            forecast with this description N characters shorter; can be repeated
      --json                   text, entries, budget, notes, and what to trim, for each agent

  prefix DIR                 the stable prompt of a session in DIR, in segments, with padding and cost
      --model M                for its cache floor (default claude-haiku-4-5)
      --padding P              spec, model, off (default: spec for the simulator, else model)
      --provider P  --wire W   the target provider (default simulator), as for session
      --dialect D  --profile P  --policy P  --user DIR  --cwd DIR  --remote  --config-folder N[=DIR]
                               as for index
      --persona FILE           replaces the default persona
      --listing CLIENT         an agent's listing instead of the index, as for session
      --without-tool NAME      a tool that the model doesn't get; can be repeated
      --message TEXT           the first message, counted in the forecast
      --json                   segments with tokens, bytes and text; estimate, preloaded, padded, note, forecast

  new skill|metaskill|instructions|test NAME
                             create from a template
      --dir DIR                target folder (default: .agents/skills or skills if present, else here)

  run SKILLDIR --input JSON  run a metaskill
      --answers FILE           JSON array of ask responses, in order; without it, the simulator responds
      --commands FILE          JSON array of command results {exit_code, output}, in order
      --sandbox                run commands in a sandboxed copy of this project; changes are discarded
      --sandbox --folder DIR   use another folder;  --allow a,b  only these commands;  --apply  save changes
      --provider P             runs ask: simulator (default), anthropic, openai, openrouter, compatible
      --model M  --base-url URL  --wire W
                               as for session
      --max-ask-calls N  --max-command-calls N  --timeout SECONDS  --policy local|all|off
      --json                   result, ok, steps, trace

  session SCRIPT.yaml        play a scripted session; --help shows an example script
      --cwd DIR  --user DIR  --profile P  --remote  --config-folder N[=DIR]
                               as for index, inside the script's folder
      --provider P  --model M  override the script; API keys come from ANTHROPIC_API_KEY, OPENAI_API_KEY,
                               OPENROUTER_API_KEY, and COMPATIBLE_API_KEY
      --base-url URL           the provider's URL; your API key goes there
      --wire W                 the protocol of a compatible server: anthropic-messages, openai-responses, openai-chat
      --listing CLIENT         show an agent's listing instead of the index, as claude-code@2.1.197
      --events FILE            save the journal as JSON lines
      --json                   turns with usage, prediction and cost; analytics

  test DIR                   run every SKILL.test.yaml below DIR
      --json                   tests with their differences, summary

  sim                        serve the simulator over HTTP; see \`lathe sim --help\` for scenarios
      --port N                 default 4141; 0 for any free port
      --scenario FILE          what the model says (default: built-in behavior)
      --fast                   respond without the delays of a real model
      --origin ORIGIN          also allow this origin; pages from this machine are always allowed

  guard -- COMMAND           run your agent's tests against the simulator; fail if a cached prefix drifts from
                             lathe.lock.yaml; see \`lathe guard --help\`
      --update                 write the lock
      --lock FILE  --scenario FILE
      --json                   prefixes with their state and verdict

  capture                    record an agent's traffic; see \`lathe capture --help\`
      --target URL             where requests go (default: Anthropic or OpenAI, as each request says)
      --port N  --out FILE     default 4142, and capture-TIME.jsonl here
      --open                   also serve the app, with a live view of the recording
      --origin ORIGIN          also allow this origin; pages from this machine are always allowed

  open                       serve the app on this machine; your browser keeps its data per address
      --port N                 default 4173; 0 takes any free one
      --open                   open it in your browser
      --host ADDRESS --expose  let other machines open it

  explain SOURCE…            why recorded requests missed the cache: JSON lines, HAR files,
                             session journals, Claude Code transcripts, VCR cassettes, or a folder
      --follow                 watch the folders, and explain each request while the agent works
      --json                   verdicts, summary, faults
      --ledger                 instead: what you paid, what was avoidable, and the best change first
      --accuracy               instead: how often the cache model predicts them correctly, as a table

  whatif SOURCE…             recorded requests under another policy: what they would have read, written, and cost
      --ttl 5m|1h              of every breakpoint
      --breakpoints M          static, rolling, automatic, off; or places: tools,system,last,last-18,LABEL, each
                               with @5m or @1h if it has a TTL of its own
      --plan                   find the best breakpoints
      --tools sorted|frozen    in the order of their names, or the same list from the first request on
      --move LABEL,…|auto      move changing lines of these system blocks into the newest message
      --model M                another model of the same provider
      --sub-agents apart|together
                               start them one after the other, or at the same time
      --padding TOKENS         lift the stable prompt to this size
      --json                   recorded, forecast, range, requests, switches, paste

  compare BEFORE AFTER       two sessions or recordings, request by request: usage, price, and the first difference
      --json                   requests with both sides, and the sums

  report SOURCE… --out FILE.html
                             what it cost and why, in one file that opens offline, with private values masked
      --out FILE.har           instead: the requests as HAR for other tools, masked too
      --runs                   instead: the metaskill runs of a journal, as a replay
      --json                   file, bytes, requests, runs, masked

  eval DIR                   measure which skill a model picks: the suites in each skill's evals folder (triggers.yaml,
                             eval_queries.json, evals.json, promptfooconfig.yaml)
      --provider P  --model M  --base-url URL  --wire W
                               as for session; the simulator picks by word overlap
      --client C               ask with an agent's listing (claude-code, codex, …), cut by its budget; queries whose skill it cut
                               are also asked with the whole listing, to show what the cut loses
      --noise SCALE[:SEED]     vary the simulator's picks by seeded noise; it imitates no model
      --repeats N              runs of each query (default: from the suite, else 5)
      --parallel N             parallel requests (default 4)
      --limit USD              stop before a request that could exceed this amount
      --batch                  use the provider's batch API (Anthropic, OpenAI): half the price, results within a day;
                               interrupt it at any time, and the same command continues with the batches that were made
      --threshold RATE         exit 1 if the rate is proven lower (default 0.5)
      --journal DIR            where to save results, to resume a run (default DIR/.lathe/evals)
      --fresh                  start over instead of resuming
      --shard I/N              run one part of the queries
      --dialect D  --profile P  --user DIR  --cwd DIR  --remote  --config-folder N[=DIR]
                               as for index
      --format F               human (default), json, junit, github;  --json is --format json

  eval propose DIR SKILL     print a draft suite from the descriptions; edit it and save it as evals/triggers.yaml

  eval merge FILE…           combine the parts of a run
      --dir DIR                the folder of its suites (default: here);  --partial  allow missing parts

  eval compare BEFORE AFTER  two journals of one suite: better, worse, or cannot tell; exit 1 if proven worse
      --dir DIR  --json

  scan DIR…                  what every skill below DIR can do, and alarms with their lines
      --format F               human (default), json, sarif;  --json is --format json

  import SRC --out DIR       convert a skill into signed executors: a folder, an archive, or a URL
      --path P                 the skill to import if a URL has several
      --overrides FILE         JSON: [{domain, action, name?, args?: {ARG: {type?, required?}}}]
      --allow-alarms           import despite alarms; this is recorded
      --plain                  install the skill as it is, without executors
      --replace                replace another skill with the same name; this is recorded
      --refresh                fetch again, even within seven days
      --no-smoke               skip the tests in the manifests
      --keys DIR               signing keys (default ~/.config/lathe/keys, or LATHE_KEYS)
      --json                   accepted, rejected with reasons, stages, layers

  verify DIR                 verify the signatures of the executors in DIR
      --keys DIR  --json

  completions SHELL          print a completion script for bash, zsh, or fish: source <(lathe completions bash)

  --help, --version

Exit codes: 0 success, 1 problems found, 2 usage error.
`;

/** Commands that explain more than the list does. */
const OWN_HELP: ReadonlySet<string> = new Set(['session', 'sim', 'capture', 'guard']);

const COMMANDS = HELP.split('\n\n').flatMap((part) => /^  ([a-z-]+) /.exec(part)?.slice(1) ?? []);

/** What the list says of one command. */
const helpOn = (command: string): string | undefined =>
  HELP.split('\n\n').find((part) => part.startsWith(`  ${command} `));

const run = async (args: readonly string[]): Promise<number> => {
  const [first = '', ...others] = args;
  // `lathe help run` is `lathe run --help`.
  const isTopic = first === 'help' && helpOn(others[0] ?? '') !== undefined;
  const command = isTopic ? (others[0] ?? '') : first;
  const rest = isTopic ? ['--help'] : others;
  // What follows `--` belongs to another program.
  const own = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
  const isAsked = own.some((word) => word === '--help' || word === '-h') && !OWN_HELP.has(command);
  const help = isAsked ? helpOn(command) : undefined;
  if (help !== undefined) {
    process.stdout.write(`usage: lathe <command> [arguments]\n\n${help}\n`);
    return 0;
  }
  switch (command) {
    case 'check':
      return (await import('./commands/check.ts')).check(rest);
    case 'rules':
      return (await import('./commands/rules.ts')).rules(rest);
    case 'explain-rule':
      return (await import('./commands/rules.ts')).explainRule(rest);
    case 'completions':
      return (await import('./commands/completions.ts')).completions(rest, HELP);
    case 'index':
      return (await import('./commands/index.ts')).index(rest);
    case 'agents':
      return (await import('./commands/agents.ts')).agents(rest);
    case 'prefix':
      return (await import('./commands/prefix.ts')).prefix(rest);
    case 'new':
      return (await import('./commands/new.ts')).create(rest);
    case 'run':
      return (await import('./commands/run.ts')).run(rest);
    case 'session':
      return (await import('./commands/session.ts')).session(rest);
    case 'test':
      return (await import('./commands/test.ts')).test(rest);
    case 'sim':
      return (await import('./commands/sim.ts')).sim(rest);
    case 'guard':
      return (await import('./commands/guard.ts')).guard(rest);
    case 'capture':
      return (await import('./commands/capture.ts')).capture(rest);
    case 'open':
      return (await import('./commands/open.ts')).open(rest);
    case 'explain':
      return (await import('./commands/explain.ts')).explain(rest);
    case 'whatif':
      return (await import('./commands/whatif.ts')).whatif(rest);
    case 'compare':
      return (await import('./commands/compare.ts')).compare(rest);
    case 'report':
      return (await import('./commands/report.ts')).report(rest);
    case 'eval':
      return (await import('./commands/eval.ts')).evaluate(rest);
    case 'scan':
      return (await import('./commands/scan.ts')).scan(rest);
    case 'import':
      return (await import('./commands/import.ts')).importCommand(rest);
    case 'verify':
      return (await import('./commands/verify.ts')).verify(rest);
    case '--version':
    case '-v':
    case '-V':
      process.stdout.write(`${(await import('./version.ts')).VERSION}\n`);
      return 0;
    case '':
    case 'help':
    case '--help':
    case '-h':
      process.stdout.write(HELP);
      return command === '' ? 2 : 0;
    default: {
      const { nearest } = await import('../base/nearest.ts');
      const meant = nearest(command, COMMANDS);
      const hint = meant === undefined ? '`lathe --help` lists them.' : `Did you mean \`lathe ${meant}\`?`;
      process.stderr.write(`lathe: unknown command: '${command}'. ${hint}\n`);
      return 2;
    }
  }
};

let outputFault: NodeJS.ErrnoException | undefined;
// A closed pipe (`lathe check … | head`) is the reader's choice: the command continues, and its exit code stays true.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') outputFault ??= error;
});
process.stderr.on('error', () => {
  // Nobody is left to tell.
});

/** What the system refuses (no such folder, no permission, no space) is reported in a line; anything else is a defect and shows where. */
const failed = (thrown: unknown): number => {
  const fault = thrown as NodeJS.ErrnoException;
  if (!(thrown instanceof Error) || fault.syscall === undefined) throw thrown;
  process.stderr.write(`lathe: ${fault.message}\n`);
  return 2;
};

process.exitCode = await run(process.argv.slice(2)).catch(failed);
// What was written last may still be on its way to a full disk.
await new Promise<void>((resolve) => void process.stdout.write('', () => resolve()));
if (outputFault) {
  process.stderr.write(`lathe: can't write the output: ${outputFault.message}\n`);
  process.exitCode = 2;
}
