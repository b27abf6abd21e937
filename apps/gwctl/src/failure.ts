/** Exit codes. Source: wire contract, gwctl. Ctrl-C ends with what shells make of SIGINT. */
export const exitCodes = { done: 0, failed: 1, differences: 2, partlyApplied: 3, interrupted: 130 } as const;

/** What ends a command early: one sentence for people, perhaps with lines that say more. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly code = 'command_failed';
  readonly lines: readonly string[];
  readonly exitCode: number;

  constructor(message: string, lines: readonly string[] = [], exitCode: number = exitCodes.failed) {
    super(message);
    this.lines = lines;
    this.exitCode = exitCode;
  }
}
