import { openSession } from '../api/session.ts';
import { readBundle } from '../bundle/read-bundle.ts';
import { reportApply } from '../bundle/report-apply.ts';
import { sendBundle } from '../bundle/send-bundle.ts';
import { checkSummary } from '../bundle/write-summary.ts';
import { CommandFailure } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';

/** Options of `gwctl sync`. */
export interface SyncOptions extends GlobalOptions {
  readonly apply: boolean;
  readonly overwrite: boolean;
  readonly strict: boolean;
  readonly snapshot: boolean;
  readonly snapshotNote?: string;
  readonly createdBy?: string;
  readonly expectedRevision?: string;
  readonly tenantId?: string;
  readonly summary?: string;
}

/** Sends a bundle once. A dry run unless `--apply`; never sent again, because a write may have been carried out. */
export async function sync(options: SyncOptions, files: readonly string[]): Promise<number> {
  if (options.snapshotNote !== undefined && !options.snapshot) {
    throw new CommandFailure('give either --snapshot-note or --no-snapshot');
  }
  const input = await readBundle(files);
  checkSummary(options.summary);
  const session = await openSession(options, options.apply ? 'write' : 'read');
  const answer = await sendBundle(session, 'sync', input, {
    dry_run: !options.apply,
    overwrite: options.overwrite,
    strict: options.strict,
    snapshot: options.snapshot,
    snapshot_note: options.snapshotNote,
    created_by: options.createdBy,
    expected_revision: options.expectedRevision,
  });
  return reportApply(answer, {
    ...options,
    title: options.apply ? 'Synchronised configuration' : 'What a sync would change',
    applyHint: '--apply does it',
    input,
  });
}
