import * as v from 'valibot';

/** What the configuration endpoints answer. Source: wire contract, Configuration operations. */

const problem = v.object({
  resource_type: v.nullable(v.string()),
  index: v.nullable(v.number()),
  id: v.nullable(v.string()),
  name: v.nullable(v.string()),
  pointer: v.string(),
  code: v.string(),
  message: v.string(),
});

const counts = v.record(v.string(), v.number());

/** Answer of validate. */
export const validationSchema = v.pipe(
  v.object({ valid: v.boolean(), errors: v.array(problem), warnings: v.array(problem), counts }),
  v.title('BundleValidation'),
);

const fieldChange = v.object({
  path: v.string(),
  op: v.picklist(['add', 'remove', 'replace']),
  old: v.optional(v.unknown()),
  new: v.optional(v.unknown()),
  secret_changed: v.optional(v.literal(true)),
});

const line = { resource_type: v.string(), id: v.string(), name: v.nullable(v.string()) };

const diffEntries = {
  tenant_id: v.string(),
  in_sync: v.boolean(),
  summary: v.object({
    create: v.number(),
    update: v.number(),
    unchanged: v.number(),
    unmanaged: v.number(),
    total: v.number(),
  }),
  changes: v.array(v.object({ action: v.picklist(['create', 'update']), ...line, fields: v.array(fieldChange) })),
  unmanaged: v.array(v.object(line)),
  warnings: v.array(problem),
  errors: v.array(problem),
};

/** Answer of diff. */
export const diffSchema = v.pipe(
  v.object({ ...diffEntries, live_revision: v.number(), config_hash: v.string() }),
  v.title('BundleDiff'),
);

/** Answer of sync. */
export const syncSchema = v.pipe(
  v.object({
    status: v.picklist(['success', 'dry_run', 'failed']),
    dry_run: v.boolean(),
    validation: v.object({ valid: v.boolean(), errors: v.array(problem), warnings: v.array(problem), counts }),
    diff: v.object(diffEntries),
    counts: v.object({
      created: v.number(),
      updated: v.number(),
      unchanged: v.number(),
      skipped: v.number(),
      failed: v.number(),
    }),
    results: v.array(v.object({ action: v.picklist(['created', 'updated', 'skipped']), ...line })),
    revision: v.number(),
    duration_ms: v.number(),
  }),
  v.title('SyncResult'),
);
