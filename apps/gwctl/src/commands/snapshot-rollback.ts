import { openSession } from '../api/session.ts';
import { reportApply } from '../bundle/report-apply.ts';
import { withProgress } from '../bundle/with-progress.ts';
import { checkSummary } from '../bundle/write-summary.ts';
import { snapshotPath } from './snapshots.ts';
import type { SnapshotOptions } from './snapshots.ts';

/** Options of `gwctl snapshots rollback`. */
export interface RollbackOptions extends SnapshotOptions {
  readonly apply: boolean;
  /** What becomes of records that came after the snapshot: they stay, or they go. */
  readonly mode: 'restore' | 'exact';
  readonly note?: string;
  readonly summary?: string;
}

/** Sets a configuration back to a snapshot. A dry run unless `--apply`; never sent again. */
export async function rollbackSnapshot(options: RollbackOptions, id: string): Promise<number> {
  checkSummary(options.summary);
  const session = await openSession(options, options.apply ? 'write' : 'read');
  const { tenantId } = session;
  const request = {
    query: { tenant_id: tenantId },
    body: { tenant_id: tenantId, dry_run: !options.apply, note: options.note, mode: options.mode },
  };
  const doing = options.apply ? 'applying' : 'comparing';
  const answer = await withProgress(doing, () => session.call('POST', `${snapshotPath(id)}/rollback`, request));
  return reportApply(answer, {
    ...options,
    source: 'snapshot',
    title: options.apply ? 'Rolled back configuration' : 'What a rollback would change',
    applyHint: '--apply does it',
  });
}
