import type { BundleProblem } from '../bundle-problem.ts';
import type { FieldChange } from '../diff-bundles.ts';

/** A change as rendering takes it: of a diff, where nothing is deleted, or of a rollback, where records may go. */
export interface RenderedChange {
  readonly action: 'create' | 'update' | 'delete';
  readonly resource_type: string;
  readonly id: string;
  readonly name: string | null;
  readonly fields?: readonly FieldChange[];
}

/** The difference between two states: a `BundleDiff`, or that part of an answer. Source: wire contract, Configuration operations. */
export interface RenderedDiff {
  readonly summary: {
    readonly create: number;
    readonly update: number;
    /** Only of a rollback. */
    readonly delete?: number;
    readonly unchanged: number;
    readonly unmanaged: number;
  };
  readonly changes: readonly RenderedChange[];
  /** How many changes the list lacks, which is bounded; `summary` counts all. */
  readonly not_listed?: { readonly changes: number };
}

/** What the live state is compared with. */
export type DiffSource = 'bundle' | 'snapshot';

/** What became of one record. */
export interface RenderedOutcome {
  /** `failed` and `skipped` are told apart; what worked is in the diff already. */
  readonly action: string;
  readonly resource_type: string;
  readonly id: string | null;
  readonly name: string | null;
  readonly error?: { readonly code: string; readonly message: string; readonly pointer?: string };
}

/** Answer of sync, import and rollback. Source: wire contract, Configuration operations. */
export interface RenderedResult {
  readonly status: 'success' | 'dry_run' | 'partial_failure' | 'failed';
  readonly validation?: {
    readonly errors: readonly BundleProblem[];
    readonly warnings: readonly BundleProblem[];
  };
  readonly diff: RenderedDiff;
  /** `created`, `updated`, `deleted`, `unchanged`, `skipped`, `failed`: as far as there are such. */
  readonly counts: Readonly<Record<string, number>>;
  readonly results?: readonly RenderedOutcome[];
  /** How many lines `results` lacks, which is bounded; `counts` has all. */
  readonly results_not_listed?: number;
  /** What was kept of the state before. */
  readonly snapshot?: { readonly id: string } | null;
}
