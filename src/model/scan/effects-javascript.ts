/** What the names of JavaScript do, in Node and in a browser. */
import { decodeBase64, decodeHex } from './decode.ts';
import type { CallSite, LanguageEffects } from './language.ts';
import { runArgv } from './shell-commands.ts';
import { textMethod } from './text-methods.ts';
import {
  allMarks,
  asLogin,
  concat,
  HOLE,
  joinMarks,
  knownText,
  mapTexts,
  NOTHING,
  textValue,
  withMarks,
  type Value,
} from './value.ts';

const SEND =
  /^(?:fetch|axios|got|request|needle|superagent|phin|undici\.(?:fetch|request)|node-fetch|cross-fetch)(?:\.(?:get|post|put|patch|delete|head|request|default))?$|^https?\.(?:get|request)$|^https?\.(?:get|request)\(\)\.(?:write|end)$|^(?:net|tls)\.(?:connect|createConnection|Socket)(?:\(\)\.(?:write|end|connect))?$|^dgram\.createSocket\(\)\.send$|^(?:WebSocket|ws)(?:\(\)\.send)?$|^XMLHttpRequest\(\)\.(?:open|send)$|^navigator\.sendBeacon$|^dns\.(?:promises\.)?(?:lookup|resolve\w*)$|^(?:Image|EventSource)$|^nodemailer\..*\.sendMail$/;
const RUN_SHELL =
  /^(?:child_process|shelljs)\.(?:exec|execSync|promises\.exec)$|^execa\.(?:execaCommand|command|\$)$|^(?:Bun|zx)\.\$$|^\$$/;
const RUN_ARGV =
  /^child_process\.(?:spawn|spawnSync|execFile|execFileSync|fork)$|^(?:execa|cross-spawn)(?:\.(?:execa|sync|default))?$|^Bun\.spawn(?:Sync)?$|^Deno\.(?:run|Command)$/;
const RUN_CODE =
  /^(?:eval|Function|AsyncFunction|GeneratorFunction)$|^vm\.(?:runInThisContext|runInNewContext|runInContext|Script|compileFunction)$|^(?:module|Module)\(?\)?\._compile$|\.constructor\.constructor$|^Object\.getPrototypeOf\(\)\.constructor$|^(?:Function|\?)\.prototype\.constructor$|\.(?:filter|map|push|at|flat|concat|slice|find|sort|toString|valueOf|bind|call|apply|join|trim|split|forEach|reduce)\.constructor$/;
const DECODE =
  /^(?:atob|unescape|decodeURIComponent|decodeURI)$|^zlib\.(?:gunzip|inflate|unzip|brotliDecompress|inflateRaw)(?:Sync)?$|\.(?:decrypt|final)$|^crypto\.createDecipher\w*\(\)\.update$/;
const READ_FILE =
  /^(?:fs|fs\.promises|fs\/promises|fs-extra)\.(?:readFile|readFileSync|createReadStream|readJson|readJsonSync|openSync|open)$|^(?:Bun\.file|Deno\.(?:readTextFile|readFile)(?:Sync)?)$/;
const WRITE_FILE =
  /^(?:fs|fs\.promises|fs\/promises|fs-extra)\.(?:writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|outputFile|writeJson)$|^(?:Bun\.write|Deno\.write(?:TextFile|File)(?:Sync)?)$/;
const DELETE =
  /^(?:fs|fs\.promises|fs\/promises|fs-extra)\.(?:rm|rmSync|unlink|unlinkSync|rmdir|rmdirSync|remove|removeSync)$|^rimraf(?:\.\w+)?$/;
const SWEEP =
  /^(?:fs|fs\.promises|fs\/promises)\.(?:readdir|readdirSync|opendir)$|^(?:glob|globby|fast-glob)(?:\.\w+)?$/;
const COPY = /^(?:fs|fs\.promises|fs\/promises|fs-extra)\.(?:copyFile|copyFileSync|cp|cpSync|rename|renameSync|copy)$/;

const first = (site: CallSite): Value => site.args[0] ?? NOTHING;

/** Options of a request: what stands in its headers is a login. */
const withLogin = (value: Value): Value => {
  const { fields } = value;
  const headers = fields?.get('headers');
  return fields && headers ? { ...value, fields: new Map([...fields, ['headers', asLogin(headers)]]) } : value;
};

const send = (site: CallSite): Value => {
  const { ref, world, place, args, receiver } = site;
  const name = ref.replace(/\(\)/g, '');
  const options = first(site);
  const given = options.fields?.get('url') ?? options.fields?.get('hostname') ?? options.fields?.get('host');
  const isOpen = ref === 'XMLHttpRequest().open';
  const own = isOpen ? (args[1] ?? NOTHING) : (given ?? options);
  const isStream = ref.includes('().') && !isOpen;
  const url = isStream ? (receiver.fields?.get('#address') ?? NOTHING) : own;
  const sent = isStream ? args : args.filter((arg) => arg !== url);
  const content = sent.map(withLogin);
  world.sendNetwork(
    place,
    url,
    content.filter(({ closure }) => !closure),
    name,
  );
  const answer = world.readNetwork(place, url, name);
  if (isOpen) return answer;
  return { ...answer, ref: `${ref}()`, fields: new Map([['#address', url]]) };
};

const runCode = (site: CallSite): Value => {
  const { ref, args, world, place, depth } = site;
  const code = ref.includes('Function') || ref.includes('constructor') ? (args.at(-1) ?? NOTHING) : first(site);
  world.runCode(place, code, 'javascript', `${ref.startsWith('?') ? 'Function' : ref}()`, depth);
  return { marks: [], texts: [] };
};

const runProgram = (site: CallSite): Value => {
  const { ref, args, world, place, depth } = site;
  const [program = NOTHING, list] = args;
  if (ref === 'child_process.fork') {
    world.runFile(place, program, 'fork', 'javascript');
    return NOTHING;
  }
  const options = args.at(-1)?.fields;
  const isShell = options?.get('shell') && !options.get('shell')?.texts.includes('false');
  const items = [program, ...(list?.items ?? [])];
  if (isShell === true) {
    world.runCode(
      place,
      concat(items.flatMap((item, index) => (index === 0 ? [item] : [textValue(' '), item]))),
      'shell',
      ref,
      depth,
    );
    return { marks: [], texts: [], ref: `${ref}()` };
  }
  const out = runArgv(
    { world, depth },
    place,
    program.items ? program.items : items,
    options?.get('input') ?? NOTHING,
    ref,
  );
  return { ...out, ref: `${ref}()` };
};

const decode = (site: CallSite): Value | undefined => {
  const { ref, world, place, args } = site;
  if (ref === 'Buffer.from' || ref === 'Buffer') {
    const kind = knownText(args[1]);
    if (kind === 'base64' || kind === 'base64url' || kind === 'hex') {
      const by = kind === 'hex' ? decodeHex : decodeBase64;
      return world.decoded(
        place,
        `Buffer.from(…, '${kind}')`,
        first(site),
        first(site)
          .texts.map(by)
          .filter((text) => text !== undefined),
      );
    }
    const codes = first(site).items?.map((item) => Number(knownText(item) ?? Number.NaN));
    if (codes && codes.length > 0 && codes.every((code) => code >= 0 && code < 256))
      return world.decoded(place, 'Buffer.from(numbers)', NOTHING, [String.fromCharCode(...codes.slice(0, 50_000))]);
    return first(site).texts.length > 0 ? first(site) : undefined;
  }
  if (
    ref === 'String.fromCharCode' ||
    ref === 'String.fromCodePoint' ||
    /^String\.fromC\w+\.(?:apply|call)$/.test(ref)
  ) {
    const list = args.find(({ items }) => items)?.items ?? args;
    const codes = list.map((item) => Number(knownText(item) ?? Number.NaN));
    const text =
      codes.length > 0 && codes.every((code) => code >= 0 && code < 0x110000)
        ? [String.fromCodePoint(...codes.slice(0, 50_000))]
        : [];
    return world.decoded(place, 'String.fromCharCode()', { marks: joinMarks(args.map(allMarks)), texts: [] }, text);
  }
  if (!DECODE.test(ref)) return undefined;
  const unescape = (text: string): string | undefined => {
    if (ref === 'atob') return decodeBase64(text);
    try {
      return decodeURIComponent(text);
    } catch (thrown) {
      if (thrown instanceof URIError) return undefined;
      throw thrown;
    }
  };
  return ref.startsWith('decodeURI')
    ? mapTexts(first(site), unescape)
    : world.decoded(
        place,
        `${ref}()`,
        first(site),
        first(site)
          .texts.map(unescape)
          .filter((text) => text !== undefined),
      );
};

const paths = ({ ref, args }: CallSite): Value | undefined => {
  if (ref === 'path.join' || ref === 'path.resolve')
    return concat(args.flatMap((arg, index) => (index === 0 ? [arg] : [textValue('/'), arg])));
  if (ref === 'os.homedir') return textValue('~');
  return undefined;
};

const files = (site: CallSite): Value | undefined => {
  const { ref, world, place, args } = site;
  if (READ_FILE.test(ref)) return { ...world.readFile(place, first(site), 'reads'), ref: `${ref}()` };
  if (WRITE_FILE.test(ref)) {
    const isStream = ref.endsWith('createWriteStream');
    world.writeFile(place, first(site), isStream ? NOTHING : (args[1] ?? NOTHING), 'writes');
    return { marks: [], texts: [], ref: `${ref}()`, fields: new Map([['#path', first(site)]]) };
  }
  if (DELETE.test(ref)) {
    world.deleteFile(place, first(site), 'deletes');
    return NOTHING;
  }
  if (COPY.test(ref)) {
    world.writeFile(place, args[1] ?? NOTHING, world.readFile(place, first(site), 'reads'), 'writes');
    return NOTHING;
  }
  if (SWEEP.test(ref)) return world.sweep(place, first(site), ref);
  return undefined;
};

/** `stream.pipe(x)`, `stream.write(x)`. */
const streams = ({ method, receiver, args, world, place, ref }: CallSite): Value | undefined => {
  if (method === 'pipe' || method === 'pipeTo') {
    const path = args[0]?.fields?.get('#path');
    if (path) world.writeFile(place, path, receiver, 'writes');
    const address = args[0]?.fields?.get('#address');
    if (address) world.sendNetwork(place, address, [receiver], 'pipe');
    return args[0];
  }
  const path = receiver.fields?.get('#path');
  if (path && (method === 'write' || method === 'end')) world.writeFile(place, path, args[0] ?? NOTHING, 'writes');
  const isShellInput = /^child_process\.spawn\(\)\.stdin\.(?:write|end)$/.test(ref);
  if (isShellInput && allMarks(args[0] ?? NOTHING).some(({ label }) => label === 'network'))
    world.runCode(place, args[0] ?? NOTHING, 'shell', 'a process’s stdin', 1);
  return undefined;
};

/** A socket that is piped into a shell, or the other way round. */
const reverseShell = ({ method, receiver, args, world, place }: CallSite): void => {
  if (method !== 'pipe') return;
  const [target] = args;
  const isSocket = (value: Value | undefined): boolean => /^(?:net|tls)\./.test(value?.ref ?? '');
  const isProcess = (value: Value | undefined): boolean =>
    /^child_process\.spawn\(\)\.(?:stdin|stdout|stderr)/.test(value?.ref ?? '');
  if ((isSocket(receiver) && isProcess(target)) || (isProcess(receiver) && isSocket(target)))
    world.alarm('reverse-shell', place, 'Connects a process to the network.');
};

/** `this['eval'](…)`, wherever it was taken from. */
const ANY_EVAL = /^\?(?:\.\w+)*\.eval$/;

export const javascript: LanguageEffects = {
  isEnvironment: (ref) => ref === 'process.env' || ref === 'Bun.env',
  isRunner: (ref) => RUN_SHELL.test(ref) || /^(?:eval|Function)$/.test(ref),
  bindsThis: true,
  normalRef: (ref) => {
    const plain = ref
      .replace(/^(?:globalThis|window|self|global|frames|top)\.(?=.)/, '')
      .replace(/^node:/, '')
      .replace(/^(?:process\.mainModule|module|process)\.require$/, 'require')
      .replace(/^(\w[\w/-]*)\.default(?=\.|$)/, '$1');
    return plain.replace(/^(dns|timers|stream)\/promises(?=\.|$)/, '$1.promises');
  },
  resolve: () => undefined,
  member: (world, place, ref) =>
    ref === 'process.execPath'
      ? textValue('node')
      : ref === 'process.env' || ref === 'Bun.env' || ref === 'import.meta.env'
        ? world.environment(place)
        : memberOf(world, place, ref),
  call: (site) => {
    const { ref, world, place, depth } = site;
    if (ref === 'process.env[]' || ref === 'Bun.env[]') {
      const [key = NOTHING] = site.args;
      // A name that is put together may be any of them.
      if (key.texts.length === 0) return withMarks(NOTHING, site.receiver.marks);
      return world.variable(
        place,
        key.texts.filter((text) => !text.includes(HOLE)),
      );
    }
    if (ref === 'Deno.env.get') return world.variable(place, first(site).texts);
    if (ref === 'Deno.env.toObject') return world.environment(place);
    if (ref === 'Reflect.get' || ref === 'Reflect.apply') {
      const key = knownText(site.args[1]);
      const object = first(site);
      if (ref === 'Reflect.get' && key !== undefined)
        return { marks: object.marks, texts: [], ref: javascript.normalRef(`${object.ref ?? '?'}.${key}`) };
    }
    const made = ref === 'Reflect.construct' ? site.args[1] : ref === 'Reflect.apply' ? site.args[2] : undefined;
    const target = first(site).ref;
    if (made && target !== undefined && RUN_CODE.test(target)) {
      world.runCode(place, made.items?.at(-1) ?? made, 'javascript', `${target}()`, depth);
      return NOTHING;
    }
    reverseShell(site);
    const early = streams(site) ?? paths(site) ?? decode(site) ?? textMethod(site);
    if (early) return early;
    if (RUN_CODE.test(ref) || ANY_EVAL.test(ref)) return runCode(site);
    const hasCode =
      first(site).texts.length > 0 || first(site).marks.some(({ label }) => label === 'network' || label === 'decoded');
    if ((ref === 'setTimeout' || ref === 'setInterval') && hasCode && !first(site).closure) return runCode(site);
    if (RUN_SHELL.test(ref)) {
      const out = world.runCode(place, first(site), 'shell', ref, depth);
      return { marks: out.marks, texts: [], ref: `${ref}()` };
    }
    if (/^(?:simple-git|isomorphic-git|nodegit)(?:\(\))?(?:\.\w+)*\.clone$/.test(ref)) {
      world.capability('network', place, ref);
      world.clone(
        place,
        first(site).fields?.get('url') ?? first(site),
        first(site).fields?.get('dir') ?? site.args[1],
        ref,
      );
      return NOTHING;
    }
    // Whoever asks this server is outside.
    if (/^https?2?\.create(?:Secure)?Server$|^(?:express|fastify|koa)\(\)\.(?:get|post|put|all|use)$/.test(ref))
      return world.readNetwork(place, NOTHING, ref);
    if (RUN_ARGV.test(ref)) return runProgram(site);
    if (SEND.test(ref)) return send(site);
    if (ref === 'promisify' || ref === 'util.promisify') return first(site);
    if (/\.(?:bind|call)$/.test(ref) && site.receiver.ref !== undefined && RUN_CODE.test(site.receiver.ref))
      return runCode(site);
    if (ref === 'chrome.cookies.getAll' || ref === 'keytar.getPassword' || ref === 'keytar.findCredentials')
      return { marks: [{ ...place, label: 'secret', what: `${ref}()` }], texts: [] };
    return files(site);
  },
};

/** `process.env.X` is one variable; `document.cookie` a credential. */
function memberOf(world: CallSite['world'], place: CallSite['place'], ref: string): Value | undefined {
  const name = /^(?:process|Bun)\.env\.(\w+)$/.exec(ref)?.[1];
  if (name !== undefined) return world.variable(place, [name]);
  if (/^XMLHttpRequest\(\)\.response(?:Text)?$/.test(ref)) return world.readNetwork(place, NOTHING, 'XMLHttpRequest');
  if (ref === 'document.cookie' || ref === 'localStorage')
    return { marks: [{ ...place, label: 'secret', what: `reads ${ref}` }], texts: [] };
  return undefined;
}

export const javascriptModulePath = (from: string, path: string): readonly string[] => {
  if (!path.startsWith('.')) return [];
  const parts = from.split('/').slice(0, -1);
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  const full = parts.join('/');
  return [full, ...['.js', '.mjs', '.cjs', '.ts', '.tsx', '/index.js', '/index.ts'].map((end) => full + end)];
};
