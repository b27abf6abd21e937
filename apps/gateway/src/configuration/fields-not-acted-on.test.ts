import { familyNamed, writeSchema } from '@portcullis/resources';
import { eventually, startUpstream, temporaryFolder } from '@portcullis/testkit';
import { pino } from 'pino';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { startGateway } from '../gateway.ts';
import { FakeControlPlane } from '../testing/fake-control-plane.test-support.ts';
import { everythingTo, settingsOf, startTestGateway } from '../testing/test-gateway.test-support.ts';
import { FieldsNotActedOn, namedFieldsMax, type NotActedOn } from './fields-not-acted-on.ts';

type Records = Readonly<Record<string, readonly ({ readonly id: string } & object)[]>>;

/** What is said of some records. */
function fieldsNotActedOn(resources: Records): NotActedOn {
  const found = new FieldsNotActedOn();
  for (const [collection, records] of Object.entries(resources)) {
    for (const record of records) found.put(collection, record.id, record);
  }
  return found.summary();
}

describe('fields that the gateway does not act on', () => {
  it('are none of what the control plane fills in by itself', () => {
    const filled = (family: string, sent: object): { id: string }[] => [
      { id: 'x', ...v.parse(writeSchema(familyNamed(family)), { name: 'x', ...sent }) },
    ];
    const resources = {
      services: filled('services', { url: 'http://a.test' }),
      routes: filled('routes', { path: '/' }),
      upstreams: filled('upstreams', {}),
      targets: filled('targets', { upstream_id: 'x', target: 'a.test:80' }),
    };
    expect(fieldsNotActedOn(resources)).toEqual({ total: 0, fields: [] });
  });

  it('are none where records have their defaults, or say nothing', () => {
    const resources = {
      services: [{ id: 's', name: 's', url: 'https://a.test', tls_verify: true, ca_certificate_ids: [] }],
      routes: [{ id: 'r', name: 'r', protocols: ['http', 'https'], snis: [], request_buffering: false }],
      upstreams: [{ id: 'u', name: 'u', algorithm: 'round-robin', hash_on: 'none', slots: 10_000 }],
      targets: [{ id: 't', name: 't', priority: 0, weight: 7 }],
    };
    expect(fieldsNotActedOn(resources)).toEqual({ total: 0, fields: [] });
  });

  it.each([
    ['services', { tls_verify: false }, ['tls_verify']],
    ['services', { tls_verify_depth: 1, client_certificate_id: 'c' }, ['tls_verify_depth', 'client_certificate_id']],
    ['services', { ca_certificate_ids: ['c'] }, ['ca_certificate_ids']],
    ['services', { url: 'grpc://a.test' }, ['url']],
    ['routes', { snis: ['a.test'], protocols: ['tls', 'wss'] }, []],
    ['routes', { request_buffering: true, response_buffering: true }, []],
    ['upstreams', { client_certificate_id: 'c', algorithm: 'latency', slots: 10 }, ['client_certificate_id']],
  ] as const)('of %s with %j are %j', (collection, fields, names) => {
    const records = [
      { id: 'a', name: 'a', ...fields },
      { id: 'b', name: 'b', enabled: false, ...fields },
    ];
    expect(fieldsNotActedOn({ [collection]: records })).toEqual({
      total: names.length,
      fields: names.map((field) => ({ record: `${collection}/a`, field })),
    });
  });

  it('are counted all and named up to a bound', () => {
    const upstreams = Array.from({ length: namedFieldsMax + 1 }, (_, index) => ({
      id: `u${index}`,
      client_certificate_id: 'c',
    }));
    const { total, fields } = fieldsNotActedOn({ upstreams });
    expect([total, fields.length, fields.at(-1)]).toEqual([
      namedFieldsMax + 1,
      namedFieldsMax,
      { record: `upstreams/u${namedFieldsMax - 1}`, field: 'client_certificate_id' },
    ]);
  });

  it('refuse no configuration and are said once for each set of them', { timeout: 60_000 }, async () => {
    await using upstream = await startUpstream((_req, res) => void res.end('served'));
    await using controlPlane = new FakeControlPlane();
    await using folder = await temporaryFolder();
    const lines: string[] = [];
    const resources = everythingTo(upstream.url, { a_field_of_tomorrow: [1] }, { tls_verify_depth: 1 });
    await controlPlane.listen();
    controlPlane.publish(resources);
    const log = pino({}, { write: (line) => void lines.push(line) });
    const gateway = await startGateway(settingsOf(controlPlane.url, folder), log);
    await eventually(() => controlPlane.acks[0]?.status === 'applied');
    expect(await (await fetch(`http://127.0.0.1:${gateway.proxyPort}`)).text()).toBe('served');
    const publish = async (service: Record<string, unknown>): Promise<void> => {
      const revision = controlPlane.publish(everythingTo(upstream.url, { paths: ['/'] }, service));
      await eventually(() => controlPlane.acks.some((ack) => ack.revision === revision && ack.status === 'applied'), {
        timeoutMs: 20_000,
      });
    };
    await publish({ tls_verify_depth: 2 });
    await publish({ tls_verify_depth: 3, client_certificate_id: 'c' });
    await publish({ tls_verify_depth: 4, client_certificate_id: 'c' });
    await gateway.stop();
    const warnings = lines
      .filter((line) => line.includes('does not act on yet'))
      .map((line) => JSON.parse(line) as object);
    expect(warnings).toEqual([
      expect.objectContaining({ total: 1, fields: [{ record: 'services/backend', field: 'tls_verify_depth' }] }),
      expect.objectContaining({ total: 2 }),
    ]);
  });

  it('in the address of a service leave its routes without a target, and the others served', async () => {
    await using upstream = await startUpstream((_req, res) => void res.end('served'));
    const { services = [], routes = [] } = everythingTo(upstream.url);
    await using gateway = await startTestGateway({
      services: [...services, { id: 'rpc', name: 'rpc', url: 'grpc://a.test' }],
      routes: [...routes, { id: 'rpc', name: 'rpc', service_id: 'rpc', path: '/rpc' }],
    });
    expect((await fetch(`${gateway.url}/x`)).status).toBe(200);
    const answer = await fetch(`${gateway.url}/rpc`);
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'no_target' }]);
  });
});
