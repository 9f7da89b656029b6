import { describe, expect, it } from 'vitest';
import { missingScreenTools } from './screen.mjs';

describe('missingScreenTools', () => {
  it('names the commands that are in no folder of the search path', () => {
    const files = new Set(['/usr/bin/Xvfb', '/opt/bin/xdotool']);
    const look = (path: string) => missingScreenTools({ env: { PATH: path }, exists: (file) => files.has(file) });
    expect(look('/usr/bin:/opt/bin')).toEqual(['openbox']);
    expect(look('/usr/bin')).toEqual(['openbox', 'xdotool']);
    expect(look('')).toEqual(['Xvfb', 'openbox', 'xdotool']);
  });
});
