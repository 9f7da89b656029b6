import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { withoutReplaced } from './sandbox-plugin.ts';

describe('the light shell', () => {
  it('leaves out commands of just-bash that have others in their place, and keeps the rest', () => {
    const bundle = createRequire(import.meta.url)
      .resolve('just-bash')
      .replace(/index\.(?:c?js)$/, 'browser.js');
    const code = withoutReplaced(readFileSync(bundle, 'utf8'));
    const loads = new Map(
      [...code.matchAll(/\{name:"([^"]+)",load:async\(\)=>(.{12})/g)].map(([, name, how]) => [name, how]),
    );
    for (const name of ['cat', 'ls', 'grep', 'xargs', 'curl']) expect(loads.get(name), name).toBe('{throw new E');
    for (const name of ['echo', 'sed', 'awk', 'find', 'jq', 'sh']) expect(loads.get(name), name).toBe('(await Promi');
  });
});
