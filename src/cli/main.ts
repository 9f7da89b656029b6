/** The same model in a terminal. This file holds the help and picks a command; everything else is loaded when it is needed. */

const HELP = `lathe: a workbench for agent skills, in the terminal

usage: lathe <command> [arguments]

  check DIR…                 validate every skill below DIR
      --profile P              standard (default), strict, metis, metaskill, claude-upload, claude-code
      --fix                    apply the fixes that are safe
      --fix --unsafe           and those that an author may see differently
      --format F               human (default), json, sarif, github;  --json is --format json
      --level L                show problems from this severity on: error, warning, info (default), hint
      --quiet                  show errors only
      --max-warnings N         exit 1 if there are more warnings
      --output-file FILE       write the report to a file
                               lathe.yaml in DIR or above sets profile, rules, overrides, ignore, and max_warnings

  rules                      list every rule with its severity in a profile
      --profile P              as for check;  --json

  explain-rule ID            why a rule exists, its severity in each profile, and its fix

  index DIR                  print the discovery index of the skills that a session in DIR would load
      --dialect D              metis (default), agents
      --profile P              standard (default), metis, metaskill
      --policy P               who may run metaskills: local (default), all, off
      --user DIR               a second folder with your own skills
      --cwd DIR                where a session works inside the folder
      --remote                 fetch the addresses in skills.urls; without it, use the copies of an earlier fetch
      --config-folder N[=DIR]  open a folder that skills.paths names outside the project; can be repeated
      --window N               context window in tokens, for the index meter (default 200000)
      --json                   text, tokens per line, report and log

  agents DIR                 what each agent lists of the skills in DIR: exact text, what is cut, and the budget
      --client C               claude-code, codex, gemini-cli, copilot, cursor, opencode, windsurf, kiro, goose, metis;
                               with a version as claude-code@2.1.197; can be repeated (default: all)
      --model M  --window N    the model, and its context window in tokens
      --user DIR               the home folder (default: yours);  --no-user  without it
      --cwd DIR                where the agent is started inside the folder
      --plugin DIR             a plugin with skills of its own; can be repeated
      --settings FILE          settings of the agent as JSON, over those in the folders
      --env NAME=VALUE         a variable of the agent's environment; can be repeated
      --usage FILE             .claude.json of Claude Code, to rank skills by use
      --trim NAME=N            what if this description had N characters less; can be repeated
      --json                   text, entries, budget, notes, and what to trim, for each agent

  prefix DIR                 the stable prompt of a session in DIR, in segments, with padding and what it costs
      --model M                for its cache floor (default claude-haiku-4-5)
      --padding P              spec, model, off (default: spec for the simulator, else model)
      --provider P  --wire W   which provider would get it (default simulator), as for session
      --dialect D  --profile P  --policy P  --user DIR  --cwd DIR  --remote  --config-folder N[=DIR]
                               as for index
      --persona FILE           a text in place of the default persona
      --message TEXT           what is said first, counted in the forecast
      --json                   segments with tokens, bytes and text; estimate, preloaded, padded, note, forecast

  new skill|metaskill|instructions|test NAME
                             write a good start from a template
      --dir DIR                where (default: .agents/skills or skills if there is one, else here)

  run SKILLDIR --input JSON  run a metaskill
      --answers FILE           JSON array of texts that ask gets in turn; without it the simulator answers
      --commands FILE          JSON array of {exit_code, output} that command gets in turn
      --sandbox                run commands for real, over this folder's project; what they write is not kept
      --sandbox --folder DIR   over another folder;  --allow a,b  only these commands;  --apply  keep what they write
      --provider P             who answers ask: simulator (default), anthropic, openai, openrouter, compatible
      --model M  --base-url URL  --wire W
                               as for session
      --max-ask-calls N  --max-command-calls N  --timeout SECONDS  --policy local|all|off
      --json                   result, ok, steps, trace

  session SCRIPT.yaml        play a scripted session; --help shows a script
      --cwd DIR  --user DIR  --profile P  --remote  --config-folder N[=DIR]
                               as for index, inside the script's folder
      --provider P  --model M  instead of the script's; API keys come from ANTHROPIC_API_KEY, OPENAI_API_KEY,
                               and OPENROUTER_API_KEY
      --base-url URL           where the provider answers; your API key goes there
      --wire W                 of a compatible server: anthropic-messages, openai-responses, openai-chat
      --events FILE            the journal, as JSON lines
      --json                   turns with usage, prediction and cost; analytics

  test DIR                   run every SKILL.test.yaml below DIR
      --json                   tests with their differences, summary

  sim                        serve the simulator over HTTP; \`lathe sim --help\` explains scenarios
      --port N                 default 4141; 0 takes any free one
      --scenario FILE          what the model says; without it, the built-in behaviour
      --fast                   answer without the pauses of a real model
      --origin ORIGIN          also answer pages from there; pages of this machine may always ask

  capture                    record what an agent and its provider say to each other; \`lathe capture --help\` says more
      --target URL             where requests go (default: Anthropic or OpenAI, as each request says)
      --port N  --out FILE     default 4142, and capture-TIME.jsonl here
      --open                   also serve the app, with a live view of the recording
      --origin ORIGIN          also answer pages from there; pages of this machine may always ask

  open                       serve the app on this machine; your browser keeps its data per address
      --port N                 default 4173; 0 takes any free one
      --open                   open it in your browser
      --host ADDRESS --expose  let other machines open it

  explain SOURCE…            why recorded requests were not read from the cache: JSON lines, HAR files too,
                             journals of sessions, transcripts of Claude Code, cassettes of VCR; or a folder
      --follow                 keep watching the folders, and explain each request while the agent works
      --json                   verdicts, summary, faults
      --ledger                 instead: what was paid, what was avoidable, and the best change first
      --accuracy               instead: how often the model of the cache is right about them, as a table

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

  report SOURCE… --out FILE.html
                             what it cost and why, in one file that opens offline, with private values masked
      --runs                   instead: the metaskill runs of a journal, as a replay
      --json                   file, bytes, requests, runs, masked

  eval DIR                   measure which skill is picked: the suites in each skill's evals folder (triggers.yaml,
                             eval_queries.json, evals.json, promptfooconfig.yaml)
      --provider P  --model M  --base-url URL  --wire W
                               as for session; the simulator picks by word overlap
      --client C               under the listing of an agent (claude-code, codex, …), cut as its budget cuts it; queries whose
                               skill it cut are asked under the whole listing too, and what was lost is named
      --repeats N              runs of each query (default: as the suite says, else 5)
      --parallel N             calls at the same time (default 4)
      --limit USD              stop before a call that could pass this amount
      --threshold RATE         exit 1 if the rate is proven to be below (default 0.5)
      --journal DIR            where results are kept, so that a run can go on (default DIR/.lathe/evals);  --fresh  start anew
      --shard I/N              only a part of the queries
      --dialect D  --profile P  --user DIR  --cwd DIR  --remote  --config-folder N[=DIR]
                               as for index
      --format F               human (default), json, junit, github;  --json is --format json

  eval propose DIR SKILL     print a first suite made from the descriptions, to edit and save as evals/triggers.yaml

  eval merge FILE…           the parts of a run, judged as a whole
      --dir DIR                where its suites are (default here);  --partial  although parts are missing

  eval compare BEFORE AFTER  two journals of one suite: better, worse, or cannot tell; exit 1 if proven worse
      --dir DIR  --json

  scan DIR…                  check zero: what every skill below DIR can do, and alarms with their lines
      --format F               human (default), json, sarif;  --json is --format json

  import SRC --out DIR       make signed executors of a skill: a folder, an archive, or an address
      --path P                 which skill, where an address has several
      --overrides FILE         JSON: [{domain, action, name?, args?: {ARG: {type?, required?}}}]
      --allow-alarms           import although check zero has alarms; this is recorded
      --replace                take the place of another skill with the same name; this is recorded
      --refresh                fetch again within the seven days of the cache
      --no-smoke               do not run the tests of the manifests
      --keys DIR               signing keys (default ~/.config/lathe/keys, or LATHE_KEYS)
      --json                   accepted, rejected with reasons, stages, layers

  verify DIR                 check the signatures of the executors in DIR
      --keys DIR  --json

  --help, --version

Exit code: 0 fine, 1 problems found, 2 wrong use.
`;

/** Commands that explain more than the list does. */
const OWN_HELP: ReadonlySet<string> = new Set(['session', 'sim', 'capture']);

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
  const isAsked = rest.some((word) => word === '--help' || word === '-h') && !OWN_HELP.has(command);
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
    case 'capture':
      return (await import('./commands/capture.ts')).capture(rest);
    case 'open':
      return (await import('./commands/open.ts')).open(rest);
    case 'explain':
      return (await import('./commands/explain.ts')).explain(rest);
    case 'whatif':
      return (await import('./commands/whatif.ts')).whatif(rest);
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
      process.stderr.write(`lathe: there is no command “${command}”. ${hint}\n`);
      return 2;
    }
  }
};

let outputFault: NodeJS.ErrnoException | undefined;
// A closed pipe (`lathe check … | head`) is the reader's choice: the command goes on, and its exit code stays true.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') outputFault ??= error;
});
process.stderr.on('error', () => {
  // Nobody is left to tell.
});

/** What the system refuses (no such folder, no permission, no space) is told in a line; anything else is a defect and shows where. */
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
  process.stderr.write(`lathe: the output could not be written: ${outputFault.message}\n`);
  process.exitCode = 2;
}
