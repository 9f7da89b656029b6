/** Whose a stored credential is: one identity, with exactly these files. Any other is asked for it again (D48). */
import { sha256 } from '../../base/hash.ts';
import { compareCodePoints } from '../../base/text.ts';
import { identityKey } from '../importer/identity.ts';
import { digestFiles } from '../signing/digest.ts';
import { executorIdentity, ownFiles } from './installed-skills.ts';
import type { ReadyExecutor } from './load-executors.ts';

export const credentialOwner = (executor: ReadyExecutor): string => {
  const files = ownFiles(executor.files);
  const identity = executorIdentity(executor);
  const digest = digestFiles(files, [...files.keys()].toSorted(compareCodePoints)) ?? '';
  return sha256(`${identity ? identityKey(identity) : `unknown ${executor.skill}`}\0${digest}`);
};
