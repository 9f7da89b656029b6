/** The same model in a terminal. This file holds the help and picks a command; everything else is loaded when it is needed. */

const HELP = `lathe: a workbench for agent skills, in the terminal

usage: lathe <command> [arguments]

  check DIR…                 validate every skill below DIR
      --profile P              standard (default), strict, metis, metaskill, claude-upload, claude-code
      --fix                    apply the fixes that are safe
      --fix --unsafe           and those that an author may see differently
      --format F               human (default), json, sarif, github;  --json is --format json
      --level L                show problems from this severity on: error, warning, info (default), hint

  index DIR                  print the discovery index of the skills that a session in DIR would load
      --dialect D              metis (default), agents
      --profile P              standard (default), metis, metaskill
      --policy P               who may run metaskills: local (default), all, off
      --user DIR               a second folder with your own skills
      --window N               context window in tokens, for the index meter (default 200000)
      --json                   text, tokens per line, report and log

  new skill|metaskill|instructions NAME
                             write a good start from a template
      --dir DIR                where (default: .agents/skills or skills if there is one, else here)

  run SKILLDIR --input JSON  run a metaskill
      --answers FILE           JSON array of texts that ask gets in turn
      --commands FILE          JSON array of {exit_code, output} that command gets in turn
      --max-ask-calls N  --max-command-calls N  --timeout SECONDS  --policy local|all|off
      --json                   result, ok, steps, trace

  test DIR                   run every SKILL.test.yaml below DIR
      --json                   tests with their differences, summary

  --help, --version

Exit code: 0 fine, 1 problems found, 2 wrong use.
`;

const run = async (args: readonly string[]): Promise<number> => {
  const [command, ...rest] = args;
  switch (command) {
    case 'check':
      return (await import('./commands/check.ts')).check(rest);
    case 'index':
      return (await import('./commands/index.ts')).index(rest);
    case 'new':
      return (await import('./commands/new.ts')).create(rest);
    case 'run':
      return (await import('./commands/run.ts')).run(rest);
    case 'test':
      return (await import('./commands/test.ts')).test(rest);
    case '--version':
      process.stdout.write(`${(await import('./version.ts')).VERSION}\n`);
      return 0;
    case undefined:
    case 'help':
    case '--help':
    case '-h':
      process.stdout.write(HELP);
      return command === undefined ? 2 : 0;
    default:
      process.stderr.write(`lathe: there is no command “${command}”. \`lathe --help\` lists them.\n`);
      return 2;
  }
};

// A closed pipe (`lathe check … | head`) is the reader's choice, not a fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await run(process.argv.slice(2));
