/**
 * Slash commands that Claude Code 2.1.328 brings and shows no model. A skill whose frontmatter calls it like one of them is listed by its
 * folder alone, because the name leads to the command. Measured without an account; flags and accounts change the set.
 */
export const SLASH_COMMANDS: ReadonlySet<string> = new Set(
  [
    'add-dir agents auto-mode-setup autocompact background batch branch btw bug cd clear color compact config context',
    'copy debug deep-research diff doctor effort exit export fast feedback focus fork goal heapdump help hooks ide',
    'insights keybindings list-agents login logout mcp memory mobile model output-style passes permissions plan',
    'plugin powerup pro-trial-expired radio recap release-notes reload-plugins reload-skills rename resume rewind',
    'sandbox scroll-speed setup-bedrock setup-vertex skills status statusline stickers subtask tasks team-onboarding',
    'terminal-setup theme tui usage verify workflow-launch-exec workflows',
  ].flatMap((line) => line.split(' ')),
);
