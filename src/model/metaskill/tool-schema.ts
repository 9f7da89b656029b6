import { compareCodePoints } from '../../base/text.ts';
import { ASK_CALLS, COMMAND_CALLS, DEFAULT_ASK_CALLS, DEFAULT_COMMAND_CALLS } from './limits.ts';

const RUN_METASKILL = 'run_metaskill';

/** The `run_metaskill` tool of the metaskill specification, with the names that may be run now; nothing if none exist. */
export const runMetaskillTool = (executable: Iterable<string>) => {
  const names = [...executable].toSorted(compareCodePoints);
  if (names.length === 0) return undefined;
  return {
    name: RUN_METASKILL,
    description: 'Run a dynamic skill workflow by name.',
    input_schema: {
      type: 'object',
      properties: {
        name: { type: 'string', enum: names, description: 'The metaskill name to execute.' },
        input: { type: 'object', description: 'Input data passed to the metaskill program.' },
        max_ask_calls: {
          type: 'integer',
          minimum: ASK_CALLS.least,
          description: `Maximum nested model calls. Default ${DEFAULT_ASK_CALLS}, at most ${ASK_CALLS.most}.`,
        },
        max_command_calls: {
          type: 'integer',
          minimum: COMMAND_CALLS.least,
          description: `Maximum command calls. Default ${DEFAULT_COMMAND_CALLS}, at most ${COMMAND_CALLS.most}.`,
        },
      },
      required: ['name', 'input'],
    },
  } as const;
};
