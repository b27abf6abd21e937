import { COMMITTED_FIELDS } from '../records/commitment.ts';
import { checkExportRecord, ExportLineError, parseExportLine, type ExportRecord } from '../records/export-line.ts';
import { problemOfBase } from './check-base.ts';
import { ClockWatch } from './clock-watch.ts';
import { knownCheckpoints, type CheckpointOptions } from './known-checkpoints.ts';
import { LogWalk, type LogBase, type LogScope } from './log-walk.ts';
import { undecidable, type Ending } from './problem.ts';
import { readFacts } from './record-facts.ts';
import { RemovalWatch } from './removal-watch.ts';
import { committedNames } from './shown-values.ts';
import type { Verdict } from './verdict.ts';

/** What is verified, and against what. */
export interface VerifierOptions extends CheckpointOptions {
  readonly scope: LogScope;
  /**
   * What comes before the first record, of a log that was pruned or is verified in part. It need not be trusted: where
   * there are checkpoints, one of them has to vouch for it. Those of fewer records are passed over.
   */
  readonly base?: LogBase | undefined;
  /**
   * Whether erased values and a beginning that was cut off need records in the log that say who did it, as the README
   * describes them. A tenant's log has none of the cut: see `prunedThrough`. Without it they do not.
   */
  readonly recordedRemovals?: boolean;
  /** With `recordedRemovals`: up to this sequence the caller knows that the beginning was cut off rightly. */
  readonly prunedThrough?: number;
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
  const badBase = options.base && problemOfBase(options.base);
  const base = badBase === undefined ? options.base : undefined;
  const walk = new LogWalk(options.scope, base, 'outcome' in checkpoints ? [] : checkpoints, redactable);
  const removals = options.recordedRemovals === true ? new RemovalWatch() : undefined;
  let ending: Ending | undefined = badBase === undefined ? undefined : undecidable('malformed', badBase);
  ending ??= 'outcome' in checkpoints ? checkpoints : walk.begin();
  let [line, checked, redacted] = [0, 0, 0];

  const take = (record: ExportRecord, isExact: boolean): Ending | undefined => {
    const facts = isExact ? readFacts(record) : undefined;
    const problem = walk.take(facts);
    if (problem !== undefined || facts === undefined || walk.isBroken) return problem;
    checked++;
    const erased = committedNames(facts, redactable).filter((name) => (record.disclosures?.[name] ?? null) === null);
    redacted += erased.length;
    removals?.see(facts, walk.head.sequence, erased);
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
      ending ??= removals && (problemOfCut(options, removals.prunedThrough) ?? removals.ending());
      const { head, sealed, passedOver } = walk;
      const pruned = base?.subtrees === undefined ? 0 : base.head.sequence;
      const summary = { checked, head, sealed, redacted, pruned, passedOver, findings: clock.findings };
      if (ending === undefined) return { outcome: 'valid', ...summary, root: walk.root() };
      return { ...summary, ...ending, line: ending.line };
    },
  };
}

/** A beginning that was cut off further than anybody says. Of a part of a log nothing is known to be gone. */
function problemOfCut({ base, scope, prunedThrough = 0 }: VerifierOptions, recorded: number): Ending | undefined {
  if (base?.subtrees === undefined || base.head.sequence <= prunedThrough) return undefined;
  const cut = base.head.sequence;
  if (scope.kind === 'tenant') {
    const detail = `records 1 to ${cut} are gone: only the log of all tenants says who deleted them`;
    return undecidable('pruned', detail);
  }
  if (cut <= recorded) return undefined;
  const said = recorded === 0 ? 'no record says' : `what is recorded ends with ${recorded}: no record says`;
  const detail = `records 1 to ${cut} are gone, and ${said} who deleted them`;
  return { outcome: 'tampered', kind: 'pruned_unrecorded', firstBad: Math.max(recorded, prunedThrough) + 1, detail };
}
