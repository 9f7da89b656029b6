import { createSimulator } from '../../model/simulator/simulator.ts';
import { describeScenario } from '../../model/simulator/scenario-help.ts';
import { startSimServer } from '../../platform/provider/node-sim-server.ts';
import { createNodeTokenizer } from '../../platform/tokenizer/node-tokenizer.ts';
import { parseArguments, textOf, wrongUse } from '../arguments.ts';
import { visible } from '../output/terminal-text.ts';
import { readNoise } from '../noise-option.ts';
import { readScenario } from '../scenario-file.ts';
import { interrupted, readOrigins, readPort } from '../server-options.ts';

const DEFAULT_PORT = 4141;
const BATCH_SECONDS = 2;
/** Two days: longer than any batch may take. */
const MOST_BATCH_SECONDS = 172_800;

const HELP = `usage: lathe sim [--port N] [--scenario FILE] [--fast] [--noise SCALE[:SEED]] [--batch-seconds N]
                 [--foreign-signatures]

Serves the simulator over HTTP, until it is interrupted. It accepts any key. Point an SDK at it:

  Anthropic   base URL http://127.0.0.1:${DEFAULT_PORT}       /v1/messages, /v1/messages/count_tokens, /v1/messages/batches, /v1/models
  OpenAI      base URL http://127.0.0.1:${DEFAULT_PORT}/v1    /v1/responses, /v1/responses/input_tokens, /v1/chat/completions,
                                                     /v1/files, /v1/batches, /v1/models

  --port N          default ${DEFAULT_PORT}; 0 takes any free one
  --scenario FILE   what the model says (below); without it, the built-in behavior
  --fast            answer without the pauses of a real model
  --noise S[:SEED]  picks of skills vary, by seeded noise in their scores (0.5 is a little, 2 a lot); it imitates no model
  --batch-seconds N how long a batch takes; default 2, and 0 with --fast
  --foreign-signatures   accept thinking blocks that other servers signed, so that a recorded conversation can continue

One line per request goes to standard error. Keys are never shown.

${describeScenario()}`;

/** Serves the simulator until it is interrupted. */
export const sim = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, {
    port: { type: 'string' },
    scenario: { type: 'string' },
    origin: { type: 'string', multiple: true },
    fast: { type: 'boolean' },
    noise: { type: 'string' },
    'batch-seconds': { type: 'string' },
    'foreign-signatures': { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  });
  if (!parsed.ok) return wrongUse('sim', parsed.error);
  const { values, positionals } = parsed.value;
  if (values['help'] === true) {
    process.stdout.write(HELP);
    return 0;
  }
  if (positionals.length > 0) return wrongUse('sim', `unexpected argument: '${positionals[0]}'`);
  const port = readPort(textOf(values, 'port'), DEFAULT_PORT);
  if (!port.ok) return wrongUse('sim', port.error);
  const scenario = readScenario(textOf(values, 'scenario'));
  if (!scenario.ok) return wrongUse('sim', scenario.error);
  const origins = readOrigins(values['origin']);
  if (!origins.ok) return wrongUse('sim', origins.error);
  const noise = readNoise(textOf(values, 'noise'));
  if (!noise.ok) return wrongUse('sim', noise.error);
  const isFast = values['fast'] === true;
  const batchSeconds = Number(textOf(values, 'batch-seconds') ?? (isFast ? 0 : BATCH_SECONDS));
  if (!(batchSeconds >= 0 && batchSeconds <= MOST_BATCH_SECONDS))
    return wrongUse('sim', `invalid --batch-seconds; expected a number from 0 to ${MOST_BATCH_SECONDS}`);
  const simulator = createSimulator({
    tokenizer: createNodeTokenizer(),
    clock: { now: () => Date.now() },
    // Recordings of two runs are distinguished by the ids of their answers.
    idSeed: `lathe ${Date.now()}`,
    ...(scenario.value && { scenario: scenario.value }),
    ...(noise.value && { noise: noise.value }),
    batchMs: batchSeconds * 1000,
    ...(values['foreign-signatures'] === true && { foreignSignatures: true }),
    log: ({ text }) => process.stderr.write(`${visible(text)}\n`),
  });
  try {
    const server = await startSimServer({
      simulator,
      port: port.value,
      speed: isFast ? 0 : 1,
      origins: origins.value,
    });
    process.stdout.write(`The simulator listens on ${server.url}\n`);
    await interrupted();
    await server.close();
    return 0;
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code;
    if (code === 'EADDRINUSE')
      return wrongUse('sim', `port ${port.value} is in use; choose another with --port, or 0 for any`);
    if (code === 'EACCES') return wrongUse('sim', `port ${port.value} can't be used; choose one above 1023`);
    throw thrown;
  }
};
