/** Names of users: which of them tell a person, so that they are private wherever they stand. */

/** Names that many machines have, and words that requests are made of. */
const COMMON: ReadonlySet<string> = new Set(
  `user users root admin administrator node nobody ubuntu debian fedora centos alpine vagrant docker podman runner runneradmin
  vscode codespace codespaces gitpod jenkins circleci travis buildkite github gitlab jovyan sandbox worker deploy deployer service
  public shared default guest local project projects workspace workspaces source sources build builder python ruby postgres mysql redis
  nginx apache server client claude codex gemini cursor copilot opencode anthropic openai lathe agent agents model models skill skills
  assistant system message messages content developer function functions input output tools string object number boolean array image
  document thinking stream cache ephemeral usage start stop error errors event events metadata username example yourname someone`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** A shorter one is too often a word. */
const LEAST = 5;
const MOST_NAME = 64;

export const isPersonal = (name: string): boolean =>
  name.length >= LEAST && name.length <= MOST_NAME && /^[A-Za-z][\w.-]*$/.test(name) && !COMMON.has(name.toLowerCase());

export const isWordPart = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character);

/** The letter behind a backslash belongs to an escape, such as the n of a line end. */
export const isWordStart = (text: string, at: number): boolean =>
  !isWordPart(text[at - 1]) || (/[nrt]/.test(text[at - 1] ?? '') && text[at - 2] === '\\');
