import type { BundleDiff, BundleProblem, RenderedResult } from '@portcullis/bundle-diff';

/** Answer of `POST /config/diff`, as far as it is read. Source: wire contract, Configuration operations. */
export type DiffAnswer = BundleDiff & {
  readonly tenant_id: string;
  readonly errors: readonly BundleProblem[];
  readonly warnings: readonly BundleProblem[];
};

/** Answer of sync, import and rollback, as far as it is read. */
export type ApplyAnswer = RenderedResult;
