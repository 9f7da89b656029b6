import { parseScenario } from '../model/simulator/scenario.ts';
import { createSimulator } from '../model/simulator/simulator.ts';
import { startSimServer } from '../platform/provider/node-sim-server.ts';
import { createNodeTokenizer } from '../platform/tokenizer/node-tokenizer.ts';
import type { SimulatorServer, SimulatorServerOptions } from './types.ts';

export const simulatorServer = async (options: SimulatorServerOptions): Promise<SimulatorServer> => {
  const { port = 0, scenario, realisticSpeed = false } = options;
  const read = scenario === undefined ? undefined : parseScenario(scenario);
  if (read?.ok === false)
    throw new Error(read.error.map(({ line, message }) => `Scenario, line ${line}: ${message}`).join('\n'));
  const simulator = createSimulator({
    tokenizer: createNodeTokenizer(),
    clock: { now: () => Date.now() },
    ...(read && { scenario: read.value }),
  });
  return startSimServer({ simulator, port, speed: realisticSpeed ? 1 : 0 });
};
