import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { password, startTestService } from '../testing/test-service.test-support.ts';
import type { TestService } from '../testing/test-service.test-support.ts';

interface Match {
  readonly outcome: string;
  readonly status: number | null;
  readonly detail: string;
  readonly revision: number;
  readonly request: { readonly path: string; readonly query: string } | null;
  readonly route: { readonly name: string } | null;
  readonly won_by: string | null;
  readonly matched: { readonly length: number } | null;
  readonly candidates: readonly { route: { name: string }; outcome: string; lost_by: string | null; unmet: string[] }[];
  readonly service: { readonly name: string } | null;
  readonly upstream_path: string | null;
  readonly plugins: readonly { name: string; source: string; included: boolean; reason: string }[];
}

/** Takes some microseconds for each character. */
const costly = '.*(a|b|[a-c]|ab|.c){60}.*x[^/]$';

describeOnEachDatabase('explaining where a request goes', (context) => {
  let service: TestService;
  let token = '';
  let gatewayId = '';

  const send = (path: string, method: string, body: object): Promise<Response> =>
    fetch(`${service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const create = async (path: string, body: object): Promise<string> => {
    const answer = await send(`/api/v1/admin${path}?tenant_id=acme`, 'POST', body);
    const text = await answer.text();
    expect(answer.status, text).toBe(201);
    return (JSON.parse(text) as { id: string }).id;
  };
  const match = async (request: object, prefix = '/api/v1'): Promise<Match> => {
    const answer = await send(`${prefix}/admin/gateways/${gatewayId}/routes/match?tenant_id=acme`, 'POST', request);
    const text = await answer.text();
    expect(answer.status, text).toBe(200);
    return JSON.parse(text) as Match;
  };

  beforeAll(async () => {
    service = await startTestService(context.url());
    const login = await fetch(`${service.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password }),
    });
    token = ((await login.json()) as { access_token: string }).access_token;
    await send('/api/v1/admin/tenants', 'POST', { name: 'acme', slug: 'acme' });
    gatewayId = await create('/gateways', { name: 'edge', hosts: ['*.example.com'], allow_encoded_slashes: false });
    const at = `/gateways/${gatewayId}`;
    const serviceId = await create(`${at}/services`, { name: 'users', url: 'http://users.internal/base' });
    const off = await create(`${at}/services`, { name: 'off', url: 'http://off.internal', enabled: false });
    const route = (name: string, fields: object): Promise<string> =>
      create(`${at}/routes`, { name, service_id: serviceId, ...fields });
    await route('all', { path: '/' });
    await route('users', { path: '/users', plugins: [{ name: 'correlation_id', config: {} }] });
    await route('posts', { path: '/users', methods: ['POST'] });
    await route('secure', { path: '/secure', protocols: ['https'], https_redirect_status_code: 308 });
    await route('pieces', { path: '~/x' });
    await route('hidden', { path: '/users/deep', service_id: off });
    await route('disabled', { path: '/users/deep', enabled: false });
    await route('by-name', { path: '/named', snis: ['*.example.com'] });
    await route('costly', { path: `~/rx/${costly}` });
    await route('costly-last', { path: `~/ry/${costly}` });
    await route('early', { path: '/ry', priority: 5 });
    const consumer = await create('/consumers', { username: 'ann' });
    expect(consumer).not.toBe('');
    await create('/plugins', {
      name: 'request_termination',
      scope: 'tenant',
      enabled: false,
      config: { header_equals: { 'x-stop': '1' } },
    });
  });
  afterAll(() => service.stop());

  const host = 'api.example.com';
  const long = 'ab'.repeat(6000);

  it('names route, reasons, service, upstream path and the plugins in order', async () => {
    const found = await match({ method: 'GET', host, path: '/%75sers//42?a=1' });
    expect(found).toMatchObject({
      outcome: 'matched',
      status: null,
      request: { path: '/users/42', query: 'a=1' },
      route: { name: 'users' },
      won_by: 'path_length',
      matched: { length: 6 },
      service: { name: 'users' },
      upstream_path: '/base/42',
    });
    expect(found.candidates.map((one) => [one.route.name, one.outcome, one.lost_by, one.unmet])).toEqual([
      ['posts', 'unmet', null, ['method']],
      ['users', 'won', null, []],
      ['all', 'lost', 'path_length', []],
    ]);
    expect(found.plugins.map(({ name, source, included }) => [name, source, included])).toEqual([
      ['request_termination', 'collection', false],
      ['correlation_id', 'inline', true],
    ]);
  });

  it.each([
    ['another method', { method: 'POST', host, path: '/users' }, { route: { name: 'posts' }, won_by: 'method' }],
    ['a foreign host', { host: 'other.test', path: '/users' }, { outcome: 'no_route', status: 404, route: null }],
    ['no host', { host: 'a b', path: '/' }, { outcome: 'refused', status: 400, request: null }],
    ['a backslash', { host, path: '/a%5Cb' }, { outcome: 'refused', status: 400 }],
    ['an encoded slash', { host, path: '/a%2fb' }, { outcome: 'refused', status: 400 }],
    ['plain on a route of TLS', { host, path: '/secure' }, { outcome: 'matched', status: 308 }],
    ['TLS on it', { host, path: '/secure', protocol: 'https' }, { outcome: 'matched', status: null }],
    ['a cut that climbs', { host, path: '/x../y' }, { outcome: 'refused', status: 400, route: { name: 'pieces' } }],
    ['a path too long for its expressions', { host, path: `/rx/${long}` }, { outcome: 'refused', status: 414 }],
    ['routes that are not served', { host, path: '/users/deep' }, { route: { name: 'users' } }],
    ['a server name', { host, path: '/named', sni: 'API.example.com' }, { route: { name: 'by-name' } }],
    ['no server name', { host, path: '/named' }, { route: { name: 'all' } }],
  ])('%s', async (_name, request, expected) => {
    expect(await match(request)).toMatchObject(expected);
  });

  it('answers under both prefixes, and with the revision after a change', async () => {
    const before = await match({ host, path: '/new' }, '');
    expect(before.route?.name).toBe('all');
    await create(`/gateways/${gatewayId}/routes`, { name: 'new', path: '/new' });
    const after = await match({ host, path: '/new' });
    expect([after.route?.name, after.service, after.upstream_path]).toEqual(['new', null, null]);
    expect(after.revision).toBeGreaterThan(before.revision);
  });

  it('plugins for a certain consumer run for that one only', async () => {
    const bob = await create('/consumers', { username: 'bob' });
    const eve = await create('/consumers', { username: 'eve' });
    await create('/plugins', { name: 'correlation_id', scope: 'consumer', consumer_id: bob, config: {} });
    const included = async (consumerId?: string): Promise<unknown> => {
      const request = { host, path: '/users', ...(consumerId !== undefined && { consumer_id: consumerId }) };
      const { plugins } = await match(request);
      return plugins.find(({ name, source }) => name === 'correlation_id' && source === 'collection');
    };
    expect(await included(bob)).toMatchObject({ included: true });
    expect(await included(eve)).toMatchObject({ included: false, reason: 'consumer_id is another' });
    expect(await included()).toMatchObject({ included: true, reason: `runs when the consumer is ${bob}` });
  });

  it.each([
    ['an unknown field', { host, path: '/', colour: 'red' }],
    ['protocol and scheme that differ', { host, path: '/', protocol: 'http', scheme: 'https' }],
    ['what would take too long to explain', { host, path: `/ry/${'ab'.repeat(6000)}` }],
    ['a method in lower case', { host, path: '/', method: 'get' }],
  ])('%s is refused', async (_name, request) => {
    const answer = await send(`/admin/gateways/${gatewayId}/routes/match?tenant_id=acme`, 'POST', request);
    expect(answer.status).toBe(422);
  });
});
