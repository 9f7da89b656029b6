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
    'Tag characters are not drawn, and a model reads them as text.',
  ),
  'bidi-control': rule(
    'bidi-control',
    'critical',
    'Text that is drawn in another order',
    'Direction controls make a line look different from what is run.',
  ),
  'zero-width': rule(
    'zero-width',
    'high',
    'Characters without width',
    'Characters without width hide text or split words that a reader would look for.',
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
    'A row of variation selectors carries bytes that nobody sees.',
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
    'What is downloaded is run',
    'Whoever holds the address decides what runs, also after the import.',
  ),
  'decoded-and-run': rule(
    'decoded-and-run',
    'critical',
    'Hidden code is run',
    'Code that is first decoded is not meant to be read.',
  ),
  'protected-archive': rule(
    'protected-archive',
    'critical',
    'An archive with a password',
    'A password keeps scanners out of an archive; the skill hands it to the victim.',
  ),
  'reverse-shell': rule(
    'reverse-shell',
    'critical',
    'A shell for somebody else',
    'Commands come from a network connection and go to a shell.',
  ),
  'raw-address': rule(
    'raw-address',
    'high',
    'A bare public address',
    'Services have names; a number instead of a name is how throw-away servers are reached.',
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
    'An image that carries data out',
    'An image address with a place for data sends the data when the image is shown.',
  ),
  'look-alike-letters': rule(
    'look-alike-letters',
    'high',
    'Letters of another script',
    'Words that look Latin and are not get past whoever searches for them.',
  ),
  'hidden-order': rule(
    'hidden-order',
    'high',
    'An order that the person is not to see',
    'An honest skill has no reason to keep what it does from the person.',
  ),
  'destructive-delete': rule(
    'destructive-delete',
    'high',
    'Deletes the home or root folder',
    'Nothing that a skill does needs this.',
  ),
  'stays-behind': rule(
    'stays-behind',
    'high',
    'Starts again by itself later',
    'A job, a hook or a start-up file keeps running after the skill was used, and after it was removed.',
  ),
  'opens-machine': rule(
    'opens-machine',
    'critical',
    'Opens the machine',
    'A key, a right or a mount lets somebody in who could not get in before.',
  ),
  'steers-agent': rule(
    'steers-agent',
    'high',
    'Orders against the rules of the agent',
    'A skill adds to what an agent does. It does not take away what the person or the host has set.',
  ),
  'opaque-program': rule(
    'opaque-program',
    'high',
    'A program that nobody can read',
    'What it does shows only when it runs.',
  ),
  'not-scanned': rule('not-scanned', 'high', 'Not scanned to the end', 'What the scan did not read can hold anything.'),
  'runs-by-itself': rule(
    'runs-by-itself',
    'high',
    'A file that tools run by themselves',
    'Editors, shells, package managers, git or agents run this file because it is there. Nobody has to call it.',
  ),
} as const satisfies Readonly<Record<string, AlarmRule>>;

export type AlarmRuleId = keyof typeof ALARM_RULES;
