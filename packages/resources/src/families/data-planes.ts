import * as v from 'valibot';
import type { Family } from '../family.ts';
import * as field from '../fields.ts';
import { reportedCircuit } from '../wire/heartbeat.ts';

/** States of a node's connection, by how long ago it was heard of. */
export const dataPlaneStatuses = ['online', 'stale', 'offline'] as const;

/** How a node's configuration stands to the control plane's. Source: wire contract, Data planes. */
export const dataPlaneSyncStatuses = [
  'unknown',
  'normal',
  'applying',
  'rejected',
  'version_incompatible',
  'plugin_set_incompatible',
] as const;

const shown = (schema: v.GenericSchema, about: string) => v.optional(v.pipe(schema, v.description(about)));

/** Data planes: gateway processes with a token of their own. Source: wire contract, Data planes. */
export const dataPlanes: Family = {
  name: 'data-planes',
  singular: 'data_plane',
  summary: 'Data planes: the gateway processes that carry traffic',
  scope: 'tenant',
  // A node's token opens the secrets of its gateway's configuration: whoever may write may have those. See ADR 0010.
  access: { read: 'read', write: 'write' },
  fields: {
    gateway_id: v.pipe(
      field.reference,
      v.metadata({ 'x-immutable': true }),
      v.description('The gateway that the process serves'),
    ),
    name: field.name,
    description: field.description,
    labels: field.labels,
  },
  readOnlyFields: {
    hostname: shown(v.string(), 'Host that the node reported'),
    ip: shown(v.string(), 'Address that the node connects from'),
    version: shown(v.string(), 'Release of the node'),
    plugin_versions: shown(v.record(v.string(), v.string()), 'Plugin packages of the node'),
    status: v.pipe(v.picklist(dataPlaneStatuses), v.description('Whether the node was heard of lately')),
    sync_status: v.pipe(v.picklist(dataPlaneSyncStatuses), v.description('How its configuration stands')),
    config_hash: shown(v.string(), 'Hash of the configuration that the node serves'),
    config_revision: shown(v.number(), 'Revision that the node serves'),
    target_revision: shown(v.number(), "The tenant's present revision"),
    last_seen: shown(v.string(), 'Last heartbeat'),
    last_applied_at: shown(v.string(), 'When the node last took a configuration'),
    last_error: shown(v.string(), 'Why the node refused a configuration'),
    circuits: shown(v.array(reportedCircuit), 'Plugin instances whose circuit is not closed, the first hundred'),
  },
  references: [
    {
      field: 'gateway_id',
      family: 'gateways',
      nameField: 'gateway_name',
      nameScope: 'tenant',
      whenTargetIsDeleted: 'restrict',
    },
  ],
  keys: [
    { name: 'name', fields: ['name'], scope: { field: 'gateway_id' } },
    { name: 'token', fields: ['token_id'], scope: 'everywhere' },
  ],
  methods: ['POST', 'PATCH', 'DELETE'],
  deliveredToGateways: false,
};
