import { eventually } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { startLoad } from './support/load.ts';
import { startStack } from './support/stack.ts';
import type { Stack } from './support/stack.ts';

/** A tenant with one open route to the stack's upstream, and a gateway process that serves it. */
async function serveOpenRoute(stack: Stack): Promise<string> {
  const { admin } = stack;
  await admin.call('POST', '/api/v1/admin/tenants', { name: 'Default', slug: 'default' });
  const gateway = await admin.call('POST', '/api/v1/admin/gateways', { tenant_id: 'default', name: 'edge' });
  const path = `/api/v1/admin/gateways/${gateway.body.id}`;
  await admin.call('POST', `${path}/services`, { tenant_id: 'default', name: 'echo', url: stack.upstream.url });
  await admin.call('POST', `${path}/routes`, {
    tenant_id: 'default',
    name: 'open',
    path: '/open',
    service_name: 'echo',
  });
  const node = await admin.call('POST', '/api/v1/admin/data-planes', {
    tenant_id: 'default',
    gateway_id: gateway.body.id,
    name: 'node-1',
  });
  await stack.startGateway(node.body.token);
  return node.body.token;
}

describe('the control plane goes away', () => {
  it('under load, killed and started again: no request fails, and changes are followed again', async () => {
    await using stack = await startStack();
    await serveOpenRoute(stack);
    const load = startLoad(`${stack.gatewayUrl}/open`, { connections: 8 });
    await eventually(() => load.answered() > 200, { timeoutMs: 20_000 });
    process.kill(stack.controlPlane().pid, 'SIGKILL');
    await stack.controlPlane().exited;
    const atKill = load.answered();
    await eventually(() => load.answered() > atKill + 1000, { timeoutMs: 30_000 });
    await stack.startControlPlane();
    const added = await stack.admin.call('POST', '/api/v1/admin/gateways/edge/routes', {
      tenant_id: 'default',
      name: 'later',
      path: '/later',
      service_name: 'echo',
    });
    expect(added.status).toBe(201);
    await eventually(async () => (await fetch(`${stack.gatewayUrl}/later`)).status === 200, { timeoutMs: 15_000 });
    const result = await load.stop();
    expect(result.failures).toEqual([]);
    expect([...result.statuses.keys()]).toEqual([200]);
    // What was counted while nobody listened arrives once somebody does.
    const total = result.total;
    const counted = await eventually(
      async () => {
        const { body } = await stack.admin.call('GET', '/api/v1/admin/observability/summary?tenant_id=default');
        return body.totals.requests >= total && body.totals.requests;
      },
      { timeoutMs: 20_000 },
    );
    expect(counted).toBeLessThanOrEqual(total + 200);
  });

  it('a gateway that starts without it serves from its cache', async () => {
    await using stack = await startStack();
    const token = await serveOpenRoute(stack);
    await eventually(async () => (await fetch(`${stack.gatewayUrl}/open`)).status === 200);
    process.kill(stack.gateway().pid, 'SIGTERM');
    expect(await stack.gateway().exited).toMatchObject({ code: 0 });
    process.kill(stack.controlPlane().pid, 'SIGKILL');
    await stack.controlPlane().exited;
    await stack.startGateway(token);
    expect((await fetch(`${stack.gatewayUrl}/open`)).status).toBe(200);
  });

  it('a configuration that changes under load fails no request', async () => {
    await using stack = await startStack();
    await serveOpenRoute(stack);
    const load = startLoad(`${stack.gatewayUrl}/open`, { connections: 8 });
    for (let index = 0; index < 25; index += 1) {
      const path = '/api/v1/admin/gateways/edge/routes/open?tenant_id=default';
      const plugins = [{ name: 'response_header_setter', config: { set: { 'x-change': String(index) } } }];
      const changed = await stack.admin.call('PATCH', path, { plugins });
      expect(changed.status, JSON.stringify(changed.body)).toBe(200);
      const isThere = async (): Promise<boolean> =>
        (await fetch(`${stack.gatewayUrl}/open`)).headers.get('x-change') === String(index);
      await eventually(isThere);
    }
    const result = await load.stop();
    expect(result.failures).toEqual([]);
    expect([...result.statuses.keys()]).toEqual([200]);
  });
});
