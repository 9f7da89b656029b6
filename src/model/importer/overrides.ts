/** A person's say over a translation, as a file or a setting keeps it. */
import { z } from '../zod.ts';
import { ARGUMENT_TYPES, type Override } from './types.ts';

export const overridesSchema: z.ZodType<readonly Override[]> = z.array(
  z.object({
    domain: z.string(),
    action: z.string(),
    name: z.string().exactOptional(),
    args: z
      .record(
        z.string(),
        z.object({ type: z.enum(ARGUMENT_TYPES).exactOptional(), required: z.boolean().exactOptional() }),
      )
      .exactOptional(),
  }),
);
