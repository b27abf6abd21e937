import { afterAll, beforeAll, expect, it } from 'vitest';
import { testdata } from '../certificates/testdata.test-support.ts';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService, type Answer, type TestService } from '../testing/test-service.test-support.ts';
import { applied, readConfiguration, recordsOf, type ReadConfiguration } from './read-configuration.test-support.ts';

const rsa = { cert: testdata('rsa-leaf.pem'), key: testdata('rsa-leaf.key') };
const ecdsa = { cert: testdata('ecdsa-leaf.pem'), key: testdata('ecdsa-leaf.key') };
const root = { name: 'root', cert: testdata('root.pem') };

describeOnEachDatabase('the certificates in a gateway’s configuration', (context) => {
  let service: TestService;
  const tokens = new Map<string, string>();
  const admin = (method: string, path: string, body?: object): Promise<Answer> =>
    service.call(method, `/api/v1/admin${path}?tenant_id=acme`, body);
  const make = async (path: string, body: object): Promise<Answer['body']> => {
    const answer = await admin('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const fetchFor = async (gateway: string, have?: ReadConfiguration): Promise<ReadConfiguration> => {
    const since = have ? `?since=${have.head.revision}` : '';
    const answer = await service.call('GET', `/api/v1/data-plane/config${since}`, undefined, {
      token: tokens.get(gateway) ?? '',
      ...(have && { headers: { 'if-none-match': `"${have.head.hash}"` } }),
    });
    expect(answer.status).toBe(200);
    return readConfiguration(answer.body);
  };
  const textOf = (read: ReadConfiguration): string => JSON.stringify([...read.lines.values()]);

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
    for (const id of ['edge', 'other', 'third']) {
      await make('/gateways', { id, name: id });
      tokens.set(id, (await make('/data-planes', { gateway_id: id, name: `node of ${id}` })).token);
    }
  });
  afterAll(() => service.stop());

  it('are absent without any, in the form that gateways of before know', async () => {
    expect((await fetchFor('edge')).head.format).toBe(2);
  });

  it('go to their gateway with keys opened and nothing that is for people, and to no other gateway', async () => {
    const authority = await make('/gateways/edge/ca-certificates', { ...root, description: 'for operators' });
    const certificate = await make('/gateways/edge/certificates', {
      name: 'site',
      description: 'for operators',
      ...rsa,
      cert_alt: ecdsa.cert,
      key_alt: ecdsa.key,
      snis: ['a.test'],
    });
    await make('/gateways/edge/snis', {
      name: '*',
      certificate_id: certificate.id,
      client_certificate_mode: 'require',
      client_ca_certificate_ids: ['root'],
    });
    const read = await fetchFor('edge');
    expect(read.head.format).toBe(5);
    const place = { gateway_id: 'edge', created_at_ms: expect.any(Number) };
    expect(recordsOf(read, 'certificates')).toEqual([
      { ...place, id: certificate.id, name: 'site', ...rsa, cert_alt: ecdsa.cert, key_alt: ecdsa.key },
    ]);
    expect(recordsOf(read, 'ca_certificates')).toEqual([{ ...place, id: authority.id, ...root }]);
    const snis = recordsOf(read, 'snis').toSorted((one, next) =>
      String(one['name']).localeCompare(String(next['name'])),
    );
    const sni = { ...place, id: expect.any(String), certificate_id: certificate.id };
    expect(snis).toEqual([
      { ...sni, name: '*', client_certificate_mode: 'require', client_ca_certificate_ids: [authority.id] },
      { ...sni, name: 'a.test', client_certificate_mode: 'none', client_ca_certificate_ids: [] },
    ]);
    const elsewhere = await fetchFor('other');
    expect([elsewhere.head.format, textOf(elsewhere)]).toEqual([2, expect.not.stringContaining('CERTIFICATE')]);
  });

  it('come with the reference in place of a key that is in a vault, which everybody may see', async () => {
    const key = 'vault://prod/tls/key';
    const made = await make('/gateways/other/certificates', { name: 'vaulted', cert: rsa.cert, key });
    expect(made.key).toBe(key);
    expect(recordsOf(await fetchFor('other'), 'certificates')).toMatchObject([{ id: made.id, cert: rsa.cert, key }]);
    const { body } = await admin('PATCH', `/gateways/other/certificates/${made.id}`, { key: rsa.key });
    expect(body.key).toMatch(/^\[redacted:/);
    expect(recordsOf(await fetchFor('other'), 'certificates')).toMatchObject([{ id: made.id, ...rsa }]);
  });

  it('come as deltas when they are renewed and when they go', async () => {
    // Of a small configuration everything would be sent.
    for (const name of ['s1', 's2', 's3', 's4']) await make('/gateways/edge/services', { name, url: 'http://a.test' });
    const first = await fetchFor('edge');
    const id = String(recordsOf(first, 'certificates')[0]?.id);
    await admin('PATCH', `/gateways/edge/certificates/${id}`, { ...ecdsa, cert_alt: null, key_alt: null });
    const renewal = await fetchFor('edge', first);
    expect([renewal.head.since?.revision, renewal.head.format]).toEqual([first.head.revision, 5]);
    expect([...renewal.lines.keys()]).toEqual([`certificates/${id}`]);
    expect(recordsOf(renewal, 'certificates')).toMatchObject([{ id, ...ecdsa }]);
    expect(textOf(renewal)).not.toContain('_alt');
    const second = applied(first, renewal);
    expect((await admin('DELETE', `/gateways/edge/certificates/${id}`)).status).toBe(204);
    const removal = await fetchFor('edge', second);
    // The names go with their certificate.
    const names = recordsOf(second, 'snis').map((sni) => `snis/${sni.id}`);
    expect(removal.lines.size).toBe(0);
    expect(new Set(removal.removed)).toEqual(new Set([`certificates/${id}`, ...names]));
    const third = applied(second, removal);
    expect([...third.lines.keys()].filter((key) => /^(?:certificates|snis)/.test(key))).toEqual([]);
  });

  it('that came and went while a node was away are not told to it, because older ones refuse their very names', async () => {
    const before = await fetchFor('third');
    const { id } = await make('/gateways/third/certificates', { name: 'short', ...rsa, snis: ['short.test'] });
    await admin('DELETE', `/gateways/third/certificates/${id}`);
    await make('/gateways/third/services', { name: 'later', url: 'http://later.test' });
    await service.stop();
    // The history of before the restart is gone: what moved is read from the change log.
    service = await startTestService(context.url());
    const after = await fetchFor('third', before);
    expect([after.head.format, after.removed]).toEqual([2, []]);
    expect(recordsOf(applied(before, after), 'services')).toMatchObject([{ name: 'later' }]);
  });
});
