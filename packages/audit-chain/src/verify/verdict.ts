import type { ChainHead } from '../chain/heads.ts';

/**
 * Kinds of tampering. Source: reliability, Audit chain, Tamper matrix.
 *
 * - `edited`: what a record says is not what was hashed.
 * - `display_edited`: what the store shows of a record is not what its hashed text says.
 * - `not_canonical`: the text says it in another spelling than the one of RFC 8785.
 * - `not_redactable`: a field that may not be erased stands erased.
 * - `disclosure_mismatch`: a value does not fit the commitment that it is shown for.
 * - `link_edited`: a hash that chains a record was changed.
 * - `renumbered`: a record has another sequence than the one it was hashed with.
 * - `moved_tenant`: a record stands in the chain of another tenant than the one it was hashed for.
 * - `missing`: records were taken out before others.
 * - `duplicate`: a record stands there twice.
 * - `inserted`: a record stands where another one has its place.
 * - `reordered`: records stand in another order.
 * - `rehashed`: a record was hashed anew: what comes after it, or a first record, continues another one.
 * - `tail_deleted`: a checkpoint has more records than the log.
 * - `rewritten`: the log is whole in itself and is not the one that a checkpoint was signed over: hashed anew from some
 *   record or from the first one on, or cut and grown again.
 * - `forked`: two checkpoints of one size have different roots.
 * - `foreign_key`: a checkpoint is signed by none of the known keys, or was changed after it was signed.
 * - `checkpoint_replayed`: what is said to be the newest checkpoint is older than another one.
 * - `erased_unrecorded`: values were erased, and no record says who did it.
 * - `pruned_unrecorded`: the beginning was deleted, and no record says who did it.
 */
export type TamperKind =
  | 'edited'
  | 'display_edited'
  | 'not_canonical'
  | 'not_redactable'
  | 'disclosure_mismatch'
  | 'link_edited'
  | 'renumbered'
  | 'moved_tenant'
  | 'missing'
  | 'duplicate'
  | 'inserted'
  | 'reordered'
  | 'rehashed'
  | 'tail_deleted'
  | 'rewritten'
  | 'forked'
  | 'foreign_key'
  | 'checkpoint_replayed'
  | 'erased_unrecorded'
  | 'pruned_unrecorded';

/**
 * Why nothing can be said: a checkpoint without a key to check it; a file whose last line ends in its middle; a line or
 * note that cannot be read; a checkpoint of another log; a log that begins after its first record with nothing to go on
 * from, or with what no checkpoint vouches for; a tenant's log whose beginning was deleted; more erased records than are remembered.
 */
export type UndecidableReason =
  | 'no_key'
  | 'truncated_file'
  | 'malformed'
  | 'other_log'
  | 'no_base'
  | 'pruned'
  | 'too_many_erased';

/** Something that an operator should know and that is no proof of tampering: a clock that was set back. */
export interface Finding {
  readonly kind: 'clock_set_back';
  readonly sequence: number;
  /** By how much the record's timestamp is before the latest one before it. */
  readonly behindMs: number;
}

/** What was seen, whatever the outcome. */
export interface Summary {
  /** Records found good. */
  readonly checked: number;
  /** The last record found good. */
  readonly head: ChainHead;
  /** Records that a checkpoint vouches for. What comes after them is chained and not signed yet. */
  readonly sealed: number;
  /** Committed values that were erased. */
  readonly redacted: number;
  /** Records that were cut off before the first one. */
  readonly pruned: number;
  /** Checkpoints that were not compared, because what they are of was cut off. */
  readonly passedOver: number;
  readonly findings: readonly Finding[];
}

/** The log is whole: chained without a break, and the log that every checkpoint was signed over. */
export interface ValidVerdict extends Summary {
  readonly outcome: 'valid';
  /** Merkle root over all records (hex). Undefined for a part of a log whose beginning is not known. */
  readonly root: string | undefined;
}

/** The log was tampered with. */
export interface TamperedVerdict extends Summary {
  readonly outcome: 'tampered';
  readonly kind: TamperKind;
  /** The first sequence that cannot be trusted. */
  readonly firstBad: number;
  /** The line of the input at which it shows, from 1. Undefined where a checkpoint shows it. */
  readonly line: number | undefined;
  readonly detail: string;
}

/** Nothing can be said. */
export interface UndecidableVerdict extends Summary {
  readonly outcome: 'undecidable';
  readonly reason: UndecidableReason;
  readonly line: number | undefined;
  readonly detail: string;
}

export type Verdict = ValidVerdict | TamperedVerdict | UndecidableVerdict;
