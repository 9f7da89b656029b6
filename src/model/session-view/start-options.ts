/** The words for choices that a session starts with, the same in the settings of one session and of new ones. */
import type { MetaskillPolicy } from '../library/types.ts';

export const DIALECT_HINT = 'The skill tools and their wording.';

export const POLICY_OPTIONS: readonly { readonly value: MetaskillPolicy; readonly label: string }[] = [
  { value: 'local', label: 'Of this project' },
  { value: 'all', label: 'All, after consent' },
  { value: 'off', label: 'None' },
];
