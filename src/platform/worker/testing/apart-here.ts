/** Judges and scans immediately and right here. */
import { diagnose } from '../../../model/skill/diagnose.ts';
import { readDocument } from '../../../model/skill/document.ts';
import { fixAll } from '../../../model/skill/fix.ts';
import { scanSkill } from '../../../model/scan/scan-skill.ts';
import type { Apart } from '../apart.ts';

export const apartHere: Apart = {
  judge: (input, profile) => Promise.resolve(diagnose(readDocument(input), profile)),
  fix: (input, profile) => {
    const { texts } = fixAll(input, profile, { unsafe: false, canRenameFolder: () => false });
    return Promise.resolve(texts.get(input.fileName) ?? null);
  },
  scan: (input) => Promise.resolve(scanSkill(input)),
};
