/** `run_command`. The dispatcher has asked the policy before it comes here. */
import { commandText } from './command-line.ts';
import { COMMAND_SECONDS_DEFAULT, definitions } from './definitions.ts';
import type { CommandRunner } from './dispatcher.ts';
import { argvOf } from './policy.ts';
import { cutBytes, numberField } from './tool-input.ts';
import { ToolError, type Tool } from './types.ts';

const MOST_OUTPUT_BYTES = 256 * 1024;

export const createCommandTool = (runCommand: CommandRunner | undefined): Tool => ({
  ...definitions.runCommand,
  run: async (input, { signal, setWaiting }) => {
    if (!runCommand) throw new ToolError('error: no commands available');
    const argv = argvOf(definitions.runCommand, input) ?? [];
    const command = commandText(argv);
    const timeoutSeconds = numberField(input, 'timeout_seconds') ?? COMMAND_SECONDS_DEFAULT;
    const answer = await runCommand({ argv, timeoutSeconds, signal, setWaiting });
    if (answer.kind === 'failed') {
      const output = answer.output ?? '';
      throw new ToolError(
        `error: ${answer.message}${output === '' ? '' : `\n\n${cutBytes(output, MOST_OUTPUT_BYTES)?.text ?? output}`}`,
      );
    }
    const cut = cutBytes(answer.output, MOST_OUTPUT_BYTES);
    const isTruncated = cut !== undefined || answer.truncated === true;
    const note = cut
      ? `\n[output truncated: the first ${MOST_OUTPUT_BYTES} of ${cut.total} bytes]`
      : answer.truncated === true
        ? '\n[output truncated]'
        : '';
    return {
      text: `$ ${command}\nexit_code=${answer.exitCode}\n\n${cut?.text ?? answer.output}${note}`,
      isError: answer.exitCode !== 0,
      metadata: { exit_code: answer.exitCode, truncated: isTruncated },
      commandExecuted: command,
    };
  },
});
