import * as v from 'valibot';
import type { Family } from '../family.ts';
import * as field from '../fields.ts';

/** Kinds of external systems that are looked at. Source: spec, Integration driver configuration; wire contract. */
export const integrationDrivers = [
  'cloud_api_gateway',
  'api_registry',
  'it_service_management',
  'log_analytics',
  'incident_alerting',
] as const;

/** What the last look found; `null` before the first. Source: wire contract, AI records, integrations, SDKs. */
const lastSync = v.nullable(
  v.pipe(
    v.object({
      status: v.picklist(['success', 'failed']),
      driver: v.string(),
      metadata: v.optional(
        v.pipe(v.record(v.string(), v.unknown()), v.description('What was found; lists of integrations leave it out')),
      ),
      error: v.optional(v.object({ code: v.string(), message: v.string() })),
      duration_ms: v.number(),
      synced_at: v.string(),
    }),
    v.description('What the last sync found, or why it failed; null before the first'),
  ),
);

/** Integrations: external systems that are looked at and never written to. Source: spec, Integration driver configuration. */
export const integrations: Family = {
  name: 'integrations',
  singular: 'integration',
  summary: 'Integrations: external systems of which a sync takes a small read-only look',
  scope: 'tenant',
  access: { read: 'read', write: 'write' },
  fields: {
    name: field.name,
    description: field.description,
    labels: field.labels,
    workspace_id: v.optional(v.pipe(field.reference, v.description('Workspace that the integration belongs to'))),
    driver: v.pipe(v.picklist(integrationDrivers), v.description('Kind of external system')),
    config: v.optional(
      v.pipe(
        v.record(v.string(), v.unknown()),
        v.description(
          "The driver's settings; unknown fields are refused. `GET /integrations/drivers` has the schema of each driver",
        ),
      ),
      {},
    ),
    secrets: v.optional(
      v.pipe(
        v.record(v.string(), v.unknown()),
        v.metadata({ writeOnly: true }),
        v.description(
          "The driver's credentials: sealed, and never shown again. Those that a change leaves out stay, unless it changes where they are sent",
        ),
      ),
      {},
    ),
    enabled: v.optional(v.pipe(v.boolean(), v.description('Whether it can be synced')), true),
  },
  readOnlyFields: {
    secrets_set: v.pipe(v.array(v.string()), v.description('Names of the credentials that are stored')),
    last_sync: lastSync,
  },
  references: [{ field: 'workspace_id', family: 'workspaces', nameScope: 'tenant', whenTargetIsDeleted: 'restrict' }],
  keys: [{ name: 'name', fields: ['name'], scope: 'tenant', addressable: true }],
  filters: ['driver'],
  methods: ['POST', 'PATCH', 'DELETE'],
  // The command line's entities are a closed list. Source: spec, Operator command-line tool.
  isEntity: false,
  deliveredToGateways: false,
};
