import { readFileSync } from 'node:fs';
import { errorMessage } from '../base/errors.ts';
import { err, ok, type Result } from '../base/result.ts';
import { parseScenario, type Scenario } from '../model/simulator/scenario.ts';

/** What the model says, from a file. An error has a line for every mistake. */
export const readScenario = (file: string | undefined): Result<Scenario | undefined, string> => {
  if (file === undefined) return ok(undefined);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    return err(`can't read ${file}: ${errorMessage(thrown)}`);
  }
  const scenario = parseScenario(text);
  if (scenario.ok) return scenario;
  return err(
    [
      'the scenario has mistakes. `lathe sim --help` shows the format.',
      ...scenario.error.map(({ line, message }) => `${file}:${line}: ${message}`),
    ].join('\n'),
  );
};
