import { writeFileSync } from 'node:fs';
import { answer, gwctlHome, startFakeApi } from './fake-api.test-support.ts';
import type { Answers } from './fake-api.test-support.ts';

const gateway = { id: 'g1', tenant_id: 'acme', name: 'edge', hosts: [], updated_at: '2026-01-01T00:00:00.000Z' };
/** Two routes; the second one's name tries to colour a terminal. */
export const routes = [
  { id: 'r1', gateway_id: 'g1', name: 'orders', path: '/orders', methods: ['GET', 'POST'], plugins: [{ name: 'x' }] },
  { id: 'r2', gateway_id: 'g1', name: 'evil\u001B[31m', enabled: false, methods: [] },
];
/** What a control plane with a few records of the tenant acme answers. */
export const api = {
  'GET /health': { status: 'ok', release: '0.1.0' },
  'GET /ready': { status: 'ready', checks: { database: 'ok' } },
  'GET /api/v1/admin/gateways': { items: [gateway], total: 1, skip: 0, limit: 50 },
  'GET /api/v1/admin/gateways/edge': gateway,
  'GET /api/v1/admin/gateways/g1/routes': { items: routes, total: 7, skip: 0, limit: 2 },
  'GET /api/v1/admin/gateways/g1/routes/orders': routes[0],
  'POST /api/v1/admin/gateways/g1/routes': answer(201, routes[0]),
  'PATCH /api/v1/admin/gateways/g1/routes/r1': routes[0],
  'DELETE /api/v1/admin/gateways/g1/routes/r1': answer(204),
  'GET /api/v1/admin/gateways/g1/upstreams/pool': { id: 'u1', name: 'pool' },
  'GET /api/v1/admin/gateways/g1/targets': {
    items: [{ id: 't1', name: 'h:1', weight: 100 }],
    total: 1,
    skip: 0,
    limit: 50,
  },
  'GET /api/v1/admin/plugins': { items: [], total: 0, skip: 0, limit: 50 },
};

/** gwctl with a context of the tenant acme at a server that gives these answers. */
export async function withApi(answers: Answers = api) {
  const server = await startFakeApi(answers);
  const home = await gwctlHome();
  const contexts = { c: { api_url: server.url, token: 'gwadm_1_secret', tenant_id: 'acme' } };
  writeFileSync(home.config, JSON.stringify({ current: 'c', contexts }), { mode: 0o600 });
  const file = (name: string, text: string): string => {
    writeFileSync(`${home.path}/${name}`, text);
    return name;
  };
  const dispose = async () => {
    await home[Symbol.asyncDispose]();
    await server.close();
  };
  return { ...home, server, file, [Symbol.asyncDispose]: dispose };
}
