/**
 * `contended`: other writers were faster too often. `inconsistent`: the log is not the one that was signed before.
 * `pruned`: what is needed was pruned. `unknown`: there is no such record, field or checkpoint.
 */
export type LogFailure = 'contended' | 'inconsistent' | 'pruned' | 'unknown';

/** Why a log refuses. */
export class LogError extends Error {
  override readonly name = 'LogError';
  readonly code: LogFailure;

  constructor(code: LogFailure, message: string) {
    super(message);
    this.code = code;
  }
}
