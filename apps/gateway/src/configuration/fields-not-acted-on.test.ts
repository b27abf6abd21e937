import { configurationFormat, familyNamed, writeSchema, type ConfigurationDocument } from '@portcullis/resources';
import { eventually, startUpstream, temporaryFolder } from '@portcullis/testkit';
import { pino } from 'pino';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { startGateway } from '../gateway.ts';
import { FakeControlPlane } from '../testing/fake-control-plane.test-support.ts';
import { everythingTo, settingsOf, startTestGateway } from '../testing/test-gateway.test-support.ts';
import { fieldsNotActedOn, namedFieldsMax } from './fields-not-acted-on.ts';

type Resources = ConfigurationDocument['resources'];

const document = (resources: Partial<Resources>): ConfigurationDocument => ({
  format: configurationFormat,
  tenant_id: 'acme',
  revision: 1,
  hash: '',
  resources: {
    gateway: { id: 'g', name: 'g' },
    ...{ services: [], routes: [], upstreams: [], targets: [], consumers: [], consumer_credentials: [], plugins: [] },
    ...resources,
  },
});

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
    expect(fieldsNotActedOn(document(resources))).toEqual({ total: 0, fields: [] });
  });

  it('are none where records have their defaults, or say nothing', () => {
    const resources = {
      services: [{ id: 's', name: 's', url: 'https://a.test', tls_verify: true, ca_certificate_ids: [] }],
      routes: [{ id: 'r', name: 'r', protocols: ['http', 'https'], snis: [], request_buffering: false }],
      upstreams: [{ id: 'u', name: 'u', algorithm: 'round-robin', hash_on: 'none', slots: 10_000 }],
      targets: [{ id: 't', name: 't', priority: 0, weight: 7 }],
    };
    expect(fieldsNotActedOn(document(resources))).toEqual({ total: 0, fields: [] });
  });

  it.each([
    ['services', { tls_verify: false }, ['tls_verify']],
    ['services', { tls_verify_depth: 1, client_certificate_id: 'c' }, ['tls_verify_depth', 'client_certificate_id']],
    ['services', { ca_certificate_ids: ['c'] }, ['ca_certificate_ids']],
    ['services', { url: 'grpc://a.test' }, ['url']],
    ['routes', { snis: ['a.test'], protocols: ['tls', 'wss'] }, ['snis', 'protocols']],
    ['routes', { request_buffering: true, response_buffering: true }, ['request_buffering', 'response_buffering']],
    ['upstreams', { algorithm: 'latency', healthchecks: { threshold: 0 } }, ['algorithm', 'healthchecks']],
    ['upstreams', { hash_on: 'header', hash_on_header: 'x', slots: 10 }, ['hash_on', 'hash_on_header', 'slots']],
    ['targets', { priority: -1 }, ['priority']],
  ] as const)('of %s with %j are %j', (collection, fields, names) => {
    const records = [
      { id: 'a', name: 'a', ...fields },
      { id: 'b', name: 'b', enabled: false, ...fields },
    ];
    expect(fieldsNotActedOn(document({ [collection]: records }))).toEqual({
      total: names.length,
      fields: names.map((field) => ({ record: `${collection}/a`, field })),
    });
  });

  it('are counted all and named up to a bound', () => {
    const targets = Array.from({ length: namedFieldsMax + 1 }, (_, index) => ({ id: `t${index}`, priority: 1 }));
    const { total, fields } = fieldsNotActedOn(document({ targets }));
    expect([total, fields.length, fields.at(-1)]).toEqual([
      namedFieldsMax + 1,
      namedFieldsMax,
      { record: `targets/t${namedFieldsMax - 1}`, field: 'priority' },
    ]);
  });

  it('refuse no configuration and are said once for each', async () => {
    await using upstream = await startUpstream((_req, res) => void res.end('served'));
    await using controlPlane = new FakeControlPlane();
    await using folder = await temporaryFolder();
    const lines: string[] = [];
    const resources = everythingTo(upstream.url, { request_buffering: true, a_field_of_tomorrow: [1] });
    await controlPlane.listen();
    controlPlane.publish(resources);
    const log = pino({}, { write: (line) => void lines.push(line) });
    const gateway = await startGateway(settingsOf(controlPlane.url, folder), log);
    await eventually(() => controlPlane.acks[0]?.status === 'applied');
    expect(await (await fetch(`http://127.0.0.1:${gateway.proxyPort}`)).text()).toBe('served');
    await gateway.stop();
    const warnings = lines
      .filter((line) => line.includes('does not act on yet'))
      .map((line) => JSON.parse(line) as object);
    expect(warnings).toEqual([
      expect.objectContaining({ total: 1, fields: [{ record: 'routes/all', field: 'request_buffering' }] }),
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
