/**
 * Builds the Starlark engine: `starlark/` (Go) → `public/starlark.wasm`.
 *
 *   node scripts/build-starlark.mjs           builds, and writes the module, its checksums, the glue and the licenses
 *   node scripts/build-starlark.mjs --check   builds, and fails if the result is not the module that is committed
 *
 * The build is reproducible: the same sources and the same Go give the same bytes on any machine. `go.mod` names the Go.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const PAGE = 65_536;
/** Go declares no maximum, and a program could fill all memory of the machine. */
const MAX_MEMORY = 256 * 1024 * 1024;

const paths = {
  module: 'public/starlark.wasm',
  licenses: 'public/starlark.licenses.txt',
  checksum: 'starlark/checksum.json',
  /** The glue must be of the same Go as the module. */
  glue: 'src/platform/worker/go/wasm_exec.js',
  glueLicence: 'src/platform/worker/go/LICENSE',
};

/**
 * Functions of these packages are not inlined: it makes them a little slower and the module 50 kB smaller. The
 * interpreter itself is left alone.
 */
const notInlined = ['lathe/starlark/engine', 'github.com/bazelbuild/buildtools/...', 'regexp/...', 'os', 'fmt'];

/** @param {Uint8Array | string} data */
const sha256 = (data) => createHash('sha256').update(data).digest('hex');

/** @param {Uint8Array} bytes @param {number} at @returns {{ value: number, next: number }} */
function readLeb(bytes, at) {
  let value = 0;
  let shift = 0;
  for (;;) {
    const byte = bytes[at++] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    shift += 7;
    if (byte < 0x80) return { value, next: at };
  }
}

/** @param {number} value */
function leb(value) {
  const out = [];
  do {
    const byte = value & 0x7f;
    value >>>= 7;
    out.push(value > 0 ? byte | 0x80 : byte);
  } while (value > 0);
  return out;
}

/**
 * The module with a maximum in its memory section (number 5 of the binary format).
 *
 * @param {Uint8Array} bytes
 * @param {number} maxBytes
 * @returns {Uint8Array}
 */
export function capMemory(bytes, maxBytes) {
  for (let at = 8; at < bytes.length;) {
    const id = bytes[at];
    const size = readLeb(bytes, at + 1);
    const end = size.next + size.value;
    if (id === 5) {
      const count = readLeb(bytes, size.next);
      const flag = bytes[count.next];
      if (count.value !== 1 || (flag !== 0 && flag !== 1))
        throw new Error('a memory section that this script does not know');
      const minimum = readLeb(bytes, count.next + 1);
      const body = [1, 1, ...leb(minimum.value), ...leb(maxBytes / PAGE)];
      return Buffer.concat([
        bytes.subarray(0, at),
        Uint8Array.from([5, ...leb(body.length), ...body]),
        bytes.subarray(end),
      ]);
    }
    at = end;
  }
  throw new Error('no memory section');
}

/**
 * The files that the module is made of: Go without its tests, and the glue.
 *
 * @param {string} root
 * @returns {string[]} paths from the project's root, sorted
 */
export function engineSources(root) {
  const files = readdirSync(join(root, 'starlark'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /(?:\.go|^go\.(?:mod|sum))$/.test(path) && !path.endsWith('_test.go'))
    .map((path) => `starlark/${path}`);
  return [...files, paths.glue].toSorted();
}

/**
 * One checksum over all sources. Line endings do not count, because git may change them.
 *
 * @param {string} root
 */
export function sourcesChecksum(root) {
  const lines = engineSources(root).map(
    (path) => `${sha256(readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n'))}  ${path}\n`,
  );
  return sha256(lines.join(''));
}

/** @param {string} root @param {readonly string[]} args */
function go(root, args) {
  const toolchain = /^toolchain (\S+)$/m.exec(readFileSync(join(root, 'starlark/go.mod'), 'utf8'))?.[1];
  if (!toolchain) throw new Error('starlark/go.mod names no toolchain');
  return execFileSync('go', args, {
    cwd: join(root, 'starlark'),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      GOOS: 'js',
      GOARCH: 'wasm',
      GOWASM: '',
      CGO_ENABLED: '0',
      GOFLAGS: '',
      GOEXPERIMENT: '',
      GOWORK: 'off',
      // Another Go makes other bytes; this one is fetched if it is not the one installed.
      GOTOOLCHAIN: toolchain,
    },
  }).trim();
}

/** @param {string} root @returns {Uint8Array} */
export function buildModule(root) {
  const folder = mkdtempSync(join(tmpdir(), 'lathe-starlark-'));
  try {
    const out = join(folder, 'starlark.wasm');
    const flags = notInlined.map((name) => `-gcflags=${name}=-l`);
    go(root, [
      'build',
      '-trimpath',
      '-buildvcs=false',
      '-mod=readonly',
      ...flags,
      '-ldflags=-s -w -buildid=',
      '-o',
      out,
      '.',
    ]);
    return capMemory(readFileSync(out), MAX_MEMORY);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The licenses of what is linked into the module. @param {string} root */
function licenses(root) {
  const modules = go(root, [
    'list',
    '-deps',
    '-f',
    '{{with .Module}}{{.Path}} {{.Version}} {{.Dir}}{{end}}',
    '.',
  ]).split('\n');
  const parts = [
    `Go ${go(root, ['env', 'GOVERSION'])}\n\n${readFileSync(join(go(root, ['env', 'GOROOT']), 'LICENSE'), 'utf8')}`,
  ];
  for (const line of [...new Set(modules)].toSorted()) {
    const [path, version, dir] = line.split(' ');
    if (!path || !version || !dir) continue;
    parts.push(`${path} ${version}\n\n${readFileSync(join(dir, 'LICENSE'), 'utf8')}`);
  }
  return `starlark.wasm is made of the following, beside Lathe itself.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/** @param {string} root @param {boolean} check @returns {number} the exit code */
function main(root, check) {
  /** @param {string} path */
  const read = (path) => readFileSync(join(root, path));
  /** @param {string} path @param {Uint8Array | string} data */
  const write = (path, data) => writeFileSync(join(root, path), data);
  const goRoot = go(root, ['env', 'GOROOT']);
  const glue = readFileSync(join(goRoot, 'lib/wasm/wasm_exec.js'));
  if (!check) {
    write(paths.glue, glue);
    write(paths.glueLicence, readFileSync(join(goRoot, 'LICENSE')));
  }
  const module = buildModule(root);
  const megabytes = `${(module.length / 1e6).toFixed(2)} MB, ${(gzipSync(module, { level: 9 }).length / 1e6).toFixed(3)} MB gzipped`;
  if (check) {
    const same = sha256(module) === sha256(read(paths.module)) && sha256(glue) === sha256(read(paths.glue));
    console.log(
      same
        ? `public/starlark.wasm is what the sources make (${megabytes}).`
        : 'public/starlark.wasm is not what the sources make.',
    );
    return same ? 0 : 1;
  }
  const before = existsSync(join(root, paths.module)) ? sha256(read(paths.module)) : undefined;
  write(paths.module, module);
  write(paths.licenses, licenses(root));
  const checksum = {
    go: go(root, ['env', 'GOVERSION']),
    module: sha256(module),
    sources: sourcesChecksum(root),
    glue: sha256(glue),
  };
  write(paths.checksum, `${JSON.stringify(checksum, undefined, 2)}\n`);
  const verdict = before === checksum.module ? 'the same as before' : 'it has changed: commit it with its sources';
  console.log(`public/starlark.wasm: ${megabytes}, sha256 ${checksum.module.slice(0, 16)}…, ${verdict}.`);
  return 0;
}

const self = fileURLToPath(import.meta.url);
if (process.argv[1] === self) process.exitCode = main(dirname(dirname(self)), process.argv.includes('--check'));
