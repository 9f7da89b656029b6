/** What was open when the page stopped answering. It is kept until the next start, which doesn't open it by itself. */
import { z } from '../../model/zod.ts';
import { folderIdentitySchema } from './schema.ts';
import type { Settings } from './settings.ts';

const KEY = 'page.frozen';

const frozenSchema = z.object({
  folder: folderIdentitySchema,
  /** Of the address: the file, the session, and the panels that were shown. */
  hash: z.string().max(10_000),
});
export type Frozen = z.infer<typeof frozenSchema>;

export const keepFrozen = async (settings: Settings, what: unknown): Promise<void> => {
  const frozen = frozenSchema.safeParse(what);
  if (frozen.success) await settings.set(KEY, frozen.data);
};

/** Once: after that, anyone who opens it does so knowingly. */
export const takeFrozen = async (settings: Settings): Promise<Frozen | undefined> => {
  const found = await settings.get(KEY);
  if (found === undefined) return undefined;
  await settings.remove(KEY);
  return frozenSchema.safeParse(found).data;
};
