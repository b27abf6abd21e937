import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { Answer, TestService } from '../testing/test-service.test-support.ts';
import { testdata } from './testdata.test-support.ts';

const gateway = { gateway_name: 'edge' };
const rsa = { cert: testdata('rsa-leaf.pem'), key: testdata('rsa-leaf.key') };
const ecdsa = { cert: testdata('ecdsa-leaf.pem'), key: testdata('ecdsa-leaf.key') };

const bundle = {
  tenant_id: 'acme',
  gateways: [{ name: 'edge', allow_encoded_slashes: false }],
  certificates: [
    { ...gateway, name: 'site', ...rsa, snis: ['b.test', 'a.test'] },
    { ...gateway, id: 'client-id', ...ecdsa, snis: ['c.test'] },
  ],
  ca_certificates: [{ ...gateway, name: 'root', cert: testdata('root.pem') }],
  snis: [
    { ...gateway, name: 'a.test', certificate_name: 'site' },
    { ...gateway, name: '*.d.test', certificate_id: 'client-id' },
    {
      ...gateway,
      name: '*',
      certificate_name: 'site',
      client_certificate_mode: 'require',
      client_ca_certificate_ids: ['root'],
    },
  ],
  upstreams: [
    {
      ...gateway,
      name: 'pool',
      algorithm: 'consistent-hashing',
      hash_on: 'ip',
      protocol: 'grpcs',
      client_certificate_name: 'site',
      healthchecks: { active: {} },
    },
  ],
  services: [
    { ...gateway, name: 'a', url: 'https://a.test', client_certificate_id: 'client-id', ca_certificate_ids: ['root'] },
    { ...gateway, name: 'b', upstream_name: 'pool' },
  ],
  routes: [
    { ...gateway, name: 'r', path: '/', service_name: 'a', protocols: ['https', 'http'], snis: ['a.test'] },
    {
      ...gateway,
      name: 'db',
      service_name: 'b',
      protocols: ['tcp'],
      destinations: [{ port: 5432 }],
      sources: [{ ip: '::/0' }],
    },
  ],
  targets: [{ ...gateway, upstream_name: 'pool', target: '[::1]:80', priority: 2 }],
};

describeOnEachDatabase('bundles with certificates', (context) => {
  let service: TestService;
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    service.call(method, `/api/v1/admin${path}${path.includes('?') ? '&' : '?'}tenant_id=acme`, body);
  const snis = async (): Promise<Record<string, string>> => {
    const { body } = await call('GET', '/gateways/edge/snis');
    return Object.fromEntries(
      body.items.map((sni: { name: string; certificate_id: string }) => [sni.name, sni.certificate_id]),
    );
  };

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
  });
  afterAll(() => service.stop());

  it('are applied, and are in sync from then on', async () => {
    const applied = await call('POST', '/config/sync?dry_run=false', bundle);
    expect(applied.body, JSON.stringify(applied.body)).toMatchObject({ status: 'success', counts: { created: 15 } });
    const site = (await call('GET', '/gateways/edge/certificates/site')).body;
    expect(site).toMatchObject({
      key_type: 'rsa',
      snis: ['*', 'a.test', 'b.test'],
      key: expect.stringMatching(/^\[redacted:/),
    });
    expect(await snis()).toEqual({
      'a.test': site.id,
      'b.test': site.id,
      'c.test': 'client-id',
      '*.d.test': 'client-id',
      '*': site.id,
    });
    const diff = await call('POST', '/config/diff', bundle);
    expect(diff.body, JSON.stringify(diff.body.changes)).toMatchObject({ in_sync: true, changes: [] });
  });

  it('move a name to the certificate that lists it, and take none away', async () => {
    const [site, client] = bundle.certificates;
    const moved = {
      tenant_id: 'acme',
      gateways: bundle.gateways,
      certificates: [
        { ...site, key: '[redacted]', snis: ['c.test'] },
        { ...client, snis: [] },
      ],
    };
    const applied = await call('POST', '/config/sync?dry_run=false', moved);
    expect(applied.body, JSON.stringify(applied.body)).toMatchObject({ status: 'success', counts: { updated: 1 } });
    const siteId = (await snis())['a.test'];
    expect(await snis()).toEqual({
      'a.test': siteId,
      'b.test': siteId,
      'c.test': siteId,
      '*.d.test': 'client-id',
      '*': siteId,
    });
  });

  it('come back from a snapshot with what names ask of clients, which never gets lost on the way', async () => {
    const shown = async (): Promise<unknown[]> => {
      const records = ['snis/*', 'upstreams/pool', 'routes/db'].map((path) => call('GET', `/gateways/edge/${path}`));
      return (await Promise.all(records)).map(({ body }) => ({ ...body, revision: 0, updated_at: '' }));
    };
    const before = await shown();
    const authority = (await call('GET', '/gateways/edge/ca-certificates/root')).body.id;
    expect(before).toMatchObject([
      { client_certificate_mode: 'require', client_ca_certificate_ids: [authority] },
      { protocol: 'grpcs' },
      { destinations: [{ port: 5432 }], sources: [{ ip: '::/0' }] },
    ]);
    expect((await call('DELETE', '/gateways/edge/ca-certificates/root')).status).toBe(409);
    const open = { client_certificate_mode: 'require', client_ca_certificate_ids: [] };
    expect((await call('PATCH', '/gateways/edge/snis/*', open)).body).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/client_ca_certificate_ids' }],
    });
    const { body: snapshot } = await call('POST', '/config/snapshots', {});
    await call('PATCH', '/gateways/edge/snis/*', { client_certificate_mode: 'none', client_ca_certificate_ids: [] });
    await call('PATCH', '/gateways/edge/upstreams/pool', { protocol: 'http' });
    await call('PATCH', '/gateways/edge/routes/db', { destinations: [] });
    expect(await shown()).not.toEqual(before);
    const back = await call('POST', `/config/snapshots/${snapshot.id}/rollback`, { tenant_id: 'acme', mode: 'exact' });
    expect(back.body, JSON.stringify(back.body)).toMatchObject({ status: 'success' });
    expect(await shown()).toEqual(before);
  });

  it('are refused when a key does not fit, a name is given to two certificates, or a record is no such thing', async () => {
    const errorsOf = async (changes: object): Promise<unknown> => {
      const { body } = await call('POST', '/config/validate', { ...bundle, ...changes });
      return body.errors.map((error: { resource_type: string; pointer: string; code: string }) => [
        error.resource_type,
        error.pointer.replace(/^\/[a-z_]+\/\d+/, ''),
        error.code,
      ]);
    };
    const [site, client] = bundle.certificates;
    expect(await errorsOf({ certificates: [{ ...site, key: ecdsa.key }, client] })).toEqual([
      ['certificates', '/key', 'key_mismatch'],
    ]);
    expect(await errorsOf({ certificates: [site, { ...client, snis: ['b.test'] }] })).toEqual([
      ['snis', '/name', 'duplicate'],
    ]);
    expect(await errorsOf({ ca_certificates: [{ ...gateway, name: 'root', cert: rsa.cert }] })).toEqual([
      ['ca_certificates', '/cert', 'invalid_certificate'],
    ]);
    expect(await errorsOf({ targets: [{ ...bundle.targets[0], host: '::2' }] })).toEqual([
      ['targets', '/host', 'contradiction'],
    ]);
  });
});
