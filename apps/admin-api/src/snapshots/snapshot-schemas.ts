import { maxCharacters } from '@portcullis/resources';
import * as v from 'valibot';
import { notListedSchema, resultsNotListedSchema } from '../config/listed-schemas.ts';
import { createdByLengthMax, snapshotNoteLengthMax } from './snapshot-limits.ts';

/** What the snapshot endpoints take and answer. Source: wire contract, Configuration operations. */

const note = v.optional(v.nullable(v.pipe(v.string(), maxCharacters(snapshotNoteLengthMax))));
const tenantId = v.optional(v.string());

/** Body of a new snapshot. */
export const snapshotRequestSchema = v.pipe(
  v.strictObject({
    tenant_id: tenantId,
    note,
    created_by: v.optional(v.pipe(v.string(), maxCharacters(createdByLengthMax))),
  }),
  v.title('SnapshotRequest'),
);

/** Body of a rollback. */
export const rollbackRequestSchema = v.pipe(
  v.strictObject({
    tenant_id: tenantId,
    dry_run: v.optional(v.pipe(v.boolean(), v.description('Only show what would change, and whether it can')), false),
    mode: v.optional(
      v.pipe(
        v.picklist(['restore', 'exact'], 'must be restore or exact'),
        v.description('`restore` brings back what the snapshot has; `exact` also removes what came later'),
      ),
      'restore',
    ),
    note: v.pipe(note, v.description('Note of the snapshot that is taken before')),
  }),
  v.title('RollbackRequest'),
);

const counts = v.record(v.string(), v.number());

/** A snapshot. */
export const snapshotSchema = v.pipe(
  v.object({
    id: v.string(),
    tenant_id: v.string(),
    note: v.nullable(v.string()),
    created_by: v.string(),
    created_at: v.string(),
    reason: v.picklist(['manual', 'pre_sync', 'pre_import', 'pre_rollback']),
    config_hash: v.string(),
    counts,
    size_bytes: v.number(),
    revision: v.number(),
  }),
  v.title('Snapshot'),
);

/** A page of snapshots. */
export const snapshotListSchema = v.pipe(
  v.object({ items: v.array(snapshotSchema), total: v.number(), skip: v.number(), limit: v.number() }),
  v.title('SnapshotList'),
);

const line = { resource_type: v.string(), id: v.string(), name: v.nullable(v.string()) };

const fieldChange = v.object({
  path: v.string(),
  op: v.picklist(['add', 'remove', 'replace']),
  old: v.optional(v.unknown()),
  new: v.optional(v.unknown()),
  secret_changed: v.optional(v.literal(true)),
});

/** Answer of a rollback. */
export const rollbackSchema = v.pipe(
  v.object({
    status: v.picklist(['success', 'dry_run']),
    dry_run: v.boolean(),
    mode: v.picklist(['restore', 'exact']),
    validation: v.object({ valid: v.literal(true), errors: v.tuple([]), warnings: v.tuple([]), counts }),
    diff: v.object({
      tenant_id: v.string(),
      in_sync: v.boolean(),
      summary: v.object({
        create: v.number(),
        update: v.number(),
        delete: v.number(),
        unchanged: v.number(),
        unmanaged: v.number(),
        total: v.number(),
      }),
      changes: v.array(
        v.object({ action: v.picklist(['create', 'update', 'delete']), ...line, fields: v.array(fieldChange) }),
      ),
      unmanaged: v.pipe(v.array(v.object(line)), v.description('What came after the snapshot and stays')),
      not_listed: notListedSchema,
      warnings: v.tuple([]),
      errors: v.tuple([]),
    }),
    counts: v.object({
      created: v.number(),
      updated: v.number(),
      deleted: v.number(),
      unchanged: v.number(),
      skipped: v.literal(0),
      failed: v.literal(0),
    }),
    results: v.array(v.object({ action: v.picklist(['created', 'updated', 'deleted']), ...line })),
    results_not_listed: resultsNotListedSchema,
    snapshot: v.pipe(
      v.nullable(snapshotSchema),
      v.description('What was there before; null where nothing was changed'),
    ),
    revision: v.number(),
    duration_ms: v.number(),
  }),
  v.title('RollbackResult'),
);
