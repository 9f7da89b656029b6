import type { ScanInput } from './scan-skill.ts';
import { ALARM_RULES } from './rules.ts';
import type { SkillScan } from './types.ts';

/** What is in place of a scan that took too long: an alarm, because nobody knows what is in the files. */
export const unfinishedScan = ({ name, files }: ScanInput): SkillScan => {
  const paths = [...files.keys()].toSorted((a, b) => (a < b ? -1 : 1));
  const { id, severity } = ALARM_RULES['not-scanned'];
  return {
    name,
    capabilities: [],
    alarms: [
      {
        rule: id,
        severity,
        message: 'The scan took too long and was stopped. Read the files yourself, or run `lathe scan` in a terminal.',
        file: paths[0] ?? 'SKILL.md',
        line: 1,
        column: 1,
        trail: [],
      },
    ],
    notes: [],
    files: paths.map((path) => ({ path, reading: 'not read', reason: 'the scan was stopped' })),
  };
};
