import type { Operation } from '../http/operation.ts';
import { booleanParameter, choiceParameter, tenantIdParameter } from '../http/query-parameters.ts';
import { configurationTag } from './config-parameters.ts';
import type { ConfigParts } from './config-request.ts';
import { bundleSchema } from './config-schemas.ts';
import { recordsOfSnapshot } from '../snapshots/records-of-snapshot.ts';
import { createExports } from './export-configuration.ts';

/** Exports of what is live and of snapshots. Source: spec, Configuration bundle; Configuration endpoint details. */
export function exportOperations(parts: ConfigParts): Operation[] {
  const exportOf = createExports(parts);
  return [
    {
      ...described,
      id: 'exportConfiguration',
      paths: ['/admin/config/export'],
      summary: "A tenant's configuration as a bundle, in an order of its own; secrets are masked",
      handler: exportOf(async () => parts.store),
    },
    {
      ...described,
      id: 'exportConfigSnapshot',
      paths: ['/admin/config/snapshots/{snapshot_id}/export'],
      summary: 'What a snapshot holds, in the same form as an export; secrets are masked',
      handler: exportOf((executor, tenantId, input) =>
        recordsOfSnapshot(executor, tenantId, input.path['snapshot_id'] ?? ''),
      ),
    },
  ];
}

const described: Omit<Operation, 'id' | 'paths' | 'summary' | 'handler'> = {
  method: 'GET',
  tag: configurationTag,
  access: 'read',
  query: [
    { ...tenantIdParameter, description: "The tenant's slug; it has to be named." },
    choiceParameter('format', 'Form of the answer; beats `Accept`. Default: what `Accept` asks for, else JSON.', [
      'json',
      'yaml',
    ]),
    booleanParameter(
      'ids',
      'Whether records have their IDs and refer to each other by them; otherwise by name, to be applied elsewhere. ' +
        'A record that others refer to by its ID alone keeps it. Default true.',
    ),
  ],
  responses: [
    { status: 200, description: 'The bundle', schema: bundleSchema },
    { status: 200, description: 'The bundle', schema: bundleSchema, mediaType: 'application/yaml' },
    { status: 429, description: 'Too many exports of this tenant at once' },
  ],
};
