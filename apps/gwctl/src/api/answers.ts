import * as v from 'valibot';

/** What the API answers, as far as it is read. Source: wire contract. */

/** A record of any family. */
export const recordSchema: v.GenericSchema<Readonly<Record<string, unknown>>> = v.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** A record that has an ID, as all have that are stored. */
export const storedRecordSchema = v.object({ id: v.string() });

/** A page of records. */
export const pageSchema = v.object({
  items: v.array(recordSchema),
  total: v.number(),
  skip: v.exactOptional(v.number()),
  limit: v.exactOptional(v.number()),
});

/** Answer of a route's match. */
export const matchSchema = v.looseObject({
  outcome: v.string(),
  candidates: v.array(recordSchema),
  plugins: v.array(recordSchema),
});

/** A snapshot of a tenant's configuration. */
export const snapshotSchema = v.object({
  id: v.string(),
  reason: v.string(),
  revision: v.number(),
});

/** A page of snapshots. */
export const snapshotPageSchema = v.object({
  items: v.array(v.looseObject(snapshotSchema.entries)),
  total: v.number(),
});

const line = { resource_type: v.string(), id: v.string(), name: v.nullable(v.string()) };

const problem = v.object({
  resource_type: v.nullable(v.string()),
  index: v.nullable(v.number()),
  id: v.nullable(v.string()),
  name: v.nullable(v.string()),
  pointer: v.string(),
  code: v.string(),
  message: v.string(),
});

const problems = { errors: v.array(problem), warnings: v.array(problem) };

const fieldChange = v.object({
  path: v.string(),
  op: v.picklist(['add', 'remove', 'replace']),
  old: v.exactOptional(v.unknown()),
  new: v.exactOptional(v.unknown()),
  secret_changed: v.exactOptional(v.literal(true)),
});

const summary = { create: v.number(), update: v.number(), unchanged: v.number(), unmanaged: v.number() };

const notListed = v.exactOptional(v.object({ changes: v.number(), unmanaged: v.number() }));

/** Answer of diff. */
export const diffSchema = v.object({
  tenant_id: v.string(),
  in_sync: v.boolean(),
  summary: v.object({ ...summary, total: v.number() }),
  changes: v.array(v.object({ action: v.picklist(['create', 'update']), ...line, fields: v.array(fieldChange) })),
  unmanaged: v.array(v.object(line)),
  not_listed: notListed,
  ...problems,
});

/** Answer of sync, import and rollback. */
export const applySchema = v.object({
  status: v.picklist(['success', 'dry_run', 'partial_failure', 'failed']),
  validation: v.exactOptional(v.object(problems)),
  diff: v.object({
    summary: v.object({ ...summary, delete: v.exactOptional(v.number()) }),
    changes: v.array(
      v.object({
        action: v.picklist(['create', 'update', 'delete']),
        ...line,
        fields: v.exactOptional(v.array(fieldChange)),
      }),
    ),
    not_listed: notListed,
  }),
  counts: v.record(v.string(), v.number()),
  results: v.exactOptional(
    v.array(
      v.object({
        action: v.string(),
        resource_type: v.string(),
        id: v.nullable(v.string()),
        name: v.nullable(v.string()),
        error: v.exactOptional(
          v.object({ code: v.string(), message: v.string(), pointer: v.exactOptional(v.string()) }),
        ),
      }),
    ),
  ),
  results_not_listed: v.exactOptional(v.number()),
  snapshot: v.exactOptional(v.nullable(v.object({ id: v.string() }))),
});

/** Answer of export. */
export const exportSchema = v.object({ tenant_id: v.string() });

/** A client library as an archive, and what is said of it. */
export const sdkArchiveSchema = v.object({
  file_name: v.string(),
  media_type: v.string(),
  size_bytes: v.number(),
  checksum_sha256: v.string(),
  content_base64: v.string(),
  target: v.exactOptional(v.string()),
  package_name: v.exactOptional(v.string()),
  generator_version: v.exactOptional(v.string()),
  warnings: v.exactOptional(v.array(v.object({ pointer: v.string(), message: v.string() }))),
});
