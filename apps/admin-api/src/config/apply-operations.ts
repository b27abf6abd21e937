import * as v from 'valibot';
import type { Operation, QueryParameter } from '../http/operation.ts';
import { tenantIdParameter, textParameter } from '../http/query-parameters.ts';
import { createdByLengthMax, snapshotNoteLengthMax } from '../snapshots/snapshot-limits.ts';
import { bundleBody, configurationTag as tag, flag, formatParameter } from './config-parameters.ts';
import type { ConfigParts } from './config-request.ts';
import { applySchema } from './config-schemas.ts';
import { syncConfiguration } from './sync-configuration.ts';

/** Import and sync: the same but for their defaults, and that an import may be applied in parts. Source: decisions, 13. */
export function applyOperations(parts: ConfigParts): Operation[] {
  return [
    {
      id: 'importConfiguration',
      method: 'POST',
      paths: ['/admin/config/import'],
      tag,
      summary: 'Creates what a bundle holds and, with `overwrite`, updates what differs; never deletes',
      access: 'write',
      query: [
        ...options({ dryRun: false, overwrite: false, strict: false, snapshot: false }),
        flag('atomic', true, 'All or nothing; otherwise everything that is fine is kept and the rest is said'),
      ],
      body: bundleBody,
      responses: [{ status: 200, description: 'What was done, or would be', schema: applySchema }],
      handler: (input) => syncConfiguration(parts, input, 'pre_import'),
    },
    {
      id: 'syncConfiguration',
      method: 'POST',
      paths: ['/admin/config/sync'],
      tag,
      summary: 'Creates and updates what a bundle holds, in one transaction; never deletes',
      access: 'write',
      query: options({ dryRun: true, overwrite: true, strict: true, snapshot: true }),
      body: bundleBody,
      responses: [{ status: 200, description: 'What was done, or would be', schema: applySchema }],
      handler: (input) => syncConfiguration(parts, input, 'pre_sync'),
    },
  ];
}

function options(defaults: {
  readonly dryRun: boolean;
  readonly overwrite: boolean;
  readonly strict: boolean;
  readonly snapshot: boolean;
}): QueryParameter[] {
  return [
    tenantIdParameter,
    formatParameter,
    flag('dry_run', defaults.dryRun, 'Only show what would change'),
    flag('overwrite', defaults.overwrite, 'Change live records that differ; otherwise they are skipped'),
    flag('strict', defaults.strict, 'References must lead into the bundle or to live records'),
    flag('snapshot', defaults.snapshot, 'Take a snapshot first, if there is anything to change'),
    textParameter('snapshot_note', 'What the snapshot is to say.', snapshotNoteLengthMax),
    textParameter(
      'created_by',
      'Whom the snapshot and the audit records name beside the authenticated caller.',
      createdByLengthMax,
    ),
    {
      name: 'expected_revision',
      description: 'Refuse with 409 when the live state is at another revision',
      schema: v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}$/, 'must be a whole number'))),
    },
  ];
}
