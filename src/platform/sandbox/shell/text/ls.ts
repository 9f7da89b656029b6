/** `ls`. */
import { defineCommand, type FsStat } from 'just-bash/browser';
import { dirName } from '../../../../base/paths.ts';
import { asBytes, entriesOf, readOptions, said, type Context } from './operands.ts';

interface Item {
  readonly name: string;
  readonly stat: FsStat;
  /** Folders inside, for the number of links. */
  readonly links: number;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const HALF_YEAR = 15_778_476_000;
const two = (value: number): string => String(value).padStart(2, '0');

const modeText = ({ isDirectory, mode }: FsStat): string => {
  const bits = Array.from('rwxrwxrwx', (letter, at) => ((mode >> (8 - at)) & 1 ? letter : '-'));
  return `${isDirectory ? 'd' : '-'}${bits.join('')}`;
};

const dateText = (time: Date, now: number): string => {
  const day = `${MONTHS[time.getUTCMonth()]} ${String(time.getUTCDate()).padStart(2)}`;
  const age = now - time.getTime();
  return age >= 0 && age < HALF_YEAR
    ? `${day} ${two(time.getUTCHours())}:${two(time.getUTCMinutes())}`
    : `${day}  ${time.getUTCFullYear()}`;
};

const humanSize = (size: number): string => {
  if (size < 1024) return String(size);
  let [value, unit] = [size, 0];
  for (; value >= 1024 && unit < 5; unit++) value /= 1024;
  const shown = value < 10 ? (Math.ceil(value * 10) / 10).toFixed(1) : String(Math.ceil(value));
  return `${shown}${' KMGTP'[unit]}`;
};

/** Blocks of 1,024 bytes, in pages. */
const blocksOf = ({ size }: FsStat): number => Math.ceil(size / 4096) * 4;

const LONG: Readonly<Record<string, string>> = {
  all: 'a',
  'almost-all': 'A',
  directory: 'd',
  classify: 'F',
  'file-type': 'p',
  'human-readable': 'h',
  'numeric-uid-gid': 'n',
  'no-group': 'G',
  'quote-name': 'Q',
  literal: 'N',
  reverse: 'r',
  recursive: 'R',
  size: 's',
  'group-directories-first': 'D',
  inode: 'i',
};

const byName = (a: Item, b: Item): number => (a.name === b.name ? 0 : asBytes(a.name) < asBytes(b.name) ? -1 : 1);
const extension = (name: string): string => {
  const at = name.lastIndexOf('.');
  return at <= 0 ? '' : name.slice(at);
};
const byVersion = (a: Item, b: Item): number =>
  a.name.localeCompare(b.name, 'en', { numeric: true, sensitivity: 'variant' });

export const ls = defineCommand('ls', async (given, context: Context) => {
  const { fs, cwd } = context;
  let order = '';
  const args = given.flatMap((word) => {
    const [, sorted] = /^--sort=(\w+)$/.exec(word) ?? [];
    if (sorted !== undefined) order = { size: 'S', time: 't', none: 'U', extension: 'X', version: 'v' }[sorted] ?? '';
    return sorted !== undefined || /^--colou?r(?:=.*)?$/.test(word) ? [] : [word];
  });
  const { flags, rest, wrong } = readOptions(args, '1aACdDfFghGiklLmnNopqQrRsStTuUvxXHb', LONG);
  if (wrong !== undefined) return said('', `ls: ${wrong}\nTry 'ls --help' for more information.\n`, 2);
  const has = (letter: string): boolean => flags.has(letter) || order === letter;
  const isLong = has('l') || has('g') || has('n') || has('o');
  const now = Date.now();

  const itemAt = async (path: string, name: string): Promise<Item | undefined> => {
    try {
      const stat = await fs.stat(path);
      const inside = isLong && stat.isDirectory ? await entriesOf(context, path) : [];
      return { name, stat, links: stat.isDirectory ? 2 + inside.filter((one) => one.isDirectory).length : 1 };
    } catch {
      return undefined;
    }
  };
  const sorted = (items: readonly Item[]): readonly Item[] => {
    if (has('U') || has('f')) return items;
    const compare = (a: Item, b: Item): number => {
      if (has('D') && a.stat.isDirectory !== b.stat.isDirectory) return a.stat.isDirectory ? -1 : 1;
      const sign = has('r') ? -1 : 1;
      if (has('S')) return sign * (b.stat.size - a.stat.size || byName(a, b));
      if (has('t')) return sign * (b.stat.mtime.getTime() - a.stat.mtime.getTime() || byName(a, b));
      if (has('X')) return sign * (byBytes(extension(a.name), extension(b.name)) || byName(a, b));
      return sign * (has('v') ? byVersion(a, b) : byName(a, b));
    };
    return items.toSorted(compare);
  };
  const shown = ({ name, stat }: Item): string => {
    const quoted = has('Q') ? `"${name.replace(/["\\]/g, '\\$&')}"` : name;
    const isProgram = !stat.isDirectory && (stat.mode & 0o111) !== 0;
    const mark = (has('F') || has('p')) && stat.isDirectory ? '/' : has('F') && isProgram ? '*' : '';
    return asBytes(quoted + mark);
  };
  const rowsOf = (items: readonly Item[]): string => {
    const size = ({ stat }: Item): string => (has('h') ? humanSize(stat.size) : String(stat.size));
    const [links, sizes] = [items.map((item) => String(item.links)), items.map(size)];
    const [linkWidth, sizeWidth] = [
      Math.max(0, ...links.map((one) => one.length)),
      Math.max(0, ...sizes.map((one) => one.length)),
    ];
    const blocks = items.map((item) =>
      has('h') ? humanSize(blocksOf(item.stat) * 1024).replace(/^0$/, '0') : String(blocksOf(item.stat)),
    );
    const blockWidth = Math.max(0, ...blocks.map((one) => one.length));
    const before = (at: number): string =>
      (has('i') ? '1 ' : '') + (has('s') ? `${(blocks[at] ?? '').padStart(blockWidth)} ` : '');
    if (!isLong) {
      const names = items.map((item, at) => before(at) + shown(item));
      if (has('m')) return names.length === 0 ? '' : `${names.join(', ')}\n`;
      if (has('C') || has('x')) return names.length === 0 ? '' : inColumns(names, has('x'));
      return names.map((name) => `${name}\n`).join('');
    }
    const who = has('n') ? '1000' : 'user';
    const owner = (has('g') ? [] : [who]).concat(has('o') || has('G') ? [] : [who]).join(' ');
    return items
      .map((item, at) =>
        [
          `${before(at)}${modeText(item.stat)}`,
          (links[at] ?? '').padStart(linkWidth),
          ...(owner === '' ? [] : [owner]),
          (sizes[at] ?? '').padStart(sizeWidth),
          dateText(item.stat.mtime, now),
          `${shown(item)}\n`,
        ].join(' '),
      )
      .join('');
  };
  const listFolder = async (path: string): Promise<readonly Item[]> => {
    const names = (await fs.readdir(path)).filter((name) => has('a') || has('A') || has('f') || !name.startsWith('.'));
    const dots = (has('a') || has('f')) && !has('A') ? ['.', '..'] : [];
    const items: Item[] = [];
    for (const name of [...dots, ...names]) {
      const place = name === '..' ? dirName(path) || '/' : name === '.' ? path : `${path}/${name}`;
      const item = await itemAt(place, name);
      if (item) items.push(item);
    }
    return sorted(items);
  };

  const [files, folders]: [Item[], string[]] = [[], []];
  let [stderr, exitCode] = ['', 0];
  for (const name of rest.length === 0 ? ['.'] : rest) {
    const item = await itemAt(fs.resolvePath(cwd, name), name);
    if (!item || (name.endsWith('/') && !item.stat.isDirectory)) {
      stderr += `ls: cannot access '${name}': ${item ? 'Not a directory' : 'No such file or directory'}\n`;
      exitCode = 2;
    } else if (item.stat.isDirectory && !has('d')) folders.push(name);
    else files.push(item);
  }
  const parts: string[] = files.length > 0 ? [rowsOf(sorted(files))] : [];
  const showFolder = async (name: string): Promise<void> => {
    const path = fs.resolvePath(cwd, name);
    const items = await listFolder(path);
    const heading = rest.length > 1 || has('R') ? `${asBytes(name)}:\n` : '';
    const total = isLong || has('s') ? items.reduce((sum, { stat }) => sum + blocksOf(stat), 0) : 0;
    const totalLine = isLong || has('s') ? `total ${has('h') ? humanSize(total * 1024) : total}\n` : '';
    parts.push(`${parts.length > 0 ? '\n' : ''}${heading}${totalLine}${rowsOf(items)}`);
    if (!has('R')) return;
    for (const { name: child, stat } of items)
      if (stat.isDirectory && child !== '.' && child !== '..') await showFolder(`${name.replace(/\/$/, '')}/${child}`);
  };
  for (const name of has('U') ? folders : has('r') ? folders.toSorted(byBytes).toReversed() : folders.toSorted(byBytes))
    await showFolder(name);
  return said(parts.join(''), stderr, exitCode);
});

const byBytes = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

const WIDTH = 80;

/** As many columns as fit; `across`: row by row. */
const inColumns = (names: readonly string[], across: boolean): string => {
  for (let rows = 1; ; rows++) {
    const columns = Math.ceil(names.length / rows);
    const at = (row: number, column: number): string | undefined =>
      names[across ? row * columns + column : column * rows + row];
    const widths = Array.from({ length: columns }, (_unused, column) =>
      Math.max(...Array.from({ length: rows }, (_one, row) => (at(row, column) ?? '').length)),
    );
    const width = widths.reduce((sum, one) => sum + one + 2, -2);
    if (width > WIDTH && rows < names.length) continue;
    const lines = Array.from({ length: rows }, (_unused, row) => {
      const cells = widths.flatMap((_width, column) => at(row, column) ?? []);
      return cells
        .map((cell, column) => (column === cells.length - 1 ? cell : cell.padEnd((widths[column] ?? 0) + 2)))
        .join('');
    });
    return lines.map((line) => `${line}\n`).join('');
  }
};
