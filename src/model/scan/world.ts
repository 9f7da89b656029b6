/**
 * What programs do to the outside, whichever language they are in. Each language calls these; here sources get their marks and sinks look
 * at them. An alarm is a source that reaches a sink:
 *
 *   environment, secret, home files → network      network, decoded → code that runs
 */
import { baseName } from '../../base/paths.ts';
import { takeCodePoints } from '../../base/text.ts';
import { decodeAny } from './decode.ts';
import { analyseRegistries } from './registries.ts';
import { findAutorun } from './autorun.ts';
import { createFolders, type Folders } from './folders.ts';
import {
  hostOf,
  isCredentialPath,
  isLocalHost,
  isForeignHost,
  isHomePath,
  isKnownInstaller,
  isMachineCredentials,
  isOwnSettings,
  isShellStart,
  isStartupPath,
  opensMachine,
  publicAddress,
  startsAgain,
} from './places.ts';
import type { Contact } from './spoken.ts';
import { ALARM_RULES, type AlarmRuleId } from './rules.ts';
import type { Alarm, Capability, CapabilityKind, Note, Place } from './types.ts';
import { allMarks, HOLE, joinMarks, NOTHING, withMarks, type Mark, type Value } from './value.ts';

export type CodeLanguage = 'python' | 'javascript' | 'shell' | 'powershell' | 'other';

/** Code that was found inside other code. `holes`: what the parts of it that are not known may hold. */
export interface InnerCode {
  readonly language: CodeLanguage;
  readonly text: string;
  readonly placeOf: (offset: number) => Place;
  readonly holes: readonly Mark[];
  readonly depth: number;
}

export interface World {
  readonly capability: (kind: CapabilityKind, place: Place, detail: string) => void;
  readonly alarm: (rule: AlarmRuleId, place: Place, message: string, extra?: AlarmExtra) => void;
  readonly note: (rule: string, place: Place, message: string) => void;
  readonly readFile: (place: Place, path: Value, what: string) => Value;
  readonly writeFile: (place: Place, path: Value, content: Value, what: string) => void;
  readonly deleteFile: (place: Place, path: Value, what: string) => void;
  readonly readNetwork: (place: Place, url: Value, what: string) => Value;
  /** Something will talk to this address. */
  readonly contact: (place: Place, address: Value) => void;
  readonly sendNetwork: (place: Place, url: Value, content: readonly Value[], what: string) => void;
  /** Gives what the code puts out, as far as it is known. */
  readonly runCode: (place: Place, code: Value, language: CodeLanguage, what: string, depth: number) => Value;
  /** A program or script by its path. */
  readonly runFile: (place: Place, path: Value, what: string, language?: CodeLanguage) => void;
  /** Where the content of a file came from that the skill itself writes. */
  readonly writtenFrom: (path: Value) => readonly Mark[];
  /** An archive is taken apart; `into` is where, if that is reported. */
  readonly unpack: (place: Place, archive: Value, into: Value) => void;
  readonly clone: Folders['clone'];
  readonly enter: Folders['enter'];
  readonly inClone: Folders['inClone'];
  /** Only the marks: whether all of it is used shows later. */
  readonly environment: (place: Place) => Value;
  readonly variable: (place: Place, names: readonly string[]) => Value;
  readonly decoded: (place: Place, what: string, value: Value, texts?: readonly string[]) => Value;
  readonly sweep: (place: Place, path: Value, what: string) => Value;
  /** Own files that something runs in a language. */
  readonly runs: ReadonlyMap<string, CodeLanguage>;
  /** Hosts that something talks to, each with the place. */
  readonly contacts: readonly Contact[];
  /** At the end: programs that read what is secret and talk to the network, where no flow was found between the two. */
  readonly unproven: () => void;
  /** False once the analysis has taken too long. */
  readonly spend: () => boolean;
}

interface AlarmExtra {
  readonly trail?: readonly Mark[];
  readonly decoded?: string;
}

export interface Findings {
  readonly capabilities: Capability[];
  readonly alarms: Alarm[];
  readonly notes: Note[];
}

const MAX_STEPS = 400_000;
const MAX_INNER = 6;
const SHOWN = 2000;
/** Of the text of a file that a program writes. */
const KEPT = 100_000;

const LABEL_WORDS = {
  environment: 'all environment variables',
  variable: 'a secret variable',
  secret: 'a credential',
  home: 'files of the home folder',
  network: 'downloaded data',
  decoded: 'decoded data',
  asset: 'a file that is no program',
} as const;

const shownUrl = (url: Value): string => {
  const text = url.texts[0] ?? '';
  return hostOf(text) ?? (text === '' || text === HOLE ? '' : takeCodePoints(text.replaceAll(HOLE, '…'), 60));
};

const shownPath = (path: Value): string => takeCodePoints((path.texts[0] ?? '').replaceAll(HOLE, '…'), 80);

/** Cron's columns in front of a command. */
const withoutSchedule = (text: string): string =>
  text
    .replace(/^Exec(?:Start\w*)?=/gm, '')
    .replace(/^\[[A-Z][\w ]*\]$/gm, '')
    .replace(/^[ \t]*(?:@\w+|(?:[\d*/,-]+[ \t]+){5})/gm, '')
    .replaceAll(HOLE, '');

/** Python runs these at its start, anyone who starts it. */
const PYTHON_START = /(?:\.pth|(?:^|[/\\])(?:site|user)customize\.py)$/i;
/** Strings for people; a program writes nothing by what they say. */
const PROSE_FILE = /\.(?:md|mdx|markdown|txt|rst)$|(?:^|[/\\])(?:Dockerfile|Containerfile)/i;
/** Settings of a shell that start nothing of their own. */
const ONLY_SETTINGS =
  /^\s*(?:#.*|(?:export\s+)?\w+=[^;&|]*|alias\s+(?!(?:sudo|su|ssh|scp|git|gpg|curl|kubectl|docker|python3?|node|npm|claude)=)[^;&|]*|(?:fpath|path)\+?=.*|eval "\$\((?:direnv|starship|pyenv|rbenv|nodenv|zoxide|fnm|mise|brew|conda)\b.*|)$/;
/** Data files. */
const DATA_FILE =
  /\.(?:md|txt|png|jpe?g|gif|webp|bin|dat|data|csv|tsv|log|ttf|otf|woff2?|pdf|docx|pptx|xlsx|svg|ico|wav|mp3|zip|gz|enc|b64|db|cache|map)$/i;
/** Whether an unknown part is code, and not inside a string. */
const isCodeHole = (text: string): boolean =>
  text.split('\n').some((line) => line.includes(HOLE) && !new RegExp(`["'][^"']*${HOLE}[^"']*["']`).test(line));
/** Looks up a name: what is in the name is told to anyone who answers. */
const LOOKUP = /^(?:socket\.(?:gethostby|getaddrinfo)|dns\.|dig$|nslookup$|host$|ping$)/;
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSW/;
/** What an agent runs or obeys in every project. */
const AGENT_HOME =
  /^(?:~|\$HOME|\$\{HOME\}|%USERPROFILE%|\uFFFC)[/\\](?:\.claude[/\\](?:settings(?:\.local)?\.json|hooks[/\\])|\.claude\.json$|\.cursor[/\\](?:mcp|hooks)\.json|\.codex[/\\](?:config\.toml|hooks)|\.gemini[/\\]settings\.json)/i;

export interface WorldDeps {
  readonly findings: Findings;
  /** Analyzes code inside code. */
  readonly analyse: (code: InnerCode) => Value;
  /** The skill's own files. */
  readonly ownFiles: ReadonlySet<string>;
}

export const createWorld = ({ findings, analyse, ownFiles }: WorldDeps): World => {
  const written = new Map<string, Value>();
  const folders = createFolders();
  const runs = new Map<string, CodeLanguage>();
  const seen = new Set<string>();
  const contacts: Contact[] = [];
  /** Of each program: what it reads that is secret, and to whom it talks. */
  const taken = new Map<string, Mark>();
  const sent = new Map<string, Place>();
  let steps = 0;

  const once = (key: string): boolean => {
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  };

  const capability: World['capability'] = (kind, place, detail) => {
    if (once(`${kind}\0${place.file}\0${place.line}\0${detail}`))
      findings.capabilities.push({ kind, ...place, detail });
  };
  const alarm: World['alarm'] = (rule, place, message, { trail = [], decoded } = {}) => {
    if (!once(`!${rule}\0${place.file}\0${place.line}`)) return;
    findings.alarms.push({
      rule,
      severity: ALARM_RULES[rule].severity,
      message,
      ...place,
      trail: trail.map(({ file, line, column, what }) => ({ file, line, column, what })),
      ...(decoded !== undefined && { decoded: takeCodePoints(decoded, SHOWN) }),
    });
  };
  const note: World['note'] = (rule, place, message) => {
    if (once(`?${rule}\0${place.file}\0${place.line}`)) findings.notes.push({ rule, message, ...place });
  };

  /** A path as it is written, without the ways of saying "here". */
  const keysOf = (path: Value): string[] => [
    ...path.texts.filter((text) => text.replaceAll(HOLE, '').length > 1).map((text) => text.replace(/^(?:\.\/)+/, '')),
    ...(path.ref === undefined ? [] : [`ref:${path.ref}`]),
  ];

  const ownFile = (text: string): string | undefined => {
    const clean = text.replace(/^(?:\.\/)+/, '').replace(/^.*\uFFFC\/+/, '');
    if (ownFiles.has(clean)) return clean;
    const name = baseName(clean);
    return [...ownFiles].find((file) => file.endsWith(`/${clean}`) || (name.length > 3 && file.endsWith(`/${name}`)));
  };

  const readFile: World['readFile'] = (place, path, what) => {
    capability('files', place, `${what} ${shownPath(path)}`.trim());
    const marks: Mark[] = [...allMarks(path)];
    const credential = path.texts.find(isCredentialPath);
    if (credential !== undefined)
      marks.push({
        ...place,
        label: 'secret',
        what: `reads ${shownPath(path)}`,
        ...(isOwnSettings(credential) && { isOwn: true as const }),
      });
    const secret = marks.find(({ label, isOwn }) => label === 'home' || (label === 'secret' && isOwn !== true));
    if (secret) taken.set(place.file, secret);
    const own = path.texts.map(ownFile).find((found) => found !== undefined && DATA_FILE.test(found));
    if (own !== undefined) marks.push({ ...place, label: 'asset', what: `reads ${own}` });
    const kept = keysOf(path).flatMap((key) => written.get(key)?.marks ?? []);
    return { marks: joinMarks([marks, kept]), texts: [] };
  };

  const writeFile: World['writeFile'] = (place, path, content, what) => {
    capability('files', place, `${what} ${shownPath(path)}`.trim());
    const marks = allMarks(content);
    for (const key of keysOf(path)) {
      const before = written.get(key) ?? NOTHING;
      const [old = ''] = before.texts;
      const [more] = content.texts;
      const whole = more === undefined ? before.texts : [old === '' ? more : takeCodePoints(`${old}\n${more}`, KEPT)];
      written.set(key, withMarks({ marks: before.marks, texts: whole }, marks));
    }
    for (const text of content.texts) analyseRegistries({ text, placeOf: () => place, world: { alarm } });
    // A file that a tool runs because it is there is as good as run.
    for (const target of path.texts.filter((text) => !/^(?:[~/$%]|[A-Z]:)/.test(text)))
      for (const text of content.texts.slice(0, 2))
        for (const { trigger } of PROSE_FILE.test(place.file) || target.includes('{')
          ? []
          : findAutorun(target.replace(/^.*\uFFFC\/?/s, ''), text.replaceAll(HOLE, '')))
          alarm('runs-by-itself', place, `${what} ${shownPath(path)}, which runs ${trigger}.`);
    // A program that is written to be compiled is read here: nobody runs it by this name.
    if (path.texts.some((text) => /\.(?:c|cc|cpp|go|rs|php|rb|pl)$/i.test(text)))
      for (const text of content.texts)
        analyse({ language: 'other', text, placeOf: () => place, holes: marks, depth: 1 });
    const startup = path.texts.find(isStartupPath);
    if (startup === undefined) return;
    if (PYTHON_START.test(startup))
      alarm('runs-by-itself', place, `${what} ${shownPath(path)}, which runs every time Python starts.`);
    if (AGENT_HOME.test(startup))
      alarm('runs-by-itself', place, `${what} ${shownPath(path)}, which agents follow automatically in every project.`);
    capability('persistence', place, `${what} ${shownPath(path)}`);
    for (const text of content.texts)
      for (const { 0: url } of text.matchAll(/https?:\/\/[\w.-]+/g)) checkAddress(place, { marks: [], texts: [url] });
    if (/\.ssh[/\\]config$/i.test(startup) && content.texts.some((text) => /\bProxy(?:Command|Jump)\b/i.test(text)))
      alarm(
        'redirects-traffic',
        place,
        `${what} ${shownPath(path)}: connections go through a host that the skill names.`,
      );
    const lines = content.texts.flatMap((text) => text.replaceAll('\\n', '\n').split('\n'));
    if (opensMachine(startup))
      alarm(
        'opens-machine',
        place,
        `${what} ${shownPath(path)}, which controls who gets access and with which permissions.`,
      );
    else if (
      startsAgain(startup) ||
      (isShellStart(startup) &&
        !PROSE_FILE.test(place.file) &&
        (content.texts.length === 0
          ? what === 'writes' && content !== NOTHING
          : lines.some((line) => !ONLY_SETTINGS.test(line))))
    )
      alarm('stays-behind', place, `${what} ${shownPath(path)}, which starts it again automatically.`);
    const foreign = marks.find(({ label, name }) => label === 'network' && !isKnownInstaller(name ?? ''));
    if (foreign)
      alarm(
        'download-and-run',
        place,
        `Writes downloaded content to ${shownPath(path)}, which later runs or steers an agent.`,
        {
          trail: [foreign],
        },
      );
    for (const text of content.texts)
      if (/[|;$&]|\b(?:curl|wget|python|bash|sh|nc)\b/.test(text) && !/\.md$/i.test(startup))
        analyse({ language: 'shell', text: withoutSchedule(text), placeOf: () => place, holes: marks, depth: 1 });
  };

  const deleteFile: World['deleteFile'] = (place, path, what) => {
    capability('files', place, `${what} ${shownPath(path)}`.trim());
    if (path.texts.some((text) => /^(?:\/|~|\$HOME|\$\{HOME\})\/?\*?$/.test(text)))
      alarm('destructive-delete', place, `${what} deletes ${shownPath(path)} and everything in it.`);
    else if (/^(?:deletes all of|rm -r)$/.test(what) && allMarks(path).some(({ label }) => label === 'home'))
      alarm('destructive-delete', place, `${what} the files in the home folder one by one.`);
  };

  const checkAddress = (place: Place, url: Value): void => {
    for (const text of url.texts) {
      const host = (hostOf(text) ?? text)
        .replace(/^.*\uFFFC\.?/s, '')
        .replace(/:\d+$/, '')
        .toLowerCase();
      if (host !== '' && once(`@${place.file}\0${host}`)) contacts.push({ host, place });
    }
    const address = url.texts.map(publicAddress).find((found) => found !== undefined);
    if (address !== undefined) alarm('raw-address', place, `${address} is an IP address without a host name.`);
  };

  const readNetwork: World['readNetwork'] = (place, url, what) => {
    const host = shownUrl(url);
    capability('network', place, `${what} ${host}`.trim());
    checkAddress(place, url);
    const address = url.texts.find((text) => text !== '' && text !== HOLE);
    const mark: Mark = {
      ...place,
      label: 'network',
      what: `${what} ${host}`.trim(),
      ...(address !== undefined && { name: address }),
    };
    const isMachine = address !== undefined && isMachineCredentials(address);
    return {
      marks: isMachine
        ? [mark, { ...place, label: 'secret', what: `reads the machine’s credentials at ${host}` }]
        : [mark],
      texts: [],
    };
  };

  const sendNetwork: World['sendNetwork'] = (place, url, content, what) => {
    const host = shownUrl(url);
    capability('network', place, `${what} ${host}`.trim());
    checkAddress(place, url);
    if (host !== '' && !isLocalHost(host)) sent.set(place.file, place);
    const marks = joinMarks([url, ...content].map(allMarks));
    const leaking = marks.filter(
      ({ label, isPart }) => label === 'environment' || label === 'home' || (label === 'secret' && isPart !== true),
    );
    const [first] = leaking;
    if (first) {
      alarm(
        'secret-to-network',
        place,
        `${what} sends ${LABEL_WORDS[first.label]}${host === '' ? '' : ` to ${host}`}.`,
        {
          trail: leaking,
        },
      );
      return;
    }
    const asked = LOOKUP.test(what)
      ? marks.find(({ label, name }) => label === 'variable' && SECRET_NAME.test(name ?? ''))
      : undefined;
    if (asked) {
      alarm('secret-to-network', place, `${what} looks up a host name that contains ${asked.name ?? 'a secret'}.`, {
        trail: [asked],
      });
      return;
    }
    const hosts = url.texts.flatMap((text) => hostOf(text) ?? []);
    const foreign = marks.find(
      ({ label, name }) =>
        label === 'variable' && name !== undefined && hosts.some((found) => isForeignHost(name, found)),
    );
    if (foreign)
      alarm('secret-to-network', place, `${what} sends ${foreign.name ?? ''} to ${host}, where it doesn’t belong.`, {
        trail: [foreign],
      });
  };

  const judgeRun = (place: Place, marks: readonly Mark[], what: string, decoded: string | undefined): void => {
    const hidden = marks.find(({ label }) => label === 'decoded');
    if (hidden)
      alarm('decoded-and-run', place, `${what} runs decoded code.`, {
        trail: marks.filter(({ label }) => label === 'decoded' || label === 'network'),
        ...(decoded !== undefined && { decoded }),
      });
    const foreign = marks.filter(
      ({ label, name = '' }) => label === 'network' && !isKnownInstaller(name) && !isLocalHost(hostOf(name) ?? ''),
    );
    if (foreign.length > 0) {
      const from = foreign.map(({ name }) => name).find((name) => name !== undefined && name !== HOLE);
      const where = from === undefined ? '' : ` from ${hostOf(from) ?? takeCodePoints(from, 60)}`;
      alarm('download-and-run', place, `${what} runs downloaded code${where}.`, { trail: foreign });
    }
  };

  const runCode: World['runCode'] = (place, code, language, what, depth) => {
    capability('processes', place, what);
    const marks = allMarks(code);
    const known = code.texts.filter((text) => text !== HOLE && text !== '');
    const decoded = known.find((text) => !text.includes(HOLE)) ?? known[0];
    // A command of which only arguments are not known is judged by its words, below: a version from the network is data, not code.
    const isFrame =
      known.length > 0 &&
      (language === 'shell'
        ? known.every((text) => text.includes(HOLE))
        : known.every((text) => text.includes(HOLE) && !isCodeHole(text)));
    const asset = isFrame ? undefined : marks.find(({ label }) => label === 'asset');
    if (asset) alarm('concealed-code', place, `${what} runs a data file as code.`, { trail: [asset] });
    judgeRun(place, isFrame ? marks.filter(({ label }) => label !== 'network') : marks, what, decoded);
    if (depth >= MAX_INNER) {
      note('nested-code', place, 'Code is nested in code too deeply to read to the end.');
      return NOTHING;
    }
    const out = known.map((text) => analyse({ language, text, placeOf: () => place, holes: marks, depth: depth + 1 }));
    return { marks: joinMarks(out.map(allMarks)), texts: [] };
  };

  const unpack: World['unpack'] = (_, archive, into) => {
    const marks = keysOf(archive)
      .flatMap((key) => written.get(key)?.marks ?? [])
      .concat(archive.marks)
      .filter(({ label }) => label === 'network' || label === 'decoded');
    if (marks.length > 0) folders.fill(into, marks);
  };

  const languageOf = (path: Value): CodeLanguage =>
    path.texts.some((text) => /\.pyw?$/.test(text))
      ? 'python'
      : path.texts.some((text) => /\.[mc]?[jt]s$/.test(text))
        ? 'javascript'
        : 'shell';

  const runFile: World['runFile'] = (place, path, what, language) => {
    capability('processes', place, `${what} ${shownPath(path)}`.trim());
    for (const text of path.texts) {
      const own = ownFile(text);
      if (own !== undefined && language) runs.set(own, language);
    }
    const kept = keysOf(path).flatMap((key) => written.get(key) ?? []);
    for (const text of kept.flatMap(({ texts }) => texts))
      analyse({
        language: language ?? languageOf(path),
        text,
        placeOf: () => place,
        holes: joinMarks(kept.map(allMarks)),
        depth: 1,
      });
    judgeRun(
      place,
      joinMarks([
        ...kept.map(allMarks),
        folders.marksOf(path, (text) => ownFile(text) !== undefined),
        path.marks.filter(({ label }) => label === 'decoded'),
      ]),
      `${what} ${shownPath(path)}`.trim(),
      undefined,
    );
  };

  return {
    capability,
    alarm,
    note,
    readFile,
    writeFile,
    deleteFile,
    readNetwork,
    contact: checkAddress,
    sendNetwork,
    runCode,
    runFile,
    writtenFrom: (path) => keysOf(path).flatMap((key) => written.get(key)?.marks ?? []),
    unpack,
    clone: folders.clone,
    enter: folders.enter,
    inClone: folders.inClone,
    environment: (place) => ({
      marks: [{ ...place, label: 'environment', what: 'reads all environment variables' }],
      texts: [],
    }),
    variable: (place, names) => {
      for (const name of names) capability('environment', place, name);
      if (names.length === 0) capability('environment', place, 'a variable');
      return {
        marks: names.map((name) => ({ ...place, label: 'variable', name, what: `reads ${name}` }) as const),
        texts: [],
      };
    },
    decoded: (place, what, value, texts) => ({
      marks: joinMarks([allMarks(value), [{ ...place, label: 'decoded', what }]]),
      texts: texts ?? value.texts.map(decodeAny).filter((text) => text !== undefined),
    }),
    sweep: (place, path, what) => {
      capability('files', place, `${what} ${shownPath(path)}`.trim());
      const isHome = path.texts.some(isHomePath);
      const secret = path.texts.some(isCredentialPath);
      const mark: Mark[] =
        isHome || secret ? [{ ...place, label: secret ? 'secret' : 'home', what: `${what} ${shownPath(path)}` }] : [];
      if (mark[0] && /\.(?:pem|pdf|docx?|xlsx?|kdbx|env|key|sqlite|db)$|id_/i.test(path.texts[0] ?? ''))
        taken.set(place.file, mark[0]);
      return { marks: joinMarks([allMarks(path), mark]), texts: [] };
    },
    runs,
    contacts,
    unproven: () => {
      for (const [file, place] of sent) {
        const secret = taken.get(file);
        if (
          secret &&
          !PROSE_FILE.test(file) &&
          !findings.alarms.some((found) => found.rule === 'secret-to-network' && found.file === file)
        )
          alarm(
            'secret-to-network',
            place,
            'The program reads what is secret, and talks to the network. How one gets to the other cannot be followed.',
            { trail: [secret] },
          );
      }
    },
    spend: () => ++steps <= MAX_STEPS,
  };
};
