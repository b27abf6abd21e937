import { type AlertedSlo, grafanaDashboard, prometheusRules } from '@portcullis/slo-engine';
import * as v from 'valibot';
import type { Operation, OperationInput } from '../http/operation.ts';
import { tenantIdParameter } from '../http/query-parameters.ts';
import { objectiveOf, sloFamily } from './slo-definition.ts';
import { type SloOperationParts, sloTag, tenantOf } from './slo-parts.ts';

/** Files for who watches objectives with Prometheus and Grafana. The metrics that they read are on `/metrics`. */
export function exportOperations(parts: SloOperationParts): Operation[] {
  return [
    {
      id: 'exportSloPrometheusRules',
      method: 'GET',
      paths: ['/admin/slos/prometheus-rules'],
      tag: sloTag,
      summary: 'Alerting rules of all objectives, as a rules file of Prometheus',
      access: 'read',
      query: [tenantIdParameter],
      responses: [{ status: 200, description: 'The rules file', mediaType: 'application/yaml' }],
      async handler(input) {
        const text = prometheusRules(await alertedSlos(parts, input));
        return { status: 200, headers: { 'content-type': 'application/yaml' }, stream: text };
      },
    },
    {
      id: 'exportSloGrafanaDashboard',
      method: 'GET',
      paths: ['/admin/slos/grafana-dashboard'],
      tag: sloTag,
      summary: 'A dashboard of all objectives, for an import into Grafana',
      access: 'read',
      query: [tenantIdParameter],
      responses: [{ status: 200, description: 'The dashboard', schema: dashboardSchema }],
      handler: async (input) => ({ status: 200, body: grafanaDashboard(await alertedSlos(parts, input)) }),
    },
  ];
}

const dashboardSchema: v.GenericSchema = v.pipe(
  v.looseObject({
    uid: v.string(),
    title: v.string(),
    schemaVersion: v.number(),
    panels: v.array(v.looseObject({ id: v.number(), title: v.string() })),
  }),
  v.title('GrafanaDashboard'),
);

/** At most `slosPerTenantMax`. */
async function alertedSlos(parts: SloOperationParts, input: OperationInput): Promise<AlertedSlo[]> {
  const tenantId = await tenantOf(parts, input);
  const slos: AlertedSlo[] = [];
  for await (const page of parts.store.scan(parts.database.read, tenantId, sloFamily)) {
    for (const { id, name, definition } of page.map(objectiveOf)) {
      slos.push({ ...definition, id, name, tenant_id: tenantId });
    }
  }
  return slos;
}
