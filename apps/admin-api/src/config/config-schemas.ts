import { bundleFamilies } from '@portcullis/resources';
import * as v from 'valibot';
import { notListedSchema, resultsNotListedSchema } from './listed-schemas.ts';
import { snapshotSchema } from '../snapshots/snapshot-schemas.ts';

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
  not_listed: notListedSchema,
  warnings: v.array(problem),
  errors: v.array(problem),
};

/** Answer of diff. */
export const diffSchema = v.pipe(
  v.object({ ...diffEntries, live_revision: v.number(), config_hash: v.string() }),
  v.title('BundleDiff'),
);

const resultLine = v.union([
  v.object({ action: v.picklist(['created', 'updated', 'skipped']), ...line }),
  v.object({
    action: v.literal('failed'),
    resource_type: v.string(),
    id: v.nullable(v.string()),
    name: v.nullable(v.string()),
    error: v.object({
      code: v.string(),
      message: v.string(),
      pointer: v.optional(v.pipe(v.string(), v.description('JSON Pointer into the record'))),
    }),
  }),
]);

/** Answer of import and sync. */
export const applySchema = v.pipe(
  v.object({
    status: v.pipe(
      v.picklist(['success', 'dry_run', 'partial_failure', 'failed']),
      v.description('failed: nothing was changed. partial_failure only without `atomic`'),
    ),
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
    results: v.pipe(
      v.array(resultLine),
      v.description(
        'What became of each record that differs or is wrong: what failed, then the first of the others. ' +
          'Of a dry run what would fail or be skipped; the rest is in `diff`',
      ),
    ),
    results_not_listed: resultsNotListedSchema,
    snapshot: v.pipe(
      v.nullable(snapshotSchema),
      v.description('What was there before; null where nothing was changed, or none was wanted'),
    ),
    revision: v.number(),
    duration_ms: v.number(),
  }),
  v.title('ApplyResult'),
);

/** Answer of export. */
export const bundleSchema = v.pipe(
  v.looseObject({
    tenant_id: v.string(),
    ...Object.fromEntries(bundleFamilies.map(({ bundle }) => [bundle.key, v.optional(v.array(v.looseObject({})))])),
  }),
  v.title('ExportedBundle'),
);
