/** Languages without a parser here: what they can do, by the words in them. */
import type { PatternInput } from './pattern-input.ts';
import { analysePowershell } from './powershell-patterns.ts';
import type { AlarmRuleId } from './rules.ts';
import { hostOf, isCredentialPath, isForeignHost } from './places.ts';
import { HOLE, type Value } from './value.ts';
import type { InnerCode, World } from './world.ts';

export interface OtherInput extends PatternInput {
  readonly analyse: (code: InnerCode) => Value;
  readonly depth: number;
}

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

const FETCH = String.raw`(?:file_get_contents|curl_exec|URI\.open|Net::HTTP\.get|open|LWP::Simple::get|get)\s{0,20}\(?\s{0,20}(?:URI(?:\.parse)?\(\s{0,20})?["']https?:`;
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
    message: 'Runs decoded code.',
  },
  {
    rule: 'download-and-run',
    pattern: new RegExp(
      `${EVALUATE}[^\\n;]{0,60}\\b${FETCH}|\\b(?:include|require)(?:_once)?\\b\\s{0,20}\\(?\\s{0,20}["']https?:`,
      'gi',
    ),
    message: 'Runs downloaded code.',
  },
  {
    rule: 'opens-machine',
    pattern: /\bdisplay dialog\b[^\n]{0,200}\bpassword\b[^\n]{0,200}\bhidden answer\b/gi,
    message: 'A dialog that looks like one of the system asks for a password.',
  },
  {
    rule: 'download-and-run',
    pattern: /\bmshta(?:\.exe)?\s+["']?https?:|\bregsvr32(?:\.exe)?\b[^\n]{0,300}\/i:https?:/gi,
    message: 'A system program runs code from a URL.',
  },
  {
    rule: 'reverse-shell',
    pattern:
      /(?:\bsocket\s*\([\s\S]{0,200}\bconnect\s*\(|\bTCPSocket\b|\bfsockopen\s*\(|Net\.Sockets\.TCPClient)[\s\S]{0,400}(?:\bexec\b|\bsystem\b|\bproc_open\b|\bshell_exec\b|\biex\b|Invoke-Expression|popen)[^\n]{0,40}(?:(?:\/bin\/)?(?:ba|z|da)?sh\b|cmd(?:\.exe)?|\$\w+)/gi,
    message: 'Connects a shell to the network.',
  },
  {
    rule: 'reverse-shell',
    pattern:
      /(?:\bnet\.Dial\b|\bIO::Socket::INET\b|\bTcpStream::connect\b)[\s\S]{0,400}(?:\bexec\.Command\(|\bexec\b[\s("']{1,3}|\bCommand::new\()\s?["']?(?:\/bin\/)?(?:ba|z|da)?sh\b/g,
    message: 'Connects a shell to the network.',
  },
  {
    rule: 'stays-behind',
    pattern:
      /\b(?:Set|New)-ItemProperty\b[^\n]{0,200}CurrentVersion\\{1,2}Run|\breg(?:\.exe)?\s{1,9}add\b[^\n]{0,200}CurrentVersion\\{1,2}Run|\b(?:Register-ScheduledTask|schtasks(?:\.exe)?\s{1,9}\/create)\b/gi,
    message: 'Starts again automatically.',
  },
];

/** Decoded into a variable, and that is run. */
const KEPT = new RegExp(
  `(\\$?\\b[A-Za-z_]\\w{0,60})\\s{0,10}=\\s{0,10}[^\\n;]{0,80}${UNWRAP}[\\s\\S]{0,600}?${EVALUATE}\\s{0,10}\\(?\\s{0,10}\\1\\b`,
  'gi',
);

/** Downloaded into a variable, and that is run. */
const FETCHED = new RegExp(
  `(\\$?\\b[A-Za-z_]\\w{0,60})\\s{0,10}=\\s{0,10}[^\\n;]{0,80}${FETCH}[\\s\\S]{0,600}?${EVALUATE}\\s{0,10}\\(?\\s{0,10}\\1\\b`,
  'gi',
);

/** Written to a file that is then started: the same name in both places. */
const STARTED =
  /\b(?:fs::write|WriteFile|File\.(?:bin)?write|file_put_contents|copy_stream)\W{1,5}"([^"\n]{2,200})"[\s\S]{0,600}?\b(?:Command::new|exec\.Command|system|exec|spawn|popen)\W{1,5}"\1/;

/** Lua: what a program puts out is code. */
const LOADED = /\bload(?:string)?\s{0,10}\(\s{0,10}\w{1,60}:read\b/;

const CALLS_OUT =
  /\bNet::HTTP\b|\bHTTPX?\.post\b|\bURI\.open\b|\bhttp\.(?:Post|PostForm|NewRequest|Get)\b|\bcurl_(?:init|exec)\b|\bLWP::|\bHTTP::Tiny\b|\breqwest\b|\bureq::|\bURLSession\b|\bHttpClient\b|\bHttpURLConnection\b|\bWebClient\b|\bInvoke-(?:WebRequest|RestMethod)\b|\bnet\.Dial\b|\bTCPSocket\b|\bfsockopen\b|\bUpload(?:String|File|Data)\b|\bhttr::|\bsocket\.http\b/;
const QUOTED = /"([^"\n]{2,200})"|'([^'\n]{2,200})'/g;

/** Where a program without a parser names a file of credentials, and can call out. */
const namesSecret = (text: string): number => {
  if (!CALLS_OUT.test(text)) return -1;
  for (const match of text.matchAll(QUOTED)) {
    const path = match[1] ?? match[2] ?? '';
    if (/^(?:[~%/.]|\$)/.test(path) && !/\s/.test(path) && isCredentialPath(path)) return match.index;
    if (/\\Login Data$|\\logins\.json$|\\key4\.db$|\\wallet\.dat$|\\Local State$/.test(path)) return match.index;
  }
  return -1;
};

/** A well-known key that is read, where every address of the program is somebody else's. */
const foreignVariable = (text: string): { readonly name: string; readonly index: number } | undefined => {
  const hosts = [...text.matchAll(/https?:\/\/[\w.-]{3,200}/g)].flatMap(([url]) => hostOf(url) ?? []);
  if (hosts.length === 0) return undefined;
  for (const { 1: name = '', index } of text.matchAll(
    /\b(?:getenv\(|os\.Getenv\(|ENV\[|ENV\.fetch\(|env::var\(|\$ENV\{)\s{0,3}["']?([A-Z][A-Z_]{4,60})/g,
  ))
    if (hosts.every((host) => isForeignHost(name, host))) return { name, index };
  return undefined;
};

/** A command that is in the code: \`system("…")\`. */
const COMMAND_TEXT =
  /\b(?:system|popen|exec|shell_exec|passthru)\s{0,10}\(\s{0,10}(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)')/g;
const MAX_COMMANDS = 50;

const SAVES =
  /-OutFile|DownloadFile\s{0,20}\(|Start-BitsTransfer|certutil(?:\.exe)?\b(?=[^\n]{0,300}-urlcache)|bitsadmin\b(?=[^\n]{0,300}\/transfer)/i;
const SAVED = /(?<![\w-])[\w-]+\.(?:exe|msi|scr|bat|cmd|ps1|vbs|dll)\b/gi;
const STARTS = /\b(?:Start-Process|start|call|cmd\s{1,20}\/c|powershell|rundll32|regsvr32|msiexec)\b|&\s|\.\\/i;
/** How far after the download its start is looked for, and in how much of a line. */
const NEAR = 800;
const MAX_LINE = 1000;
const MAX_SAVED = 10;

/** A line that downloads a program, and one soon after it that starts a program of that name. */
const savedAndStarted = function* (text: string): Iterable<number> {
  const lines = text.split('\n');
  let offset = 0;
  for (const [number, line] of lines.entries()) {
    const saves = SAVES.exec(line);
    if (saves) {
      const rest = line.slice(saves.index + saves[0].length, saves.index + 4 * MAX_LINE);
      const names = [...rest.matchAll(SAVED)].slice(0, MAX_SAVED).map(([name]) => name.toLowerCase());
      let isStarted = false;
      for (let next = number + 1, far = 0; names.length > 0 && !isStarted && far < NEAR; next++) {
        const other = lines[next];
        if (other === undefined) break;
        far += other.length + 1;
        const shown = other.slice(0, MAX_LINE);
        const start = STARTS.exec(shown);
        const behind = start ? shown.slice(start.index + start[0].length).toLowerCase() : '';
        isStarted = names.some((name) => behind.includes(name));
      }
      if (isStarted) yield offset + saves.index;
    }
    offset += line.length + 1;
  }
};

/** `do shell script "…"` of AppleScript, as code of its own. */
const SHELL_SCRIPT = /do shell script\s+"((?:[^"\\]|\\.)*)"/gi;

export const analyseOther = (input: OtherInput): void => {
  const { text, placeOf, world, analyse, depth } = input;
  for (const { rule, pattern, message } of OTHER_ALARMS)
    for (const { index } of text.matchAll(pattern)) world.alarm(rule, placeOf(index), message);
  for (const { index } of text.matchAll(KEPT)) world.alarm('decoded-and-run', placeOf(index), 'Runs decoded code.');
  for (const { index } of text.matchAll(FETCHED))
    world.alarm('download-and-run', placeOf(index), 'Runs downloaded code.');
  const started = CALLS_OUT.test(text) ? text.search(STARTED) : -1;
  if (started !== -1) world.alarm('download-and-run', placeOf(started), 'Runs downloaded code.');
  const variable = foreignVariable(text);
  if (variable)
    world.alarm('secret-to-network', placeOf(variable.index), `${variable.name} goes to a host it doesn’t belong to.`);
  const loaded = /\bpopen\b[^\n]{0,200}\b(?:curl|wget)\b/.test(text) ? text.search(LOADED) : -1;
  if (loaded !== -1) world.alarm('download-and-run', placeOf(loaded), 'Runs downloaded code.');
  const secret = depth === 0 && !/\.mdx?$|\.markdown$/i.test(placeOf(0).file) ? namesSecret(text) : -1;
  if (secret !== -1)
    world.alarm(
      'secret-to-network',
      placeOf(secret),
      'The program names a credentials file and makes network requests.',
    );
  if (depth < 6)
    for (const match of [...text.matchAll(COMMAND_TEXT)].slice(0, MAX_COMMANDS)) {
      const place = placeOf(match.index);
      const code = (match[1] ?? match[2] ?? '').replace(/\\(.)/g, '$1');
      analyse({ language: 'shell', text: code, placeOf: () => place, holes: [], depth: depth + 1 });
    }
  for (const index of savedAndStarted(text))
    world.alarm('download-and-run', placeOf(index), 'Downloads a program and starts it.');
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
