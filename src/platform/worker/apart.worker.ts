/** Judges and scans skills away from the page. */
import { diagnose } from '../../model/skill/diagnose.ts';
import { readDocument } from '../../model/skill/document.ts';
import { fixAll } from '../../model/skill/fix.ts';
import type { Profile, SkillInput } from '../../model/skill/types.ts';
import { scanSkill, type ScanInput } from '../../model/scan/scan-skill.ts';
import { serveRpc } from './rpc-server.ts';
import { scopePort } from './scope-port.ts';

// Only the page that made this worker can reach it, and it is of the same build.
interface Judged {
  readonly input: SkillInput;
  readonly profile: Profile;
}

serveRpc(scopePort(self), {
  start: () => true,
  judge: (asked) => {
    const { input, profile } = asked as Judged;
    return diagnose(readDocument(input), profile);
  },
  fix: (asked) => {
    const { input, profile } = asked as Judged;
    return fixAll(input, profile, { unsafe: false, canRenameFolder: () => false }).texts.get(input.fileName) ?? null;
  },
  scan: (asked) => scanSkill(asked as ScanInput),
});
