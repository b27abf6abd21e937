import type { Client } from './client.ts';

/** Routes of one bundle while a gateway is filled: few enough that a busy machine plans them in the time it is given. */
const routesPerBundle = 4000;

/** A gateway with a service and many routes, all made through the configuration interface. */
export async function fillGateway(client: Client, tenantId: string, gateway: string, routes: number): Promise<string> {
  for (let start = 0; start < routes; start += routesPerBundle) {
    const count = Math.min(routesPerBundle, routes - start);
    const answer = await client.expect(
      'POST',
      `/api/v1/admin/config/sync?tenant_id=${tenantId}&dry_run=false`,
      200,
      bundleOf(tenantId, gateway, start, count),
    );
    if (answer['status'] !== 'success') {
      throw new Error(`the gateway could not be filled: ${JSON.stringify(answer).slice(0, 1000)}`);
    }
  }
  const { id } = await client.expect('GET', `/api/v1/admin/gateways/${gateway}?tenant_id=${tenantId}`, 200);
  return String(id);
}

/** The part of a gateway's bundle that holds `count` routes from number `start` on. */
export function bundleOf(tenantId: string, gateway: string, start: number, count: number): Record<string, unknown> {
  return {
    tenant_id: tenantId,
    gateways: [{ name: gateway }],
    services: [{ name: 'upstream', gateway_name: gateway, url: 'http://127.0.0.1:9' }],
    routes: Array.from({ length: count }, (_, index) => ({
      gateway_name: gateway,
      ...routeOf(`route-${String(start + index).padStart(7, '0')}`),
    })),
  };
}

/** The route that every measurement writes and reads, but for its name. */
export function routeOf(name: string): Record<string, unknown> {
  return {
    name,
    service_name: 'upstream',
    path: `/${name}`,
    methods: ['GET', 'POST'],
    labels: { team: 'shop', stage: 'production' },
  };
}
