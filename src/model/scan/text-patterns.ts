/** Patterns in prose, and in languages that are not parsed. Alarms here have almost no honest use; everything else is a note. */
import { decodeBase64, decodeBase64Utf16 } from './decode.ts';
import { hostOf, isDropHost, isKnownInstaller, publicAddress } from './places.ts';
import type { AlarmRuleId } from './rules.ts';
import type { Place } from './types.ts';
import { HOLE, type Value } from './value.ts';
import type { InnerCode, World } from './world.ts';

export interface PatternInput {
  readonly text: string;
  readonly placeOf: (offset: number) => Place;
  readonly world: World;
}

export interface OtherInput extends PatternInput {
  readonly analyse: (code: InnerCode) => Value;
  readonly depth: number;
}

interface NotePattern {
  readonly rule: string;
  readonly pattern: RegExp;
  readonly message: string;
}

const PROSE_NOTES: readonly NotePattern[] = [
  {
    rule: 'overrides-instructions',
    pattern:
      /\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|system|all other|your)\b[^.\n]{0,30}\b(?:instructions?|prompts?|rules?|guidelines)\b/i,
    message: 'Asks to set other instructions aside.',
  },
  {
    rule: 'conceals',
    pattern:
      /\b(?:do not|don't|never|without)\b[^.\n]{0,40}\b(?:tell|telling|mention|mentioning|inform|informing|reveal|show|notify|notifying|alert)\w*\b[^.\n]{0,20}\b(?:the )?users?\b/i,
    message: 'Asks to keep something from the user.',
  },
  {
    rule: 'skips-confirmation',
    pattern: /--dangerously-skip-permissions|--yolo\b|\bbypassPermissions\b/i,
    message: 'Turns the questions of an agent off.',
  },
  {
    rule: 'remote-instructions',
    pattern:
      /\b(?:fetch|download|read|load|follow)\b[^.\n]{0,60}https?:\/\/\S+\.(?:md|txt)\b[^.\n]{0,60}\b(?:instructions?|follow|obey|execute)\b/i,
    message: 'Takes instructions from an address at the time of use.',
  },
  {
    rule: 'agent-files',
    pattern:
      /\b(?:append|add|write|insert|modify|edit|update)\b[^.\n]{0,60}\b(?:CLAUDE\.md|AGENTS\.md|SOUL\.md|MEMORY\.md|\.claude\/settings|\.mcp\.json)/i,
    message: 'Changes files that steer an agent.',
  },
  {
    rule: 'encoded-blob',
    pattern: /(?<![\w+/=-])[A-Za-z0-9+/]{200,}={0,2}(?![\w+/-])/,
    message: 'A long block that is encoded.',
  },
  {
    rule: 'blank-padding',
    pattern: /(?:\r?\n[ \t]*){40,}\S|[ \t]{200,}\S/,
    message: 'Text far behind blanks, where nobody looks.',
  },
  {
    rule: 'pipes-download',
    pattern: /\b(?:curl|wget)\b[^\n|]*\|\s*(?:sudo\s+)?(?:ba|z)?sh\b/,
    message: 'Pipes a download into a shell.',
  },
];

/** In every text file, scripts too. The key of Amazon's documents is nobody's. */
const FILE_NOTES: readonly NotePattern[] = [
  {
    rule: 'secret-in-text',
    pattern:
      /\b(?:sk-ant-[\w-]{20,}|sk-(?:proj-)?[A-Za-z0-9]{32,}|gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{40,}|AKIA(?![0-9A-Z]{9}EXAMPLE)[0-9A-Z]{16}|xox[bap]-[\w-]{20,}|AIza[\w-]{35})\b|-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s+[A-Za-z0-9+/=]{40}/,
    message: 'Looks like a real key. Remove it, and replace the key.',
  },
  {
    rule: 'mixed-scripts',
    pattern: /(?<![\p{L}\d])(?=\p{L}*[a-zA-Z])(?=\p{L}*[\u0400-\u04FF\u03BF\u0555\u0585])\p{L}{2,}/u,
    message: 'A word in letters of two scripts: it may only look like the word that it seems to be.',
  },
];

const eachLine = (pattern: RegExp, text: string): IterableIterator<RegExpExecArray> =>
  text.matchAll(new RegExp(pattern.source, `${pattern.flags.replace('g', '')}g`)) as IterableIterator<RegExpExecArray>;

const mark = ({ text, placeOf, world }: PatternInput, patterns: readonly NotePattern[]): void => {
  for (const { rule, pattern, message } of patterns) {
    let count = 0;
    for (const { index, 0: match } of eachLine(pattern, text)) {
      if (++count > 20) break;
      world.note(rule, placeOf(index + (rule === 'blank-padding' ? match.length - 1 : 0)), message);
    }
  }
};

const withoutFences = (text: string): string =>
  text.replace(/^[ \t]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?^[ \t]*\1/gm, (fence) => fence.replace(/[^\r\n]/g, ' '));

const notes = (input: PatternInput): void => {
  const { text, placeOf, world } = input;
  mark(input, PROSE_NOTES);
  // A comment in a block of code is shown with the code.
  for (const match of withoutFences(text).matchAll(/<!--([\s\S]*?)-->/g)) {
    if (/\b(?:you must|always|never|ignore|execute|run|send|do not|secretly|agent|assistant)\b/i.test(match[1] ?? ''))
      world.note(
        'hidden-comment',
        placeOf(match.index),
        `A comment that is not shown when the page is: ${(match[1] ?? '').trim().slice(0, 200)}`,
      );
  }
};

const URL = /https?:\/\/[^\s)\]>"'`|]+/gi;

const addresses = ({ text, placeOf, world }: PatternInput): void => {
  for (const { 0: url, index } of text.matchAll(URL)) {
    const address = publicAddress(url);
    if (address !== undefined) world.alarm('raw-address', placeOf(index), `The address ${address} has no name.`);
  }
};

const ARCHIVE = /\b(?:archives?|zip(?:ped)?|rar|7z|\.zip|\.rar)\b|\.(?:zip|rar|7z)\b/i;
/** Only where the password itself is given: "set a password for the account" is advice. */
const PASSWORD =
  /\b(?:pass(?:word|phrase|code)?|pwd)\b[*_]*\s*(?:(?:is|:|=|\()[*_]*\s*(?!(?:required|needed|optional|not|stored|the|an?|your|set|correct|wrong|empty|missing|asked|protected|known|given|provided|string|str|none|null|true|false)\b)[`"'“*]*|[`"'“*]+)[\w@!#$.-]{3,}|\b(?:with|using)\s+(?:the\s+)?pass(?:word|phrase|code)?\s+(?!(?:for|of|in|to|that|which|from|when|if|and|or|protection|manager|file|hash\w*|auth\w*|prompt|field|option|flag|set)\b)[\w@!#$.-]{3,}/i;
const OPEN =
  /\b(?:extract|unzip|unpack|open|decompress|download|estra(?:i|rre|ilo)|apri\w*|scarica\w*|decomprim\w*|entpack\w*|herunterlad\w*|extrae\w*|descarga\w*|décompress\w*|télécharge\w*)\b/i;

const paragraphs = (text: string): { readonly text: string; readonly start: number }[] => {
  const found: { text: string; start: number }[] = [];
  let start = 0;
  for (const match of text.matchAll(/\r?\n[ \t]*\r?\n/g)) {
    found.push({ text: text.slice(start, match.index), start });
    start = match.index + match[0].length;
  }
  found.push({ text: text.slice(start), start });
  return found;
};

/** A program that is only named, beside an address. */
const BINARY_NAME = /\b[\w-]+\.(?:exe|msi|dmg|pkg|scr)\b/i;
const BINARY_LINK = /https?:\/\/[^\s)\]>"'`]+\.(?:exe|msi|dmg|pkg|scr|bat|cmd|ps1|apk|zip|rar|7z|tar\.gz|tgz)\b/i;
const RUN_IT =
  /\b(?:run|execute|launch|double[- ]click|start|open)\b[^.\n]{0,60}\b(?:it|file|installer|executable|program|binary|the app|setup|agent|tool|utility|\w+\.(?:exe|dmg|pkg|msi|bat|cmd|ps1|command))\b/i;

/** Code with a language has its own reader; blanks keep the offsets. */
const withoutCode = (text: string): string =>
  text.replace(/^[ \t]*(`{3,}|~{3,})[ \t]*(?!te?xt\b|plain)\w[^\n]*\n[\s\S]*?^[ \t]*\1/gm, (fence) =>
    fence.replace(/[^\r\n]/g, ' '),
  );

/** Ways of getting a person, or an agent, to install something. */
const lures = ({ text: whole, placeOf, world }: PatternInput): void => {
  const text = withoutCode(whole);
  for (const { text: block, start } of paragraphs(text)) {
    const archive = ARCHIVE.exec(block);
    const password = PASSWORD.exec(block);
    if (archive && password && OPEN.test(block) && Math.abs(archive.index - password.index) < 200)
      world.alarm(
        'protected-archive',
        placeOf(start + password.index),
        'An archive is to be opened with a password that is given here.',
      );
    const link = BINARY_LINK.exec(block) ?? (/https?:\/\//.test(block) ? BINARY_NAME.exec(block) : null);
    if (
      link &&
      RUN_IT.test(block.slice(link.index + link[0].length, link.index + link[0].length + 160)) &&
      /\bdownload|\binstall|\bget\b/i.test(block)
    )
      world.alarm(
        'download-and-run',
        placeOf(start + link.index),
        `${hostOf(link[0]) ?? 'An address'} has a program that is to be downloaded and run.`,
      );
    for (const { 0: url, index } of block.matchAll(URL)) {
      if (
        isDropHost(hostOf(url) ?? '') &&
        /\b(?:run|execute|paste|terminal|shell|command|install|curl|wget|bash)\b/i.test(block.replace(url, ''))
      )
        world.alarm(
          'drop-host',
          placeOf(start + index),
          `${hostOf(url) ?? ''} is a place for throw-away text; something from there is to be run.`,
        );
    }
  }
};

const BEACON =
  /!\[[^\]]*\]\(\s*<?(https?:\/\/[^\s)>]*\?[^\s)>]*(?:\{\{?[\w .]+\}?\}|\$\{?\w+\}?|<[\w -]+>|\[[A-Z_ ]+\]|%7B)[^)]*)\)/gi;
const HTML_BEACON =
  /<img\b[^>]*\bsrc=["'](https?:\/\/[^"']*\?[^"']*(?:\{\{?\w+\}?\}|\$\{?\w+\}?|\[[A-Z_ ]+\])[^"']*)["']/gi;

const beacons = ({ text, placeOf, world }: PatternInput): void => {
  for (const pattern of [BEACON, HTML_BEACON])
    for (const match of text.matchAll(pattern))
      world.alarm(
        'image-beacon',
        placeOf(match.index),
        `The image at ${hostOf(match[1] ?? '') ?? 'an address'} has a place for data in its address.`,
      );
};

const POWERSHELL_RUN =
  /\b(?:iex|invoke-expression)\b[^\n]{0,120}(?:downloadstring|iwr|irm|invoke-webrequest|invoke-restmethod|net\.webclient)|(?:\biwr\b|\birm\b|invoke-webrequest|invoke-restmethod|downloadstring)[^\n|]{0,200}\|\s*(?:iex|invoke-expression)\b/gi;
const POWERSHELL_ENCODED =
  /\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]{0,80}-e(?:nc(?:odedcommand)?|c)?\s+["']?([A-Za-z0-9+/=]{16,})/gi;

const POWERSHELL_DECODED =
  /\b(?:iex|invoke-expression)\b[^\n]{0,200}FromBase64String\s*\(\s*["']([A-Za-z0-9+/=]{4,})|FromBase64String\s*\(\s*["']([A-Za-z0-9+/=]{4,})["'][^\n]{0,200}\|\s*(?:iex|invoke-expression)\b/gi;

/** PowerShell has no parser here. */
export const analysePowershell = ({ text, placeOf, world }: PatternInput): void => {
  for (const match of text.matchAll(POWERSHELL_DECODED)) {
    const given = match[1] ?? match[2] ?? '';
    const decoded = decodeBase64(given) ?? decodeBase64Utf16(given);
    world.alarm(
      'decoded-and-run',
      placeOf(match.index),
      'PowerShell runs code that is decoded first.',
      decoded === undefined ? {} : { decoded },
    );
  }
  for (const { 0: line, index } of text.matchAll(POWERSHELL_RUN)) {
    const url = /https?:\/\/[^\s"')]+/i.exec(line)?.[0];
    if (url === undefined || !isKnownInstaller(url))
      world.alarm(
        'download-and-run',
        placeOf(index),
        `PowerShell runs what was downloaded${url === undefined ? '' : ` from ${hostOf(url) ?? ''}`}.`,
      );
  }
  for (const match of text.matchAll(POWERSHELL_ENCODED)) {
    const decoded = decodeBase64Utf16(match[1] ?? '') ?? decodeBase64(match[1] ?? '');
    world.alarm(
      'decoded-and-run',
      placeOf(match.index),
      'PowerShell runs code that is decoded first.',
      decoded === undefined ? {} : { decoded },
    );
  }
};

const OTHER: readonly { readonly kind: Parameters<World['capability']>[0]; readonly pattern: RegExp }[] = [
  {
    kind: 'network',
    pattern:
      /\b(?:Net::HTTP|open-uri|LWP::|HTTP::Tiny|file_get_contents\s*\(\s*['"]https?|curl_exec|fsockopen|TCPSocket|net\/http|http\.Get|reqwest|URLSession|Invoke-WebRequest|Invoke-RestMethod|Net\.WebClient|curl|wget)\b/gi,
  },
  {
    kind: 'processes',
    pattern:
      /\b(?:system|exec|popen|shell_exec|proc_open|passthru|do shell script|Start-Process|exec\.Command|Process\.Start|ProcessBuilder|Runtime\.getRuntime)\b\s*[("'\s]/g,
  },
  {
    kind: 'environment',
    pattern: /\b(?:ENV\[|%ENV|\$_ENV|getenv|os\.Getenv|\$env:|Environment\.GetEnvironmentVariable)/g,
  },
  {
    kind: 'files',
    pattern:
      /\b(?:File\.(?:open|write|read|delete)|fopen|unlink|file_put_contents|os\.(?:Open|Create|Remove)|Remove-Item|Set-Content|Out-File|Get-Content)\b/g,
  },
  {
    kind: 'persistence',
    pattern:
      /\b(?:crontab|schtasks|launchctl|LaunchAgents|CurrentVersion\\Run|New-ScheduledTask|Register-ScheduledTask|systemctl enable)/gi,
  },
];

const FETCH = String.raw`(?:file_get_contents|curl_exec|URI\.open|Net::HTTP\.get|open|LWP::Simple::get|get)\s*\(?\s*["']https?:`;
const UNWRAP = String.raw`(?:Base64\.(?:strict_|urlsafe_)?decode64|decode_base64|base64_decode|gzinflate|gzuncompress|str_rot13|hex2bin|FromBase64String|\.unpack1?\(?\s*["']m)`;
const EVALUATE = String.raw`\b(?:eval|instance_eval|class_eval|assert|exec|system|shell_exec|passthru|popen|iex|Invoke-Expression|create_function)\b`;

/** What has almost no honest use in any language, where there is no parser to follow the data. */
const OTHER_ALARMS: readonly { readonly rule: AlarmRuleId; readonly pattern: RegExp; readonly message: string }[] = [
  {
    rule: 'decoded-and-run',
    pattern: new RegExp(
      `${EVALUATE}[^\\n;]{0,80}${UNWRAP}|${UNWRAP}[^\\n;]{0,600}\\|\\s*(?:iex|Invoke-Expression)\\b`,
      'gi',
    ),
    message: 'Code that is decoded first is run.',
  },
  {
    rule: 'download-and-run',
    pattern: new RegExp(
      `${EVALUATE}[^\\n;]{0,60}\\b${FETCH}|\\b(?:include|require)(?:_once)?\\b\\s*\\(?\\s*["']https?:`,
      'gi',
    ),
    message: 'What is downloaded is run.',
  },
  {
    rule: 'download-and-run',
    pattern:
      /(?:-OutFile|DownloadFile\s*\(|Start-BitsTransfer|certutil(?:\.exe)?\b[^\n]*-urlcache|bitsadmin\b[^\n]*\/transfer)[^\n]*?([\w-]+\.(?:exe|msi|scr|bat|cmd|ps1|vbs|dll))\b[\s\S]{0,800}?^[^\n]*(?:\b(?:Start-Process|start|call|cmd\s+\/c|powershell|rundll32|regsvr32|msiexec)\b|&\s|\.\\)[^\n]*\1/gim,
    message: 'A program is downloaded and then started.',
  },
  {
    rule: 'download-and-run',
    pattern: /\bmshta(?:\.exe)?\s+["']?https?:|\bregsvr32(?:\.exe)?\b[^\n]*\/i:https?:/gi,
    message: 'A program of the system runs what is at an address.',
  },
  {
    rule: 'reverse-shell',
    pattern:
      /(?:\bsocket\s*\([\s\S]{0,200}\bconnect\s*\(|\bTCPSocket\b|\bfsockopen\s*\(|Net\.Sockets\.TCPClient)[\s\S]{0,400}(?:\bexec\b|\bsystem\b|\bproc_open\b|\bshell_exec\b|\biex\b|Invoke-Expression|popen)[^\n]{0,40}(?:(?:\/bin\/)?(?:ba|z|da)?sh\b|cmd(?:\.exe)?|\$\w+)/gi,
    message: 'A shell is joined to a network connection.',
  },
];

/** `do shell script "…"` of AppleScript, as code of its own. */
const SHELL_SCRIPT = /do shell script\s+"((?:[^"\\]|\\.)*)"/gi;

/** Languages without a parser here: what they can do, by the words in them. */
export const analyseOther = (input: OtherInput): void => {
  const { text, placeOf, world, analyse, depth } = input;
  for (const { rule, pattern, message } of OTHER_ALARMS)
    for (const { index } of text.matchAll(pattern)) world.alarm(rule, placeOf(index), message);
  for (const match of text.matchAll(SHELL_SCRIPT)) {
    const place = placeOf(match.index);
    const code = (match[1] ?? '').replace(/\\(.)/g, '$1');
    if (depth < 6) analyse({ language: 'shell', text: code, placeOf: () => place, holes: [], depth: depth + 1 });
  }
  for (const { kind, pattern } of OTHER) {
    let count = 0;
    for (const { 0: found, index } of text.matchAll(pattern)) {
      if (++count > 50) break;
      world.capability(kind, placeOf(index), found.replaceAll(HOLE, '').trim().slice(0, 60));
    }
  }
  analysePowershell(input);
};

export const analyseProse = (input: PatternInput): void => {
  notes(input);
  lures(input);
  beacons(input);
  analysePowershell(input);
};

/** What is looked for in every text file, whatever it is. */
export const analyseText = (input: PatternInput): void => {
  addresses(input);
  mark(input, FILE_NOTES);
};
