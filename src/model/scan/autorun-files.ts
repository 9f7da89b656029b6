/** Files that a tool runs because they are there; those of agents are in `autorun-agents.ts`. */
import { agents } from './autorun-agents.ts';
import { at, type AutorunFile } from './autorun-path.ts';

/** Git runs a hook by its name, without an extension. */
const GIT_HOOKS =
  '(?:applypatch-msg|commit-msg|fsmonitor-watchman|post-\\w+|pre-[\\w-]+|prepare-commit-msg|push-to-checkout|proc-receive|update|reference-transaction|sendemail-validate)';

/** Keys of settings that name a program, an address of one, or the environment it runs in. */
const NAMES_A_PROGRAM =
  /"(?:task\.allowAutomaticTasks|[\w.-]*(?:path|executable|binary|interpreter|shell(?:args)?|command|cmd|profiles?(?:\.\w+)?|env(?:\.\w+)?|tsdk|runtime|runonsave|executormap|alternatetools|autoapprove|autorun|mcp|hooks|context_servers|program|server|java\.home|vmargs))"/i;

const python: readonly AutorunFile[] = [
  { path: /\.py[co]$/, trigger: 'instead of the source file with this name. Compiled Python can’t be reviewed' },
  { path: at('[^/]+\\.pth', '(?:site|user)customize\\.py'), trigger: 'every time Python starts' },
  {
    // `python -m`, as editors call it, looks into the folder where it stands first.
    path: /^(?:abc|argparse|ast|asyncio|base64|collections|contextlib|ctypes|dataclasses|datetime|encodings|enum|functools|hashlib|importlib|inspect|io|json|locale|os|pathlib|pickle|pkgutil|platform|random|re|runpy|select|selectors|shutil|signal|site|socket|ssl|stat|struct|subprocess|sys|tempfile|threading|tokenize|tomllib|traceback|typing|urllib|warnings|weakref|zipfile|zlib)(?:\.py|\/__init__\.py)$/,
    trigger: 'when an editor starts Python here, because it shadows a standard module',
  },
];

const editors: readonly AutorunFile[] = [
  { path: at('\\.vscode/tasks\\.json', '[^/]+\\.code-workspace'), trigger: 'when VS Code opens the folder' },
  { path: at('\\.vscode/settings\\.json'), trigger: 'when VS Code opens the folder', when: NAMES_A_PROGRAM },
  {
    path: at('\\.devcontainer(?:/.+)?/devcontainer\\.json', '\\.devcontainer\\.json', '\\.devcontainer/.+'),
    trigger: 'when a dev container is built from the folder',
  },
  {
    path: at(
      '\\.gitpod\\.yml',
      '\\.replit',
      '\\.stackblitzrc',
      '\\.codesandbox/.+',
      'sandbox\\.config\\.json',
      '\\.idx/dev\\.nix',
      '\\.(?:gitpod|ona)/.+',
    ),
    trigger: 'when an online editor opens the folder',
  },
  {
    path: at(
      '\\.idea/(?:workspace|startup|watchertasks|externaldependencies)\\.xml',
      '\\.idea/(?:runconfigurations|tools)/[^/]+',
      '\\.run/[^/]+\\.run\\.xml',
      '\\.fleet/[^/]+\\.json',
    ),
    trigger: 'when a JetBrains editor opens the folder',
  },
  {
    path: at('\\.vs/.+', '(?:directory\\.(?:build|packages)|msbuild)\\.(?:props|targets|rsp)'),
    trigger: 'when Visual Studio opens the folder',
  },
  {
    path: at('[^/]+\\.(?:cs|vb|fs|vcx|wix|es|sql)?proj', '[^/]+\\.(?:targets|props)'),
    trigger: 'when Visual Studio opens the folder',
    when: /<\s*(?:Exec|UsingTask|Target)\b|InitialTargets|BeforeTargets|AfterTargets|\$\(\[/i,
  },
  { path: at('\\.externaltoolbuilders/.+'), trigger: 'when Eclipse builds the folder' },
  {
    path: at('\\.zed/settings\\.json', '\\.zed/tasks\\.json'),
    trigger: 'when Zed opens the folder',
    when: NAMES_A_PROGRAM,
  },
  {
    path: at(
      '[._]?(?:ex|vim|gvim|nvim|lvim)rc',
      '\\.nvim\\.lua',
      '\\.local\\.vimrc',
      '\\.dir-locals(?:-2)?\\.el',
      '\\.emacs(?:\\.d/.+)?',
      '\\.(?:spacemacs|ideavimrc)',
      '\\.doom\\.d/.+',
      '\\.vim/(?:plugin|autoload|ftplugin|after|pack|colors|syntax|compiler|indent)/.+',
      '\\.helix/[^/]+\\.toml',
      '\\.kakrc',
      'hie\\.yaml',
    ),
    trigger: 'when an editor opens a file here',
  },
  { path: at('\\.vim/coc-settings\\.json'), trigger: 'when Vim opens a file here', when: NAMES_A_PROGRAM },
  { path: at('\\.luarc\\.jsonc?'), trigger: 'when an editor opens a file here', when: /"(?:runtime\.)?plugin"/ },
  {
    path: at(
      '\\.?(?:gradle/)?(?:build|settings|init)\\.gradle(?:\\.kts)?',
      'gradle\\.properties',
      'build\\.sbt',
      'project/[^/]+\\.(?:sbt|scala)',
      'build\\.rs',
      'build\\.zig',
      'package\\.swift',
      'mix\\.exs',
      '\\.formatter\\.exs',
    ),
    trigger: 'when an editor loads the project, and at the next build',
  },
  {
    path: at('cargo\\.toml'),
    trigger: 'when an editor loads the project, and at the next build',
    when: /^[ \t]*"?(?:build|proc[-_]macro)"?[ \t]*=[ \t]*(?!false)/m,
  },
  {
    path: at('cmakelists\\.txt', '[^/]+\\.cmake', 'meson\\.build'),
    trigger: 'when an editor loads the project, and at the next build',
    when: /\b(?:execute_process|try_run|run_command)\s*\(/i,
  },
  {
    path: at('pom\\.xml'),
    trigger: 'when an editor loads the project, and at the next build',
    when: /<artifactId>\s*(?:exec-maven-plugin|maven-antrun-plugin|groovy-maven-plugin|gmavenplus-plugin)\s*</,
  },
  {
    path: at(
      '\\.eslintrc\\.[cm]?js',
      'eslint\\.config\\.[cm]?[jt]s',
      '\\.prettierrc\\.[cm]?[jt]s',
      'prettier\\.config\\.[cm]?[jt]s',
      '\\.stylelintrc\\.[cm]?js',
      'stylelint\\.config\\.[cm]?js',
      '\\.lintr',
    ),
    trigger: 'when an editor checks or formats a file here',
  },
  {
    path: at('[jt]sconfig(?:\\.[\\w-]+)*\\.json'),
    trigger: 'when an editor opens a file here',
    when: /"plugins"\s*:\s*\[[^\]]{0,2000}?"name"\s*:\s*"(?:\.{0,2}\/|\.\.?\\|[A-Za-z]:)/,
  },
  {
    path: at('\\.(?:eslintrc|prettierrc|stylelintrc|rubocop|solargraph)(?:\\.(?:json|ya?ml|toml))?'),
    trigger: 'when an editor checks or formats a file here',
    when: /["']?\.{1,2}\/[^"'\s]{1,300}\.(?:[cm]?[jt]s|rb)\b|^(?:require|plugins):[ \t]*(?:\n[ \t]*-[ \t]*)?["']?\.{1,2}\//m,
  },
  { path: at('rust-toolchain(?:\\.toml)?'), trigger: 'at the next cargo command', when: /\bpath\b/ },
];

const shells: readonly AutorunFile[] = [
  { path: at('\\.envrc', '\\.direnvrc', '\\.config/direnv/.+'), trigger: 'when a shell with direnv enters the folder' },
  {
    path: at(
      '\\.?mise(?:\\.[\\w-]+)*\\.toml',
      '\\.?mise/.+',
      '\\.config/mise(?:/.+|(?:\\.[\\w-]+)*\\.toml)',
      '\\.rtx(?:\\.[\\w-]+)*\\.toml',
    ),
    trigger: 'when a shell with mise enters the folder',
  },
  {
    path: at('\\.tool-versions'),
    trigger: 'when a shell with mise or asdf enters the folder',
    when: /\{\{|\{%|\$\(|`|\bpath:|\bref:|https?:/,
  },
  { path: at('\\.rvmrc'), trigger: 'when a shell with rvm enters the folder' },
  {
    path: at(
      '\\.autoenv',
      '\\.autoenv\\.(?:zsh|leave)',
      '\\.autoenv_leave\\.zsh',
      '\\.env\\.leave',
      '\\.(?:enter|exit|smartcd)',
      '\\.powrc',
      '\\.powenv',
    ),
    trigger: 'when a shell with autoenv enters the folder',
  },
  {
    // A list of values is data; a line that is none is a command to autoenv.
    path: at('\\.env'),
    trigger: 'when a shell with autoenv enters the folder',
    when: /\$\(|`|<\(|^[ \t]*(?!#|(?:export[ \t]+)?[\w.-]+[ \t]*[=:])\S/m,
  },
  {
    path: at(
      '\\.(?:bash|zsh|ksh|csh|tcsh|mksh|yash|xonsh)rc',
      '\\.bash_(?:profile|login|logout|aliases|completion)',
      '\\.oh-my-(?:zsh|bash)/.+',
      '\\.(?:inputrc|screenrc|tmux\\.conf|hyper\\.js|wezterm\\.lua|mailcap|forward)',
      '\\.z(?:shenv|profile|login|logout)',
      '\\.(?:profile|login|logout|xinitrc|xprofile|xsession|xsessionrc|pam_environment)',
      '(?:\\.config/)?fish/(?:config\\.fish|conf\\.d/[^/]+|functions/[^/]+)',
      'microsoft\\.[\\w.]*powershell_profile\\.ps1',
      'profile\\.ps1',
      '\\.config/(?:autostart|environment\\.d|systemd|nushell|xonsh|nvim|vim|emacs|helix|kak|tmux|zellij|kitty|alacritty|wezterm|i3|sway|hypr)/.+',
      'library/launch(?:agents|daemons)/.+',
      '\\.ssh/(?:rc|config|environment|authorized_keys2?)',
    ),
    trigger: 'when a shell or desktop starts, after it is copied to a home folder',
  },
  {
    path: at(
      '\\.(?:gdbinit|lldbinit|radare2rc|pdbrc|irbrc|pryrc|ghci|ocamlinit|octaverc|rprofile|renviron|erlang|guile|sqliterc|psqlrc|pythonrc|python-?startup)',
      '\\.(?:pdbrc|pythonrc|python-?startup)\\.py',
      '\\.(?:gdbinit|pryrc|irbrc)\\.\\w+',
      '\\.iex\\.exs',
      '\\.rdata',
      'renv/activate\\.r',
      'ipython_config\\.py',
      '\\.ipython/.+',
      'jupyter_[\\w]*config\\.(?:py|json)',
      '\\.julia/config/startup\\.jl',
    ),
    trigger: 'when an interpreter or a debugger starts here',
  },
  {
    path: at(
      '\\.aws/config',
      '\\.docker/config\\.json',
      '\\.my\\.cnf',
      '\\.wgetrc',
      '\\.asdfrc',
      '\\.hgrc',
      '\\.ripgreprc',
      '\\.ackrc',
    ),
    trigger: 'when its program starts, after it is copied to a home folder',
    when: /credential_process|"cred(?:sStore|Helpers)"|"cliPluginsExtraDirs"|^[ \t]*pager\s*=|use_askpass|^(?:pre|post)_asdf|\[hooks\]|\[alias\]|\[extensions\]|--pre(?:=|\s)|--pager/m,
  },
  { path: at('autorun\\.inf'), trigger: 'when Windows opens the drive' },
  {
    path: at('desktop\\.ini'),
    trigger: 'when Windows shows the folder',
    when: /^[ \t]*(?:icon(?:file|resource)|clsid2?|uiclsid|infotip|localizedresourcename)\s*=.*(?:\\\\|\{|@)/im,
  },
  {
    path: at('[^/]+\\.(?:lnk|scf|url|library-ms|searchconnector-ms|desktop)', '\\.directory'),
    trigger: 'when a file manager shows the folder or opens the file',
  },
  {
    path: at(
      '(?:git|node|npm|npx|python3?|py|pip3?|code|cmd|powershell|pwsh|bash|sh|ls|make|cargo|rustc|go|java|javac|dotnet|rg|where|tsc|yarn|pnpm|bun|deno|uv|uvx|ruby|perl|curl|ssh|claude|codex|gemini)\\.(?:exe|com|bat|cmd)',
    ),
    trigger: 'on Windows, instead of the program with this name',
  },
];

const versionControl: readonly AutorunFile[] = [
  {
    path: at(
      '\\.husky/.+',
      '\\.huskyrc(?:\\.\\w+)?',
      'husky\\.config\\.\\w+',
      '\\.simple-git-hooks\\.\\w+',
      'simple-git-hooks\\.\\w+',
      '\\.?git-?hooks/.+',
      `(?:\\.hooks|hooks|\\.pre-commit)/${GIT_HOOKS}(?:\\.(?:sh|exe|bat|cmd|ps1))?`,
      '\\.lintstagedrc(?:\\.\\w+)?',
      'lint-staged\\.config\\.\\w+',
      '\\.pre-commit-config\\.ya?ml',
      '\\.pre-commit-hooks\\.ya?ml',
      'prek\\.toml',
      '\\.?lefthook(?:-local)?\\.(?:ya?ml|toml|json)',
      '\\.lefthook/.+',
      '\\.overcommit\\.yml',
      '\\.?captainhook(?:\\.config)?\\.json',
      'grumphp\\.ya?ml',
      '\\.cz\\.\\w+|commitlint\\.config\\.\\w+|\\.commitlintrc\\.[cm]?[jt]s',
    ),
    trigger: 'at the next commit or checkout',
  },
  // The short names that Windows gives to `.gitmodules`.
  { path: at('\\.gitmodules', 'gitmod~\\d+', 'gi7eba~\\d+'), trigger: 'when git fetches submodules' },
  {
    path: at('\\.?gitconfig', '\\.config/git/.+'),
    trigger: 'if a git config includes it',
    when: /=|\[/,
  },
  {
    path: at('\\.gitattributes', 'gitatt~\\d+'),
    trigger: 'at the next checkout, if git has this driver configured',
    when: /^[^#\n]*\s(?:filter|diff|merge|textconv)=(?!(?:lfs|text|astextplain|union|ours|python|markdown|html|css|golang|rust|ruby|java|cpp|csharp|php|tex|json|bibtex|perl|kotlin|scheme|elixir|fortran|matlab|objc|pascal|bash|ada|dts)(?:\s|$))\S/m,
  },
];

const packages: readonly AutorunFile[] = [
  {
    path: at(
      '\\.npmrc',
      '\\.yarnrc(?:\\.ya?ml)?',
      '\\.yarn/(?:releases|plugins)/.+',
      '\\.?pnpmfile\\.[cm]?js',
      '\\.pnp(?:\\.loader)?\\.[cm]?js',
      'bunfig\\.toml',
      '\\.?nuget\\.config',
      '\\.bundle/config',
      '\\.?pip\\.(?:conf|ini)',
      '\\.config/pip/.+',
      'uv\\.toml',
      '\\.pypirc',
      '\\.condarc',
      '\\.gemrc',
    ),
    trigger: 'at the next install',
  },
  {
    path: at('pnpm-workspace\\.ya?ml'),
    trigger: 'at the next install',
    when: /pnpmfile|script-?shell|node-?options|configDependencies|allowBuilds|BuiltDependencies|dangerously|registr/i,
  },
  { path: at('binding\\.gyp', '[^/]+\\.gypi'), trigger: 'at the next npm install' },
  {
    path: at('node_modules/(?:\\.bin/[^/]+|(?:@[^/]+/)?[^/]+/package\\.json)'),
    trigger: 'when a tool or an editor loads a package from here',
  },
  {
    path: at('(?:\\.?venv|\\.?env|virtualenv)/(?:bin|scripts)/.+', 'pyvenv\\.cfg'),
    trigger: 'when an editor chooses the Python of the folder',
  },
  { path: at('\\.cargo/config(?:\\.toml)?'), trigger: 'at the next cargo command' },
  { path: at('\\.bazeliskrc'), trigger: 'at the next bazel command' },
  { path: at('\\.bazelversion'), trigger: 'at the next bazel command', when: /\// },
  { path: at('vagrantfile'), trigger: 'at the next vagrant command' },
  { path: at('\\.?latexmkrc'), trigger: 'at the next latexmk command' },
  { path: at('\\.arcconfig'), trigger: 'at the next arc command', when: /"load"/ },
  { path: at('\\.r/makevars(?:\\.\\w+)?'), trigger: 'at the next R package install' },
  { path: at('\\.trunk/trunk\\.ya?ml'), trigger: 'at the next commit', when: /\b(?:actions|run)\s*:/ },
  { path: at('\\.bazelrc', 'tools/bazel(?:\\.\\w+)?'), trigger: 'at the next bazel command' },
  { path: at('ansible\\.cfg'), trigger: 'at the next ansible command' },
  { path: at('\\.terraform/.+', '\\.?terraform\\.?rc'), trigger: 'at the next terraform command' },
  {
    path: at('\\.mvn/.+', 'gradle/wrapper/.+', '\\.(?:jvmopts|sbtopts)'),
    trigger: 'at the next build',
  },
  {
    path: at(
      'sitecustomize(?:\\.py|/__init__\\.py)',
      'usercustomize(?:\\.py|/__init__\\.py)',
      '[^/]+\\.pth',
      '[^/]+\\.egg-link',
    ),
    trigger: 'whenever Python starts',
  },
  { path: at('conftest\\.py'), trigger: 'when pytest or an editor looks for tests' },
  {
    path: at('setup\\.py', 'hatch_build\\.py', 'setup\\.hs', 'setup\\.lhs', 'extconf\\.rb'),
    trigger: 'at the next install',
  },
  {
    path: at('pyproject\\.toml'),
    trigger: 'at the next install',
    when: /backend-path|\bcmdclass\b|hatch\.build\.(?:targets\.\w{1,40}\.)?hooks|addopts[^\n]{0,400}[ "'=]-p[ \t"',]{0,9}(?!no:)\w/,
  },
  {
    path: at('pytest\\.ini', 'tox\\.ini', 'setup\\.cfg'),
    trigger: 'when pytest starts',
    when: /addopts[^\n]{0,400}[ =]-p[ \t]{0,9}(?!no:)\w|^[ \t]*(?:cmdclass|setup_requires)|^[ \t]*-p[ \t]/m,
  },
  {
    path: at('\\.?pylintrc', '\\.?mypy\\.ini', '\\.flake8'),
    trigger: 'when an editor checks a file here',
    when: /init-hook|load-plugins|\bplugins\b|local-plugins/,
  },
  {
    path: at('gemfile', '[^/]+\\.gemspec'),
    trigger: 'when bundler or an editor reads it',
    when: /`(?!git ls-files)|\bsystem\b|%x|\bexec\b|\bspawn\b|\bIO\.|\beval|popen|Net::|open-uri|\bsend\(/,
  },
  { path: at('\\.rspec'), trigger: 'when rspec starts', when: /-r|--require/ },
  {
    path: at('\\.user\\.ini', '\\.htaccess', 'php\\.ini'),
    trigger: 'when PHP starts here',
    when: /auto_(?:prepend|append)_file|extension\s*=|AddHandler|AddType|SetHandler/i,
  },
];

export const AUTORUN_FILES: readonly AutorunFile[] = [
  ...python,
  ...editors,
  ...shells,
  ...versionControl,
  ...packages,
  ...agents,
];
