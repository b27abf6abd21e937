import { COMMITTED_FIELDS } from '../records/commitment.ts';
import { checkExportRecord, ExportLineError, parseExportLine, type ExportRecord } from '../records/export-line.ts';
import { ClockWatch } from './clock-watch.ts';
import { knownCheckpoints, type CheckpointOptions } from './known-checkpoints.ts';
import { LogWalk, type LogBase, type LogScope } from './log-walk.ts';
import { undecidable, type Ending } from './problem.ts';
import { readFacts } from './record-facts.ts';
import { committedNames } from './shown-values.ts';
import type { Verdict } from './verdict.ts';

/** What is verified, and against what. */
export interface VerifierOptions extends CheckpointOptions {
  readonly scope: LogScope;
  /** What comes before the first record, of a log that was pruned or is verified in part. Taken from a source that is trusted; checkpoints of fewer records are passed over. */
  readonly base?: LogBase | undefined;
  /** Fields that may be erased. Without it those of `COMMITTED_FIELDS`. */
  readonly redactable?: readonly string[];
  /** By how much timestamps may go back before it is a finding. Without it five minutes. */
  readonly clockSkewMsMax?: number;
}

/** Verifies one log, record by record, in constant memory. */
export interface Verifier {
  /** Takes a line of an export, without its line break. False when the outcome is certain and the rest need not be read. */
  pushLine(line: string): boolean;
  /** Takes a record that was read from elsewhere, such as a store. False as `pushLine`. */
  pushRecord(record: ExportRecord): boolean;
  /** The verdict. `isCut`: the input ended in the middle of a line. */
  finish(options?: { readonly isCut?: boolean }): Verdict;
}

/**
 * A verifier of the log of one tenant (its chain, and a Merkle tree over it) or of all (every tenant's chain, the chain over
 * all, and a Merkle tree over that one). It needs nothing but what is passed in. Throws a TypeError for a key that is none.
 */
export function createVerifier(options: VerifierOptions): Verifier {
  const redactable = new Set(options.redactable ?? COMMITTED_FIELDS);
  const clock = new ClockWatch(options.clockSkewMsMax);
  const checkpoints = knownCheckpoints(options);
  const walk = new LogWalk(options.scope, options.base, 'outcome' in checkpoints ? [] : checkpoints, redactable);
  let ending: Ending | undefined = 'outcome' in checkpoints ? checkpoints : walk.begin();
  let [line, checked, redacted] = [0, 0, 0];

  const take = (record: ExportRecord, isExact: boolean): Ending | undefined => {
    const facts = isExact ? readFacts(record) : undefined;
    const problem = walk.take(facts);
    if (problem !== undefined || facts === undefined || walk.isBroken) return problem;
    checked++;
    redacted += committedNames(facts, redactable).filter(
      (name) => (record.disclosures?.[name] ?? null) === null,
    ).length;
    clock.see(walk.head.sequence, facts.fields['timestamp']);
    return undefined;
  };
  const guarded = (read: () => Ending | undefined): boolean => {
    line++;
    if (ending !== undefined) return false;
    try {
      const problem = read();
      ending = problem === undefined ? undefined : { ...problem, line: problem.line ?? line };
    } catch (error) {
      if (!(error instanceof ExportLineError)) throw error;
      ending = walk.brokenAt() ?? undecidable('malformed', error.message, line);
    }
    return ending === undefined;
  };

  return {
    pushLine: (text) =>
      guarded(() => {
        // A file that went through Windows is no other log.
        const { record, isExact } = parseExportLine(text.endsWith('\r') ? text.slice(0, -1) : text);
        return take(record, isExact);
      }),
    pushRecord: (record) => guarded(() => take(checkExportRecord(record), true)),
    finish({ isCut = false } = {}): Verdict {
      ending ??= walk.brokenAt();
      if (isCut) ending ??= undecidable('truncated_file', 'the last line ends in its middle', line + 1);
      ending ??= walk.end();
      const { head, sealed } = walk;
      const summary = { checked, head, sealed, redacted, findings: clock.findings };
      if (ending === undefined) return { outcome: 'valid', ...summary, root: walk.root() };
      return { ...summary, ...ending, line: ending.line };
    },
  };
}
