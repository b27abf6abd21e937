import type { InferInput } from 'valibot';
import { answerAs } from '../api/answer-as.ts';
import { snapshotPageSchema, snapshotSchema } from '../api/answers.ts';
import { pathSegment } from '../api/path-segment.ts';
import { openSession } from '../api/session.ts';
import { exitCodes } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { printDocument, printOutcome } from '../output/document.ts';
import { fieldTable, table } from '../output/table.ts';

/** Options of the commands on snapshots. */
export interface SnapshotOptions extends GlobalOptions {
  readonly tenantId?: string;
}

const columns = ['id', 'created_at', 'reason', 'revision', 'size_bytes', 'created_by', 'note'] as const;

/** Longest text of a cell, in characters; `show` has it whole. */
const cellLengthMax = 48;

/** Where a tenant's snapshots are. */
export const snapshotsPath = '/api/v1/admin/config/snapshots';

/** The path of one snapshot. @throws CommandFailure for a text that names none */
export function snapshotPath(id: string): string {
  return `${snapshotsPath}/${pathSegment(id, 'snapshot')}`;
}

/** Prints a page of snapshots, newest first as the server orders them. */
export async function listSnapshots(
  options: SnapshotOptions & { readonly limit?: string; readonly offset?: string },
): Promise<number> {
  const session = await openSession(options, 'read');
  const query = { tenant_id: session.tenantId, limit: options.limit, skip: options.offset };
  const answer = await session.call('GET', snapshotsPath, { query });
  const page = answerAs(answer, snapshotPageSchema);
  await printDocument(options.outputFormat, page, () => pageText(page, Number(options.offset ?? 0)));
  return exitCodes.done;
}

/** Prints one snapshot's record; its content is what a rollback's dry run shows. */
export async function showSnapshot(options: SnapshotOptions, id: string): Promise<number> {
  const session = await openSession(options, 'read');
  const answer = await session.call('GET', snapshotPath(id), { query: { tenant_id: session.tenantId } });
  const record = answerAs(answer, snapshotSchema);
  await printDocument(options.outputFormat, record, () => fieldTable({ ...record }));
  return exitCodes.done;
}

/** Takes a snapshot of the configuration as it is. */
export async function createSnapshot(
  options: SnapshotOptions & { readonly note?: string; readonly createdBy?: string },
): Promise<number> {
  const session = await openSession(options, 'write');
  const { tenantId } = session;
  const answer = await session.call('POST', snapshotsPath, {
    query: { tenant_id: tenantId },
    body: { tenant_id: tenantId, note: options.note, created_by: options.createdBy },
  });
  const record = answerAs(answer, snapshotSchema);
  await printDocument(options.outputFormat, record, () => fieldTable({ ...record }));
  return exitCodes.done;
}

/** Deletes a snapshot, not what it is of. */
export async function deleteSnapshot(options: SnapshotOptions, id: string): Promise<number> {
  const session = await openSession(options, 'write');
  await session.call('DELETE', snapshotPath(id), { query: { tenant_id: session.tenantId } });
  await printOutcome(options.outputFormat, { id, deleted: true }, `snapshot ${id} is deleted`);
  return exitCodes.done;
}

function pageText({ items, total }: InferInput<typeof snapshotPageSchema>, offset: number): string {
  const headings = columns.map((column) => column.replaceAll('_', ' '));
  const rows = items.map((item) => columns.map((column) => item[column]));
  const rest = total - offset - items.length;
  const text = table(headings, rows, cellLengthMax);
  return rest > 0 ? `${text}\n(${rest} more: --offset ${offset + items.length})` : text;
}
