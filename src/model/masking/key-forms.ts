/** What keys and tokens of known providers look like, wherever they stand. */
import type { MaskKind } from './stand-in.ts';

/** With a piece that every match holds: to look for that is much cheaper, and it is rarely there. */
export type KeyForm = readonly [pattern: RegExp, kind: MaskKind, piece: string];

/** Nothing that a name could go on with stands before it. */
const START = '(?<![A-Za-z0-9_-])';
const form = (source: string, kind: MaskKind, piece: string): KeyForm => [new RegExp(START + source, 'g'), kind, piece];
/** Names of variables and words have no digit. */
const DIGIT = '(?=[A-Za-z0-9_-]{0,40}\\d)';

const UNDERSCORE =
  'gsk|hf|npm|r8|tgp_v1|do[por]_v1|whsec|glsa|glc|lin_(?:api|oauth)|ntn|shp(?:at|ss|ca|pa)|pscale_(?:tkn|pw|oauth)|sbp|sb_secret|vc[pkairs]|fig[dou]|sntry[su]|rubygems|lsv2_(?:pt|sk)|pcsk|nfp|pul|ph[cx]|ops';
const DASH =
  'xai|nvapi|csk|pplx|pypi|glpat|gl(?:dt|rt|ptt|ft|soat|imt|oas|ffct|agent)|glcbt-[0-9a-f]{1,4}|tvly(?:-dev|-prod)?|GOCSPX|sess|NRAK|tskey(?:-auth|-api)?';

export const KEY_FORMS: readonly KeyForm[] = [
  form('sk-(?=[A-Za-z0-9_-]*\\d)[A-Za-z0-9_-]{12,}', 'key', 'sk-'),
  form('(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}', 'key', 'k_'),
  form(`(?:${UNDERSCORE})_${DIGIT}[A-Za-z0-9_-]{16,}`, 'key', '_'),
  form('hf_[A-Za-z0-9]{20,}', 'key', 'hf_'),
  form(`(?:fw|e2b|re)_(?=[A-Za-z]{0,40}\\d)[A-Za-z0-9]{20,}`, 'key', '_'),
  form('secret_[A-Za-z0-9]{40,}', 'key', 'secret_'),
  form(`(?:${DASH})[-_]${DIGIT}[A-Za-z0-9_-]{16,}`, 'key', '-'),
  form('(?:fc|key)-[0-9a-f]{32}(?![A-Za-z0-9])', 'key', '-'),
  form('PMAK-[0-9a-f]{20,}-[0-9a-f]{20,}', 'key', 'PMAK-'),
  form('AGE-SECRET-KEY-1[A-Z0-9]{40,}', 'key', 'AGE-SECRET'),
  form('AIza[A-Za-z0-9_-]{30,}', 'key', 'AIza'),
  form('(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])', 'key', 'A'),
  form('ABSK[A-Za-z0-9+/]{30,}={0,2}', 'key', 'ABSK'),
  form('SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}', 'key', 'SG.'),
  form('(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])', 'key', ''),
  form('dapi[0-9a-f]{32}(?![A-Za-z0-9])', 'key', 'dapi'),
  form('pat[A-Za-z0-9]{14}\\.[0-9a-f]{40,}', 'key', 'pat'),
  form('dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9.]{30,}', 'key', 'dp.'),
  form('cio(?=[A-Za-z]{0,31}\\d)[A-Za-z0-9]{32}(?![A-Za-z0-9])', 'key', 'cio'),
  form('[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_-]{40,}', 'token', '.atlasv1.'),
  form('hv[sbr]\\.[A-Za-z0-9_-]{20,}', 'token', 'hv'),
  form('ATATT3[A-Za-z0-9_=-]{30,}', 'token', 'ATATT3'),
  form('dckr_[po]at_[A-Za-z0-9_-]{16,}', 'token', 'dckr_'),
  form('(?:gh[opsur]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})', 'token', '_'),
  form('xox[abeoprs]-[A-Za-z0-9-]{10,}', 'token', 'xox'),
  form('xapp-\\d-[A-Za-z0-9-]{16,}', 'token', 'xapp-'),
  form('ya29\\.[A-Za-z0-9_-]{16,}', 'token', 'ya29.'),
  form('1//0[A-Za-z0-9_-]{30,}', 'token', '1//0'),
  form('\\d{8,10}:AA[A-Za-z0-9_-]{30,}', 'token', ':AA'),
  form('mfa\\.[A-Za-z0-9_-]{40,}', 'token', 'mfa.'),
  // Of a Discord bot: its id, a time, and a signature.
  form('[MNO][A-Za-z0-9_-]{22,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_.-])', 'token', '.'),
  [/(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{28,40}/g, 'token', 'Q~'],
  [/(?<=hooks\.slack\.com\/services\/)[A-Za-z0-9/]{16,}/g, 'token', 'hooks.slack.com'],
  [/(?<=discord(?:app)?\.com\/api\/webhooks\/)\d{5,24}\/[A-Za-z0-9_-]{40,}/g, 'token', '/api/webhooks/'],
  [/(?<![A-Za-z0-9_.-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]+)?/g, 'token', 'eyJ'],
];
