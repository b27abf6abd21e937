import { openSession } from '../api/session.ts';
import { readBundle } from '../bundle/read-bundle.ts';
import { reportApply } from '../bundle/report-apply.ts';
import { sendBundle } from '../bundle/send-bundle.ts';
import { checkSummary } from '../bundle/write-summary.ts';
import type { GlobalOptions } from '../options.ts';

/** Options of `gwctl import`. */
export interface ImportOptions extends GlobalOptions {
  readonly dryRun: boolean;
  readonly overwrite: boolean;
  readonly strict: boolean;
  readonly snapshot: boolean;
  readonly snapshotNote?: string;
  readonly createdBy?: string;
  readonly atomic: boolean;
  readonly expectedRevision?: string;
  readonly tenantId?: string;
  readonly summary?: string;
}

/** Sends a bundle once and applies it unless `--dry-run`: by default only what is not there yet. */
export async function importBundle(options: ImportOptions, files: readonly string[]): Promise<number> {
  const input = await readBundle(files);
  checkSummary(options.summary);
  const session = await openSession(options, options.dryRun ? 'read' : 'write');
  const answer = await sendBundle(session, 'import', input, {
    dry_run: options.dryRun,
    overwrite: options.overwrite,
    strict: options.strict,
    snapshot: options.snapshot || options.snapshotNote !== undefined,
    snapshot_note: options.snapshotNote,
    created_by: options.createdBy,
    atomic: options.atomic,
    expected_revision: options.expectedRevision,
  });
  return reportApply(answer, {
    ...options,
    title: options.dryRun ? 'What an import would change' : 'Imported configuration',
    applyHint: 'without --dry-run it is done',
    input,
  });
}
