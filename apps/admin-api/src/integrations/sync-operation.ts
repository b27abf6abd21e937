import type { Operation } from '../http/operation.ts';
import { tenantIdParameter } from '../http/query-parameters.ts';
import { identityFamilies } from '../identity/user-directory.ts';
import { actorOf } from '../resources/actor.ts';
import { integrationInPath, type IntegrationOperationParts, integrationTag, tenantOf } from './integration-parts.ts';
import { syncRequestSchema, syncResultSchema } from './integration-schemas.ts';
import { runSync } from './run-sync.ts';
import { SyncPlaces } from './sync-places.ts';
import { SyncRates } from './sync-rates.ts';

/** `POST /integrations/{integration_id}/sync`: looks now. Source: wire contract, AI records, integrations, SDKs. */
export function syncOperation(parts: IntegrationOperationParts): Operation {
  const places = new SyncPlaces();
  const rates = new SyncRates(parts.monotonicMs);
  return {
    id: 'syncIntegration',
    method: 'POST',
    paths: ['/admin/integrations/{integration_id}/sync'],
    tag: integrationTag,
    summary: 'Takes a read-only look at the external system; 409 while another sync of the integration is under way',
    access: 'write',
    query: [tenantIdParameter],
    body: { schema: syncRequestSchema, optional: true },
    responses: [
      { status: 200, description: 'What it found, or why it failed: `status` says which', schema: syncResultSchema },
      { status: 429, description: 'The tenant has too many syncs under way, or the integration was synced too often' },
    ],
    async handler(input) {
      const tenantId = await tenantOf(parts, input);
      const { id } = await integrationInPath(parts, input, tenantId, parts.database.read);
      const leave = places.take(await countedTenant(parts, tenantId));
      try {
        // The caller's going ends nothing: what was sent out is to be seen in the history.
        const result = await runSync({ ...parts, rates }, { tenantId, id }, actorOf(input.principal, input.request));
        return { status: 200, body: result };
      } finally {
        leave();
      }
    },
  };
}

/** Whose places a tenant takes: those of its parent, who may make many like it. */
async function countedTenant({ store, database }: IntegrationOperationParts, tenantId: string): Promise<string> {
  const tenant = await store.get(database.read, '', identityFamilies.tenants, tenantId);
  const parent = tenant?.body['parent_id'];
  return typeof parent === 'string' ? parent : tenantId;
}
