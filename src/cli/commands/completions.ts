import { wrongUse } from '../arguments.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** Commands with their options, read from the help: so neither can be forgotten. */
const readHelp = (help: string): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, Set<string>>();
  for (const part of help.split('\n\n')) {
    const name = /^ {2}([a-z][a-z-]*) /.exec(part)?.[1];
    if (name === undefined) continue;
    const options = found.get(name) ?? new Set(['--help']);
    for (const [option] of part.matchAll(/--[a-z][a-z-]*/g)) options.add(option);
    found.set(name, options);
  }
  return new Map([...found].map(([name, options]) => [name, [...options].toSorted()]));
};

const bash = (commands: ReadonlyMap<string, readonly string[]>): string =>
  `_lathe() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then words="${[...commands.keys()].join(' ')}"
  elif [ "\${word#-}" != "$word" ]; then
    case "\${COMP_WORDS[1]}" in
${[...commands].map(([name, options]) => `      ${name}) words="${options.join(' ')}" ;;`).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _lathe lathe
`;

const fish = (commands: ReadonlyMap<string, readonly string[]>): string =>
  [...commands]
    .flatMap(([name, options]) =>
      [`complete -c lathe -n __fish_use_subcommand -a ${name}`].concat(
        options.map((option) => `complete -c lathe -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`),
      ),
    )
    .join('\n');

/** A script that completes commands and options in a shell. */
export const completions = (args: readonly string[], help: string): number => {
  const [shell, ...more] = args;
  const known = SHELLS.find((name) => name === shell);
  if (!known || more.length > 0)
    return wrongUse('completions', `expected one shell: ${SHELLS.join(', ')}`, 'completions SHELL');
  const commands = readHelp(help);
  const text = {
    bash: () => bash(commands),
    zsh: () => `autoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`,
    fish: () => `${fish(commands)}\n`,
  }[known]();
  process.stdout.write(text);
  return 0;
};
