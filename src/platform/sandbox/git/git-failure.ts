/** What git itself would print, and its exit code. */
export class GitFailure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 128) {
    super(message);
    this.exitCode = exitCode;
  }
}
