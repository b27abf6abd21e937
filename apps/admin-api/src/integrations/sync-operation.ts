import type { Operation } from '../http/operation.ts';
import { tenantIdParameter } from '../http/query-parameters.ts';
import { actorOf } from '../resources/actor.ts';
import { integrationInPath, type IntegrationOperationParts, integrationTag, tenantOf } from './integration-parts.ts';
import { syncRequestSchema, syncResultSchema } from './integration-schemas.ts';
import { runSync } from './run-sync.ts';
import { SyncPlaces } from './sync-places.ts';

/** `POST /integrations/{integration_id}/sync`: looks now. Source: wire contract, AI records, integrations, SDKs. */
export function syncOperation(parts: IntegrationOperationParts): Operation {
  const places = new SyncPlaces();
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
      { status: 429, description: 'The tenant has too many syncs under way' },
    ],
    async handler(input) {
      const tenantId = await tenantOf(parts, input);
      const { id } = await integrationInPath(parts, input, tenantId, parts.database.read);
      const leave = places.take(tenantId);
      try {
        // The caller's going ends nothing: what was sent out is to be seen in the history.
        const result = await runSync(parts, { tenantId, id }, actorOf(input.principal, input.request));
        return { status: 200, body: result };
      } finally {
        leave();
      }
    },
  };
}
