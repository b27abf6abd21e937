import { largeTenant } from '../admin-api/control-plane.ts';
import { fillGateway } from '../admin-api/fill.ts';
import type { Client } from '../admin-api/client.ts';

/** A gateway with a table of routes, and a node of it that may connect. */
export interface FilledTable {
  readonly tenantId: string;
  readonly gatewayId: string;
  /** A service that leads to the upstream. */
  readonly serviceId: string;
  readonly nodeToken: string;
}

const gateway = 'changing';

/** Makes a gateway with so many routes, one more for the load (`/bench`), and a node. */
export async function fillTable(client: Client, routes: number, upstreamPort: number): Promise<FilledTable> {
  const place = { tenant_id: largeTenant };
  const gatewayId = await fillGateway(client, place.tenant_id, gateway, routes);
  const api = '/api/v1/admin';
  const ofGateway = `${api}/gateways/${gatewayId}`;
  const service = { ...place, name: 'bench', url: `http://127.0.0.1:${upstreamPort}` };
  const { id: serviceId } = await client.expect('POST', `${ofGateway}/services`, 201, service);
  const route = { ...place, service_id: serviceId, name: 'bench', path: '/bench' };
  await client.expect('POST', `${ofGateway}/routes`, 201, route);
  const node = { ...place, gateway_id: gatewayId, name: 'bench' };
  const { token } = await client.expect('POST', `${api}/data-planes`, 201, node);
  return { tenantId: place.tenant_id, gatewayId, serviceId: String(serviceId), nodeToken: String(token) };
}
