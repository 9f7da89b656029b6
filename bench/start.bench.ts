/** How much longer `lathe --help` takes than a bare Node, and `lathe check` over the demo than both. */
import { spawnSync } from 'node:child_process';
import { bestOf, report } from './measure.ts';

const run = (...args: string[]): void => {
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
  if (status === null) throw new Error(`node ${args.join(' ')} did not end`);
};

// Builds the terminal if it has to, so that no round pays for it.
run('bin/lathe', '--help');
const bare = bestOf(15, () => run('-e', '0'));
const help = bestOf(15, () => run('bin/lathe', '--help'));
const check = bestOf(5, () => run('bin/lathe', 'check', 'public/demo'));
report(`lathe --help, against bare node (${(help - bare).toFixed(0)} ms more)`, help / bare, { atMost: 2 });
// Six of the demo's skills are programs, so this starts the Starlark engine too.
report('lathe check of the demo, against bare node', check / bare, { atMost: 30 });
