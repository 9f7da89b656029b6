/** The alarms of check zero. A pattern is here only if it has almost no honest use. `docs/CHECK-ZERO.md` has the measured rates. */
import type { AlarmSeverity } from './types.ts';

export interface AlarmRule {
  readonly id: string;
  readonly severity: AlarmSeverity;
  readonly title: string;
  readonly why: string;
}

const rule = (id: string, severity: AlarmSeverity, title: string, why: string): AlarmRule => ({
  id,
  severity,
  title,
  why,
});

export const ALARM_RULES = {
  'unicode-tags': rule(
    'unicode-tags',
    'critical',
    'Invisible tag characters',
    'Tag characters are invisible, but a model reads them as text.',
  ),
  'bidi-control': rule(
    'bidi-control',
    'critical',
    'Text shown in a different order',
    'Direction controls make a line look different from the code that runs.',
  ),
  'zero-width': rule(
    'zero-width',
    'high',
    'Zero-width characters',
    'Zero-width characters hide text or split words that a reviewer would search for.',
  ),
  'control-characters': rule(
    'control-characters',
    'high',
    'Control characters',
    'Control characters change what a terminal shows.',
  ),
  'variation-selectors': rule(
    'variation-selectors',
    'high',
    'Bytes hidden in variation selectors',
    'A row of variation selectors carries invisible bytes.',
  ),
  'secret-to-network': rule(
    'secret-to-network',
    'critical',
    'Secrets leave the machine',
    'A credential, the whole environment or files of the home folder reach a network call.',
  ),
  'download-and-run': rule(
    'download-and-run',
    'high',
    'Runs downloaded code',
    'The server’s owner can change what runs, even after you import.',
  ),
  'decoded-and-run': rule('decoded-and-run', 'critical', 'Runs hidden code', 'Encoded code isn’t meant to be read.'),
  'concealed-code': rule(
    'concealed-code',
    'critical',
    'Code hidden from readers',
    'Split names and encoded strings only keep readers away. Plain code does the same.',
  ),
  'unspoken-address': rule(
    'unspoken-address',
    'high',
    'An address that the skill’s documents never name',
    'Readers of the skill cannot know that its programs talk to this host.',
  ),
  'redirects-traffic': rule(
    'redirects-traffic',
    'high',
    'Traffic goes through somebody else',
    'A proxy or another host sees what this person sends, and can change what comes back.',
  ),
  'protected-archive': rule(
    'protected-archive',
    'critical',
    'Password-protected archive',
    'A password keeps scanners out, and the skill gives it to the victim.',
  ),
  'reverse-shell': rule(
    'reverse-shell',
    'critical',
    'Remote shell',
    'Commands come from a network connection and go to a shell.',
  ),
  'raw-address': rule(
    'raw-address',
    'high',
    'Public IP address',
    'Real services have host names. Throwaway servers often have only an IP address.',
  ),
  'drop-host': rule(
    'drop-host',
    'high',
    'Commands from a paste or drop site',
    'The skill sends a person or a program to a paste site for something to run.',
  ),
  'image-beacon': rule(
    'image-beacon',
    'high',
    'Image that leaks data',
    'An image URL with room for data sends the data when the image is shown.',
  ),
  'look-alike-letters': rule(
    'look-alike-letters',
    'high',
    'Look-alike letters',
    'A search doesn’t find words that only look Latin.',
  ),
  'hidden-order': rule(
    'hidden-order',
    'high',
    'Instruction hidden from the user',
    'An honest skill has no reason to hide its actions from the user.',
  ),
  'destructive-delete': rule('destructive-delete', 'high', 'Deletes the home or root folder', 'No skill needs this.'),
  'stays-behind': rule(
    'stays-behind',
    'high',
    'Starts again later',
    'A job, hook, or startup file keeps running after you use the skill, and even after you remove it.',
  ),
  'opens-machine': rule(
    'opens-machine',
    'critical',
    'Opens the machine to others',
    'A key, permission, or mount lets in someone who had no access before.',
  ),
  'steers-agent': rule(
    'steers-agent',
    'high',
    'Instructions against the agent’s rules',
    'A skill adds to what an agent does. It doesn’t remove rules set by the user or the agent.',
  ),
  'not-scanned': rule('not-scanned', 'high', 'Not scanned to the end', 'The unread part can contain anything.'),
  'opaque-program': rule('opaque-program', 'high', 'Unreadable program', 'You see what it does only when it runs.'),
  'runs-by-itself': rule(
    'runs-by-itself',
    'high',
    'File that tools run automatically',
    'Editors, shells, package managers, git, or agents run this file because it exists. Nobody has to call it.',
  ),
} as const satisfies Readonly<Record<string, AlarmRule>>;

export type AlarmRuleId = keyof typeof ALARM_RULES;
