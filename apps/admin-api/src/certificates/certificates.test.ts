import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { Answer, TestService } from '../testing/test-service.test-support.ts';
import { testdata } from './testdata.test-support.ts';

const rsa = { cert: testdata('rsa-leaf.pem'), key: testdata('rsa-leaf.key') };
const ecdsa = { cert: testdata('ecdsa-leaf.pem'), key: testdata('ecdsa-leaf.key') };
const mask = /^\[redacted:[0-9a-f]{8}\]$/;
const dayMs = 86_400_000;

describeOnEachDatabase('certificates', (context) => {
  let service: TestService;
  let nowMs = Date.now();
  const edge = '/api/v1/admin/gateways/edge';
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    service.call(method, `${path}${path.includes('?') ? '&' : '?'}tenant_id=acme`, body);
  const make = async (path: string, body: object): Promise<Answer['body']> => {
    const answer = await call('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const snisOf = async (certificateId: string): Promise<string[]> => {
    const { body } = await call('GET', `${edge}/certificates/${certificateId}/snis?sort=name`);
    return body.items.map(({ name }: { name: string }) => name);
  };

  beforeAll(async () => {
    service = await startTestService(context.url(), { nowMs: () => nowMs });
    await service.addTenant('acme');
    for (const name of ['edge', 'other']) await make('/api/v1/admin/gateways', { id: name, name });
  });
  afterAll(() => service.stop());

  it('show what is in them and how long they last, and their keys as masks', async () => {
    const made = await make(`${edge}/certificates`, {
      name: 'shown',
      ...rsa,
      cert_alt: ecdsa.cert,
      key_alt: ecdsa.key,
    });
    expect(made).toMatchObject({
      ...rsa,
      cert_alt: ecdsa.cert,
      key: expect.stringMatching(mask),
      key_alt: expect.stringMatching(mask),
    });
    expect(made).toMatchObject({ key_type: 'rsa', subject: String.raw`CN=a.test,O=Acme\, Inc.,C=DE`, snis: [] });
    const left = Date.parse(made.not_after) - nowMs;
    expect(made.expires_in_days).toBe(Math.floor(left / dayMs));
    nowMs += 3 * dayMs;
    const later = await service.call('GET', `${edge}/certificates/shown?tenant_id=acme`, undefined, {
      token: await service.login('admin'),
    });
    nowMs -= 3 * dayMs;
    expect(later.body.expires_in_days).toBe(made.expires_in_days - 3);
    const expired = await make(`${edge}/certificates`, { cert: testdata('expired.pem'), key: testdata('expired.key') });
    expect(expired.expires_in_days).toBeLessThan(0);
    for (const table of ['resources', 'audit_records'] as const) {
      const text = JSON.stringify(await context.database().read.selectFrom(table).selectAll().execute());
      for (const key of [rsa.key, ecdsa.key]) expect(text).not.toContain(JSON.stringify(key).slice(40, 90));
    }
  });

  it('keep their live key where its mask is written back, and check it against the certificate', async () => {
    const made = await make(`${edge}/certificates`, { name: 'kept', ...rsa });
    const path = `${edge}/certificates/kept`;
    const { body: read } = await call('GET', path);
    const same = await call('PUT', path, read);
    expect(same, JSON.stringify(same.body)).toMatchObject({
      status: 200,
      body: { revision: made.revision, key: made.key },
    });
    expect((await call('PATCH', path, { ...read, expires_in_days: read.expires_in_days + 1 })).status).toBe(200);
    const described = await call('PATCH', path, { description: 'd', key: made.key });
    expect(described.body).toMatchObject({ revision: made.revision + 1, key: made.key, description: 'd' });
    const mismatch = await call('PATCH', path, { cert: ecdsa.cert });
    expect(mismatch).toMatchObject({ status: 422, body: { errors: [{ pointer: '/key', code: 'key_mismatch' }] } });
    const changed = await call('PATCH', path, ecdsa);
    expect(changed.body).toMatchObject({ key_type: 'ecdsa', subject: 'CN=a.test', key: expect.stringMatching(mask) });
    expect(changed.body.key).not.toBe(made.key);
    const stale = await call('PATCH', path, { key: made.key });
    expect(stale).toMatchObject({ status: 422, body: { code: 'secret_required', errors: [{ pointer: '/key' }] } });
    const foreign = await call('POST', `${edge}/certificates`, { ...rsa, key: made.key });
    expect(foreign).toMatchObject({ status: 422, body: { code: 'secret_required' } });
  });

  it('refuse what they show when it is written and differs', async () => {
    const answer = await call('POST', `${edge}/certificates`, { ...rsa, subject: 'CN=me' });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/subject', code: 'read_only' }] } });
  });

  it('set exactly the SNI records that point to them, and leave them alone without the field', async () => {
    const made = await make(`${edge}/certificates`, { name: 'named', ...rsa, snis: ['b.test', 'a.test'] });
    expect([made.snis, await snisOf(made.id)]).toEqual([
      ['a.test', 'b.test'],
      ['a.test', 'b.test'],
    ]);
    const [kept] = (await call('GET', `${edge}/snis?name=a.test`)).body.items;
    const path = `${edge}/certificates/named`;
    expect((await call('PATCH', path, { description: 'd' })).body.snis).toEqual(['a.test', 'b.test']);
    expect((await call('PUT', path, { name: 'named', ...rsa })).body.snis).toEqual(['a.test', 'b.test']);
    const changed = await call('PATCH', path, { snis: ['*.c.test', 'a.test'] });
    expect(changed.body.snis).toEqual(['*.c.test', 'a.test']);
    expect((await call('GET', `${edge}/snis/a.test`)).body).toEqual(kept);
    expect((await call('GET', `${edge}/snis/b.test`)).status).toBe(404);
    await make(`${edge}/certificates/${made.id}/snis`, { name: 'd.test' });
    expect((await call('GET', path)).body.snis).toEqual(['*.c.test', 'a.test', 'd.test']);
    const listed = (await call('GET', `${edge}/certificates?limit=200`)).body.items;
    expect(listed.find(({ id }: { id: string }) => id === made.id).snis).toEqual(['*.c.test', 'a.test', 'd.test']);
    expect((await call('PATCH', path, { snis: [] })).body.snis).toEqual([]);
    expect(await snisOf(made.id)).toEqual([]);
  });

  it('move their revision with their list of names, so that If-Match guards it', async () => {
    const made = await make(`${edge}/certificates`, { name: 'guarded', ...rsa, snis: ['g1.test'] });
    const path = `${edge}/certificates/guarded?tenant_id=acme`;
    const patch = (body: object, etag: string): Promise<Answer> =>
      service.call('PATCH', path, body, { headers: { 'if-match': etag } });
    nowMs += 1000;
    const renamed = await patch({ snis: ['g2.test'] }, '"1"');
    expect(renamed).toMatchObject({ status: 200, body: { revision: 2, snis: ['g2.test'] } });
    expect(renamed.headers.get('etag')).toBe('"2"');
    expect(renamed.body.updated_at > made.updated_at).toBe(true);
    expect(await patch({ snis: ['g3.test'] }, '"1"')).toMatchObject({ status: 412 });
    expect(await patch({ snis: ['g2.test'] }, '"2"')).toMatchObject({ status: 200, body: { revision: 2 } });
    expect(await snisOf(made.id)).toEqual(['g2.test']);
    const audits = await call('GET', `/api/v1/admin/audits/?entity_id=${made.id}&actions=update`);
    expect(audits.body.total, JSON.stringify(audits.body)).toBe(1);
  });

  it('take no name from each other, and leave nothing of a write that tries', async () => {
    await make(`${edge}/certificates`, { name: 'owner', ...rsa, snis: ['owned.test'] });
    const refused = await call('POST', `${edge}/certificates`, {
      name: 'thief',
      ...ecdsa,
      snis: ['free.test', 'owned.test'],
    });
    expect(refused).toMatchObject({ status: 409, body: { code: 'name_exists', errors: [{ pointer: '/snis/1' }] } });
    expect((await call('GET', `${edge}/certificates/thief`)).status).toBe(404);
    expect((await call('GET', `${edge}/snis/free.test`)).status).toBe(404);
    const other = '/api/v1/admin/gateways/other/certificates';
    expect((await make(other, { name: 'elsewhere', ...ecdsa, snis: ['owned.test'] })).snis).toEqual(['owned.test']);
  });

  it('go with their SNI records, and stay while a service or upstream presents them', async () => {
    const certificate = await make(`${edge}/certificates`, { name: 'client', ...ecdsa, snis: ['gone.test'] });
    const pool = await make(`${edge}/upstreams`, { name: 'tls', client_certificate_name: 'client' });
    expect(pool.client_certificate_id).toBe(certificate.id);
    await make(`${edge}/services`, { name: 'tls', url: 'https://a.test', client_certificate_id: certificate.id });
    const refused = await call('DELETE', `${edge}/certificates/client`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'referenced_by_others' } });
    for (const path of ['services/tls', 'upstreams/tls', 'certificates/client']) {
      expect((await call('DELETE', `${edge}/${path}`)).status, path).toBe(204);
    }
    expect((await call('GET', `${edge}/snis/gone.test`)).status).toBe(404);
  });

  it('of authorities are there once a gateway, and stay while a service trusts them', async () => {
    const root = await make(`${edge}/ca-certificates`, { name: 'root', cert: testdata('root.pem') });
    expect(root).toMatchObject({
      cert_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      subject: 'CN=Root,O=Portcullis tests',
    });
    const again = await call('POST', `${edge}/ca-certificates`, { name: 'again', cert: `  \n${testdata('root.pem')}` });
    expect(again).toMatchObject({ status: 409, body: { code: 'name_exists', errors: [{ pointer: '/cert' }] } });
    await make('/api/v1/admin/gateways/other/ca-certificates', { cert: testdata('root.pem') });
    const intermediate = await make(`${edge}/ca-certificates`, { cert: testdata('intermediate.pem') });
    const refused = await call('POST', `${edge}/ca-certificates`, { cert: rsa.cert });
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/cert', code: 'invalid_certificate' }] },
    });
    const trusting = await make(`${edge}/services`, {
      name: 'trusting',
      url: 'https://a.test',
      ca_certificate_ids: ['root', intermediate.id],
    });
    expect(trusting.ca_certificate_ids).toEqual([root.id, intermediate.id]);
    expect((await call('DELETE', `${edge}/ca-certificates/root`)).status).toBe(409);
    expect((await call('PATCH', `${edge}/services/trusting`, { ca_certificate_ids: [] })).status).toBe(200);
    expect((await call('DELETE', `${edge}/ca-certificates/root`)).status).toBe(204);
  });
});
