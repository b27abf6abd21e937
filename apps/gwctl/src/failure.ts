/** Exit codes. Source: wire contract, gwctl. */
export const exitCodes = { done: 0, failed: 1, differences: 2, partlyApplied: 3 } as const;

/** What ends a command early: one sentence for people, perhaps with lines that say more. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly code = 'command_failed';
  readonly lines: readonly string[];

  constructor(message: string, lines: readonly string[] = []) {
    super(message);
    this.lines = lines;
  }
}
