/** What is wrong with a log, in the words of verdicts. */
export type InconsistencyKind = 'rewritten' | 'tail_deleted' | 'foreign_key' | 'forked';

/** A log does not continue what was signed of it, or what was signed of it is not the service's own: somebody rewrote one. */
export class InconsistentLogError extends Error {
  override readonly name = 'InconsistentLogError';
  readonly code = 'audit_log_inconsistent';
  readonly kind: InconsistencyKind;

  constructor(message: string, kind: InconsistencyKind = 'rewritten') {
    super(message);
    this.kind = kind;
  }
}
