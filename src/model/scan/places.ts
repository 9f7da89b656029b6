/** Paths, hosts and variables that mean something. */

/** Files that hold credentials, or what somebody would steal. */
const CREDENTIAL_PATH =
  /(?:^|[/\\~])\.ssh(?:[/\\]|$)|(?:^|[/\\])id_(?:rsa|ed25519|ecdsa|dsa)(?:$|[^\w.])|\.aws(?:[/\\](?:credentials|config)|[/\\]?$)|\.config[/\\]gcloud|application_default_credentials|\.azure[/\\]|\.kube(?:[/\\]config|[/\\]?$)|\.docker[/\\]config\.json|(?:^|[/\\~])\.netrc|(?:^|[/\\])_netrc|(?:^|[/\\~])\.npmrc|(?:^|[/\\~])\.pypirc|\.git-credentials|\.config[/\\]gh[/\\]hosts|\.gnupg(?:[/\\]|$)|\.(?:bash|zsh|python)_history|[/\\]etc[/\\](?:shadow|sudoers|passwd)|Login Data|Cookies(?:$|\.sqlite|["'])|key4\.db|logins\.json|wallet\.dat|\.electrum|\.ethereum[/\\]keystore|\.solana[/\\]|\.config[/\\](?:solana|sui|aptos|rclone|doctl|hub|op|gh)(?:[/\\]|$)|\.cargo[/\\]credentials|\.terraform\.d[/\\]credentials|\.m2[/\\]settings|(?:^|[/\\~])\.(?:pgpass|my\.cnf|s3cfg|boto|vault-token|near-credentials|databrickscfg|snowsql)|(?:Exodus|MetaMask|Phantom|nkbihfbeogaeaoehlefnkodbefgpgknn)|\.password-store|Keychains?[/\\]|\.kdbx|(?:^|[/\\])\.env(?:\.\w+)?$|\.claude[/\\](?:\.credentials|settings)|\.claude(?:\.json$|[/\\]projects)|\.codex[/\\](?:auth\.json|sessions)|\.openclaw[/\\]|\.clawdbot[/\\]|Telegram Desktop[/\\]tdata|discord[/\\]Local Storage|\/proc\/(?:self|\d+)\/environ/i;

export const isCredentialPath = (path: string): boolean => CREDENTIAL_PATH.test(path);

/** Of those, files in which people keep the keys for what they install, for this skill too. */
export const isOwnSettings = (path: string): boolean =>
  /(?:^|[/\\])\.env(?:\.\w+)?$|\.(?:openclaw|clawdbot|moltbot)[/\\](?!(?:openclaw|clawdbot|moltbot)\.json|auth-profiles|credentials[/\\]?$)/i.test(
    path,
  );

/** Places from which something starts by itself, or steers an agent the next time. */
const STARTUP_PATH =
  /(?:^|[/\\~])\.(?:bashrc|bash_profile|bash_login|profile|zshrc|zprofile|zshenv|zlogin)$|\.config[/\\]fish[/\\]|[/\\]?Library[/\\]Launch(?:Agents|Daemons)|[/\\]etc[/\\](?:cron|rc\.local|profile|systemd|init\.d|sudoers|passwd$|shadow$|ld\.so\.preload)|\.config[/\\](?:systemd|autostart)|[/\\]var[/\\]spool[/\\]cron|Start Menu[/\\]Programs[/\\]Startup|CurrentVersion[/\\]Run|\.git[/\\]hooks[/\\]|authorized_keys|\.ssh[/\\]config|usercustomize\.py|sitecustomize\.py|\.pth$|\.claude\.json$|\.gemini[/\\]settings|(?:^|[/\\])(?:CLAUDE|AGENTS|SOUL|GEMINI)\.md$|\.claude[/\\](?:settings|hooks|commands|agents)|\.mcp\.json$|\.cursor[/\\]|\.codex[/\\]config|\.vscode[/\\](?:tasks|settings)\.json/i;

export const isStartupPath = (path: string): boolean => STARTUP_PATH.test(path);

/** Who may get in, and with which rights. */
export const opensMachine = (path: string): boolean =>
  /authorized_keys|[/\\]etc[/\\](?:sudoers|passwd$|shadow$|ld\.so\.preload)/i.test(path);

/** From where something starts at a time, at login, or with an action of another program. */
export const startsAgain = (path: string): boolean =>
  /Library[/\\]Launch(?:Agents|Daemons)|[/\\]etc[/\\](?:cron|rc\.local|init\.d|systemd|profile)|\.config[/\\](?:systemd|autostart)|spool[/\\]cron|Programs[/\\]Startup|CurrentVersion[/\\]Run/i.test(
    path,
  );

/** Shell start-up files and hooks of git: documents show them to people, programs that write there are another thing. */
export const isShellStart = (path: string): boolean =>
  /[/\\~]\.(?:bashrc|bash_profile|bash_login|profile|zshrc|zprofile|zshenv|zlogin)$|\.config[/\\]fish[/\\]|\.git[/\\]hooks[/\\]/i.test(
    path,
  );

/** Where clouds hand out the credentials of a machine. */
export const isMachineCredentials = (url: string): boolean =>
  /^https?:\/\/(?:169\.254\.169\.254|\[fd00:ec2::254\]|metadata\.google\.internal)\/.*(?:iam|credential|token|identity)/i.test(
    url,
  );

const CODE_HOSTS =
  /(?:^|\.)(?:github\.com|githubusercontent\.com|gitlab\.com|bitbucket\.org|codeberg\.org|huggingface\.co|apache\.org|gnu\.org|python\.org|nodejs\.org|golang\.org|go\.dev|sourceforge\.net|readthedocs\.io)$/i;

/** A package at an address of nobody in particular. */
export const isForeignPackage = (url: string): boolean => !CODE_HOSTS.test(hostOf(url) ?? '') && isForeignRegistry(url);

/** The home folder as a whole: what a sweep starts from. */
export const isHomePath = (path: string): boolean =>
  /^(?:~|\$HOME|\$\{HOME\}|%USERPROFILE%)[/\\]?(?:\*[/\\]?)*(?:\*\.\*)?$|^[/\\](?:home|Users|root)(?:[/\\][^/\\]*)?[/\\]?$|^~[/\\](?:Documents|Desktop|Downloads)/.test(
    path,
  );

const IP = /(?:^|[/@])(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?=[:/]|$)/;

/** A public address in an URL; private, local and documentation ranges are none. */
export const publicAddress = (url: string): string | undefined => {
  const match = IP.exec(url);
  if (!match) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = match.slice(1).map(Number);
  if ([a, b, c, d].some((part) => part > 255)) return undefined;
  const isLocal =
    a === 0 ||
    a === 10 ||
    a === 127 ||
    a >= 224 ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 192 && b === 168) ||
    (a === 169 && b === 254) ||
    (a === 100 && b >= 64 && b <= 127);
  const isExample =
    (a === 192 && b === 0 && c === 2) || (a === 198 && b === 51 && c === 100) || (a === 203 && b === 0 && c === 113);
  const isPlaceholder = (a === b && b === c) || (a === 1 && b === 2 && c === 3);
  return isLocal || isExample || isPlaceholder ? undefined : [a, b, c, d].join('.');
};

const DROP_HOST =
  /(?:^|\.)(?:pastebin\.com|rentry\.(?:co|org)|glot\.io|hastebin\.com|paste\.ee|ghostbin\.\w+|dpaste\.\w+|controlc\.com|transfer\.sh|file\.io|anonfiles\.com|gofile\.io|bit\.ly|tinyurl\.com|is\.gd|t\.ly|cutt\.ly|termbin\.com|0x0\.st|webhook\.site|requestbin\.\w+|pipedream\.net|ngrok(?:-free)?\.(?:io|app|dev)|trycloudflare\.com|interact\.sh|oast\.\w+|burpcollaborator\.net)$/i;

export const isDropHost = (host: string): boolean => DROP_HOST.test(host);

export const hostOf = (url: string): string | undefined =>
  /^[a-z][\w+.-]*:\/\/(?:[^/@\s]*@)?([^/:?#\s\uFFFC]+)/i.exec(url)?.[1]?.toLowerCase();

/** Programs that install themselves this way by their makers' own words. Shown on the card, no alarm. */
const INSTALLERS =
  /^https:\/\/(?:sh\.rustup\.rs|get\.docker\.com|install\.python-poetry\.org|astral\.sh\/uv\/|deno\.land\/(?:x\/)?install|bun\.sh\/install|get\.pnpm\.io\/|claude\.ai\/install|get\.volta\.sh|sdk\.cloud\.google\.com|aka\.ms\/|dot\.net\/v1\/dotnet-install|raw\.githubusercontent\.com\/(?:nvm-sh\/nvm|Homebrew\/install|helm\/helm|pyenv\/pyenv-installer|rust-lang\/rustup)\/|get\.helm\.sh\/|cli\.github\.com\/|deb\.nodesource\.com\/|ollama\.(?:com|ai)\/install|fly\.io\/install|get\.k3s\.io|starship\.rs\/install|mise\.run|foundry\.paradigm\.xyz|get\.sdkman\.io|bootstrap\.pypa\.io\/|pyenv\.run)/i;

export const isKnownInstaller = (url: string): boolean => INSTALLERS.test(url);

/** Hosts that serve published packages as modules. */
const MODULE_HOSTS =
  /(?:^|\.)(?:deno\.land|jsr\.io|esm\.(?:sh|run)|jsdelivr\.net|unpkg\.com|skypack\.dev|jspm\.(?:io|dev)|cdnjs\.cloudflare\.com)$/i;

export const isModuleHost = (host: string): boolean => MODULE_HOSTS.test(host);

/** Well-known secrets, and the hosts that they are for. */
const SECRET_OWNERS: readonly (readonly [RegExp, RegExp])[] = [
  [/^AWS_(?:SECRET_ACCESS_KEY|SESSION_TOKEN|ACCESS_KEY_ID)$/, /\.amazonaws\.com$/],
  [
    /^(?:GITHUB_TOKEN|GH_TOKEN|GITHUB_PAT)$/,
    /(?:^|\.)(?:github\.com|githubusercontent\.com|githubcopilot\.com|azure\.com)$|ghe/,
  ],
  [/^ANTHROPIC_(?:API_KEY|AUTH_TOKEN)$/, /(?:^|\.)anthropic\.com$/],
  [/^OPENAI_API_KEY$/, /openai|deepseek|openrouter|groq|together|mistral/],
  [/^(?:GEMINI|GOOGLE)_API_KEY$/, /(?:^|\.)googleapis\.com$|google\.com$/],
  [/^NPM_TOKEN$/, /(?:^|\.)npmjs\.(?:org|com)$/],
  [/^(?:HF_TOKEN|HUGGINGFACE_TOKEN)$/, /huggingface|(?:^|\.)hf\.co$/],
  [/^STRIPE_(?:SECRET|API)_KEY$/, /(?:^|\.)stripe\.com$/],
  [/^(?:SLACK_BOT_TOKEN|SLACK_TOKEN)$/, /(?:^|\.)slack\.com$/],
];

/** This machine itself: what it says is said here. */
export const isLocalHost = (host: string): boolean => /^(?:localhost|127\.|0\.0\.0\.0$|\[?::1\]?$)/.test(host);

/** Whether a well-known secret goes to a host that has no business with it. */
export const isForeignHost = (variable: string, host: string): boolean => {
  const owner = SECRET_OWNERS.find(([name]) => name.test(variable));
  return owner !== undefined && !owner[1].test(host) && !isLocalHost(host);
};

/** Who serves packages to everybody, and services that companies keep their own in. */
const REGISTRIES =
  /(?:^|\.)(?:npmjs\.(?:org|com)|yarnpkg\.com|npm\.pkg\.github\.com|pkg\.github\.com|pypi\.org|pypi\.python\.org|pythonhosted\.org|pytorch\.org|nvidia\.com|pkg\.dev|pkgs\.dev\.azure\.com|pkgs\.visualstudio\.com|jfrog\.io|amazonaws\.com|gitlab\.com|jsr\.io|npmmirror\.com|aliyun\.com|tencent\.com|huaweicloud\.com|edu\.cn|anaconda\.(?:org|com|cloud)|googleapis\.com|cloudsmith\.io|gemfury\.com|fury\.io|nuget\.org|rubygems\.org|crates\.io|repo\.maven\.apache\.org|localhost|alphafold\.ebi\.ac\.uk|tea\.xyz|fontawesome\.com|bit\.dev|buf\.build|data\.pyg\.org|intel\.com|rocm\.amd\.com|storage\.googleapis\.com)$/i;

/** Packages from somewhere else under the names of the usual ones. An address with a gap in it is only a form. */
export const isForeignRegistry = (url: string): boolean => {
  const host = hostOf(url.trim());
  if (host === undefined || !host.includes('.') || /[<{$[\uFFFC]|\.\.\./.test(url)) return false;
  return (
    !REGISTRIES.test(host) &&
    !/^(?:127\.|10\.|192\.168\.|0\.0\.0\.0)|(?:^|\.)(?:your|my|example)[\w-]*\.|\.local$/.test(host)
  );
};
