import type { TamperKind, UndecidableReason } from './verdict.ts';

/** Why a record is not good, before it is known where it stands. */
export interface RecordProblem {
  readonly kind: TamperKind;
  readonly detail: string;
  /** How many records before this one the first bad one is. */
  readonly back?: number;
}

/** What ends a verification. */
export type Ending =
  | {
      readonly outcome: 'tampered';
      readonly kind: TamperKind;
      readonly firstBad: number;
      readonly line?: number | undefined;
      readonly detail: string;
    }
  | {
      readonly outcome: 'undecidable';
      readonly reason: UndecidableReason;
      readonly line?: number | undefined;
      readonly detail: string;
    };

export function undecidable(reason: UndecidableReason, detail: string, line?: number): Ending {
  return { outcome: 'undecidable', reason, detail, line };
}
