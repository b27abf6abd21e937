import { writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { describe, expect, it } from 'vitest';
import { gwctlHome } from './fake-api.test-support.ts';

const current = {
  tenant_id: 'acme',
  gateways: [{ id: 'g1', name: 'edge', hosts: ['a', 'b'] }],
  services: [{ id: 's1', name: 'orders', gateway_id: 'g1', url: 'http://127.0.0.1:8002/' }],
  consumers: [{ id: 'u1', username: 'ada' }],
  consumer_credentials: [{ id: 'k1', consumer_id: 'u1', type: 'api_key', name: 'main', key: '[redacted]' }],
  plugins: [{ id: 'p1', name: 'cors', gateway_id: 'g1', config: {} }],
};
/** The same, by name, and in another order. */
const sameByName = {
  tenant_id: 'acme',
  plugins: [{ name: 'cors', gateway_name: 'edge', config: {} }],
  consumer_credentials: [{ consumer_name: 'ada', type: 'api_key', name: 'main' }],
  consumers: [{ name: 'ada' }],
  services: [{ name: 'orders', gateway_name: 'edge', url: 'http://127.0.0.1:8002/' }],
  gateways: [{ name: 'edge', hosts: ['b', 'a'] }],
};

async function homeWith(files: Readonly<Record<string, unknown>>) {
  const home = await gwctlHome();
  for (const [name, document] of Object.entries(files)) writeFileSync(`${home.path}/${name}`, stringify(document));
  return home;
}

describe('diff --current', () => {
  it('asks no server, and finds records again by name or ID', async () => {
    await using home = await homeWith({ 'current.yaml': current, 'named.yaml': sameByName });
    const same = '0 to create, 0 to update, 5 unchanged, 0 not in the bundle\n';
    for (const [left, right] of [
      ['named', 'current'],
      ['current', 'named'],
      ['current', 'current'],
    ]) {
      const run = await home.run('diff', `${left}.yaml`, '--current', `${right}.yaml`);
      expect(run).toEqual({ exitCode: 0, stdout: same, stderr: '' });
    }
  });

  it('shows what differs, never a secret, and the same bytes each time', async () => {
    const [gateway] = sameByName.gateways;
    const credential = { ...sameByName.consumer_credentials[0], key: 'canary-secret-of-ada-0123456789' };
    const wanted = {
      ...sameByName,
      gateways: [{ ...gateway, description: 'all of it' }],
      consumer_credentials: [credential],
      services: [{ name: 'carts', gateway_name: 'edge', url: 'http://127.0.0.1:8003/' }],
    };
    await using home = await homeWith({ 'current.yaml': current, 'wanted.yaml': wanted });
    const run = await home.run('diff', 'wanted.yaml', '--current', 'current.yaml', '-o', 'json');
    expect([run.exitCode, run.stderr]).toEqual([2, '']);
    expect(run.stdout).not.toContain('canary');
    expect(JSON.parse(run.stdout)).toMatchObject({
      tenant_id: 'acme',
      in_sync: false,
      summary: { create: 1, update: 2, unchanged: 2, unmanaged: 1, total: 6 },
      changes: [
        {
          action: 'update',
          resource_type: 'gateways',
          fields: [{ path: '/description', op: 'add', new: 'all of it' }],
        },
        { action: 'create', resource_type: 'services', id: 'new-1', name: 'carts' },
        { action: 'update', resource_type: 'consumer_credentials', fields: [{ path: '/key', secret_changed: true }] },
      ],
      unmanaged: [{ resource_type: 'services', id: 's1', name: 'orders' }],
    });
    expect((await home.run('diff', 'wanted.yaml', '--current', 'current.yaml', '-o', 'json')).stdout).toBe(run.stdout);
  });

  it('compares parts that refer to what neither has; --strict does not', async () => {
    const part = (path: string) => ({
      tenant_id: 'acme',
      routes: [{ name: 'r', gateway_name: 'elsewhere', service_name: 's', path }],
    });
    await using home = await homeWith({ 'a.yaml': part('/a'), 'b.yaml': part('/b') });
    const loose = await home.run('diff', 'b.yaml', '--current', 'a.yaml');
    expect([loose.exitCode, loose.stderr]).toEqual([2, '']);
    expect(loose.stdout).toContain('b.yaml:5:19: warning /routes/0/service_name (r): not in the bundle');
    expect(loose.stdout).toContain('routes\n  ~ r\n      ~ /path: "/a" -> "/b"\n0 to create, 1 to update');
    const strict = await home.run('diff', 'b.yaml', '--current', 'a.yaml', '--strict');
    expect(strict.exitCode).toBe(1);
    expect(strict.stdout).toContain('error /routes/0/service_name (r): no such record in services');
  });

  it.each([
    [
      'broken',
      'current.yaml is not a valid state to compare with\ncurrent.yaml:4:7: error /gateways/0/nope (edge): is not a known field [unknown_field]\n',
    ],
    ['globex', 'wanted.yaml:1:12: tenant_id is acme, but the command is for globex (--tenant-id, or the context)\n'],
    ['missing', 'current.yaml does not exist\n'],
  ])('a current state that is %s is refused', async (kind, stderr) => {
    const states: Readonly<Record<string, unknown>> = {
      broken: { tenant_id: 'acme', gateways: [{ nope: [1], name: 'edge' }] },
      globex: { tenant_id: 'globex' },
    };
    await using home = await homeWith({
      'wanted.yaml': { tenant_id: 'acme' },
      ...(kind in states ? { 'current.yaml': states[kind] } : {}),
    });
    const run = await home.run('diff', 'wanted.yaml', '--current', 'current.yaml');
    expect(run).toEqual({ exitCode: 1, stdout: '', stderr: `gwctl: ${stderr}` });
  });
});
