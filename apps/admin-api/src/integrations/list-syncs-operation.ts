import type { IntegrationSyncRow } from '../database/integration-tables.ts';
import type { Operation } from '../http/operation.ts';
import { pageParameters, tenantIdParameter } from '../http/query-parameters.ts';
import { pageHeaders } from '../resources/list-query.ts';
import { integrationInPath, type IntegrationOperationParts, integrationTag, tenantOf } from './integration-parts.ts';
import { syncListSchema } from './integration-schemas.ts';

/** `GET /integrations/{integration_id}/syncs`: the newest results, newest first. Source: wire contract, integrations. */
export function listSyncsOperation(parts: IntegrationOperationParts): Operation {
  return {
    id: 'listIntegrationSyncs',
    method: 'GET',
    paths: ['/admin/integrations/{integration_id}/syncs'],
    tag: integrationTag,
    summary: 'What the newest syncs found, newest first; older ones are not kept',
    access: 'read',
    query: [tenantIdParameter, ...pageParameters],
    responses: [
      { status: 200, description: 'A page of results', schema: syncListSchema, headers: ['x-total-count', 'link'] },
    ],
    async handler(input) {
      const tenantId = await tenantOf(parts, input);
      const { read } = parts.database;
      const { id } = await integrationInPath(parts, input, tenantId, read);
      const page = { skip: Number(input.query['skip']), limit: Number(input.query['limit']) };
      const syncs = read
        .selectFrom('integration_syncs')
        .where('tenant_id', '=', tenantId)
        .where('integration_id', '=', id);
      const rows = await syncs.selectAll().orderBy('sequence', 'desc').offset(page.skip).limit(page.limit).execute();
      const { total } = await syncs.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      return {
        status: 200,
        headers: pageHeaders(input.request.path, input.query, total),
        body: { items: rows.map(syncView), total, ...page },
      };
    },
  };
}

function syncView({ id, integration_id, actor, record_revision, result }: IntegrationSyncRow) {
  return { id, integration_id, actor, record_revision, ...(JSON.parse(result) as object) };
}
