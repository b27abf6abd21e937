import type { BundleDiff, BundleProblem } from '@portcullis/bundle-diff';

/** Answer of `POST /config/diff`. */
export type DiffAnswer = BundleDiff & {
  readonly tenant_id: string;
  readonly errors: readonly BundleProblem[];
  readonly warnings: readonly BundleProblem[];
};

/** Answer of `POST /config/sync`. Source: wire contract, Configuration operations. */
export interface SyncAnswer {
  readonly status: 'success' | 'dry_run' | 'partial_failure' | 'failed';
  readonly validation: {
    readonly valid: boolean;
    readonly errors: readonly BundleProblem[];
    readonly warnings: readonly BundleProblem[];
  };
  readonly diff: BundleDiff;
  readonly counts: Readonly<Record<string, number>>;
}
