import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminWith, signIn } from './support/admin.ts';
import type { Admin } from './support/admin.ts';
import { startStack } from './support/stack.ts';
import type { Stack } from './support/stack.ts';

const services = '/api/v1/admin/gateways/edge/services?tenant_id=acme';
const routes = '/api/v1/admin/gateways/edge/routes?tenant_id=acme';
const json = (value: unknown): string => JSON.stringify(value);

/** Bodies of `POST …/services` and what must come back. */
const bodies: readonly (readonly [string, string, number, string, string | undefined])[] = [
  ['JSON that ends too early', '{"name":', 400, 'malformed_body', undefined],
  ['a key given twice', '{"name":"a","name":"b","url":"http://a.test"}', 400, 'malformed_body', undefined],
  [
    'a key that reaches for the prototype',
    '{"__proto__":{"admin":true},"name":"a","url":"http://a.test"}',
    400,
    'malformed_body',
    undefined,
  ],
  ['nesting beyond the bound', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 400, 'malformed_body', undefined],
  ['an array', '[]', 422, 'validation_failed', ''],
  ['nothing required', '{}', 422, 'validation_failed', '/name'],
  [
    'an unknown field',
    json({ name: 'a', url: 'http://a.test', upstream_url: 'http://b.test' }),
    422,
    'validation_failed',
    '/upstream_url',
  ],
  ['a number for a name', json({ name: 7, url: 'http://a.test' }), 422, 'validation_failed', '/name'],
  ['a name beyond the bound', json({ name: 'n'.repeat(257), url: 'http://a.test' }), 422, 'validation_failed', '/name'],
  [
    'a control character in a name',
    json({ name: 'a\u0007b', url: 'http://a.test' }),
    422,
    'validation_failed',
    '/name',
  ],
  ['NUL in a name', json({ name: 'a\u0000b', url: 'http://a.test' }), 422, 'validation_failed', '/name'],
  ['an address with a password', json({ name: 'a', url: 'http://u:p@a.test' }), 422, 'validation_failed', '/url'],
  ['an address of another scheme', json({ name: 'a', url: 'file:///etc/passwd' }), 422, 'validation_failed', '/url'],
  ['neither url nor upstream', json({ name: 'a' }), 422, 'validation_failed', ''],
  [
    'an upstream that does not exist',
    json({ name: 'a', upstream_name: 'nowhere' }),
    422,
    'reference_not_found',
    '/upstream_name',
  ],
  ['a number that is none', '{"name":"a","url":"http://a.test","retries":1e400}', 400, 'malformed_body', undefined],
  [
    'retries beyond the bound',
    json({ name: 'a', url: 'http://a.test', retries: 32_768 }),
    422,
    'validation_failed',
    '/retries',
  ],
  [
    'a field that the server sets',
    json({ name: 'a', url: 'http://a.test', revision: 9 }),
    422,
    'validation_failed',
    '/revision',
  ],
  [
    'another tenant in the body',
    json({ name: 'a', url: 'http://a.test', tenant_id: 'globex' }),
    400,
    'tenant_mismatch',
    undefined,
  ],
];

describe('bad input', () => {
  let stack: Stack;
  let acme: Admin;
  let globex: Admin;

  beforeAll(async () => {
    stack = await startStack();
    const password = 'a long enough password';
    for (const slug of ['acme', 'globex']) {
      await stack.admin.call('POST', '/api/v1/admin/tenants', { name: slug, slug });
      const user = { tenant_id: slug, username: 'ada', password, role: 'admin' };
      const created = await stack.admin.call('POST', '/api/v1/admin/users', user);
      expect(created.status, json(created.body)).toBe(201);
      const gateway = await stack.admin.call('POST', '/api/v1/admin/gateways', {
        id: `${slug}-edge`,
        tenant_id: slug,
        name: 'edge',
      });
      expect(gateway.status).toBe(201);
    }
    acme = await signIn(stack.adminUrl, 'ada', password, 'acme');
    globex = await signIn(stack.adminUrl, 'ada', password, 'globex');
  });
  afterAll(() => stack[Symbol.asyncDispose]());

  it.each(bodies)(
    '%s is refused, with its place, and nothing is written',
    async (_name, body, status, code, pointer) => {
      const answer = await acme.call('POST', services, body);
      expect(answer.status, json(answer.body)).toBe(status);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
      expect(answer.body).toMatchObject({ status, code, request_id: answer.headers.get('x-request-id') });
      if (pointer !== undefined)
        expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
      expect((await acme.call('GET', services)).body.total).toBe(0);
    },
  );

  it('every mistake of a body is named at once', async () => {
    const answer = await acme.call('POST', routes, {
      name: '',
      path: 'no-slash',
      priority: 'high',
      plugins: [{ name: 'rate_limiter', config: { limit: -1, bogus: true } }],
      extra: 1,
    });
    const pointers = answer.body.errors.map((error: { pointer: string }) => error.pointer);
    expect(pointers).toEqual(expect.arrayContaining(['/name', '/path', '/priority', '/extra']));
  });

  it('a plugin config is checked against its package before it is stored, inline and in the collection', async () => {
    const config = { limit: -1, bogus: true };
    const inline = await acme.call('POST', routes, {
      name: 'r',
      path: '/r',
      plugins: [{ name: 'rate_limiter', config }],
    });
    expect(inline.status).toBe(422);
    expect(inline.body.errors.map((error: { pointer: string }) => error.pointer)).toEqual(
      expect.arrayContaining(['/plugins/0/config/limit', '/plugins/0/config/bogus']),
    );
    const collection = await acme.call('POST', '/api/v1/admin/plugins', { name: 'rate_limiter', config });
    expect(collection.status).toBe(422);
    expect(collection.body.errors.map((error: { pointer: string }) => error.pointer)).toEqual(
      expect.arrayContaining(['/config/limit', '/config/bogus']),
    );
    const unknown = await acme.call('POST', '/api/v1/admin/plugins', { name: 'no_such_package' });
    expect(unknown.body.errors[0]).toMatchObject({ pointer: '/name', code: 'unknown_plugin' });
    const scopeless = await acme.call('POST', '/api/v1/admin/plugins', { name: 'correlation_id', scope: 'route' });
    expect(scopeless.status).toBe(422);
    expect((await acme.call('GET', '/api/v1/admin/plugins')).body.total).toBe(0);
  });

  it('a body of 10 MiB is refused with 413', async () => {
    const answer = await acme.call('POST', services, json({ name: 'a', description: 'x'.repeat(10 * 1024 * 1024) }));
    expect(answer).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
  });

  it('YAML that explodes, has tags, tabs or keys given twice is refused with its line', async () => {
    const headers = { 'content-type': 'application/yaml' };
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefgh'
        .split('')
        .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`).join(',')}]`),
    ].join('\n');
    for (const text of [
      bomb,
      'tenant_id: !!js/function "x"',
      'tenant_id:\n\t- a',
      'tenant_id: acme\ntenant_id: acme',
    ]) {
      const answer = await acme.call('POST', '/api/v1/admin/config/sync?dry_run=false', text, headers);
      expect(answer.status, `${text}: ${json(answer.body)}`).toBe(400);
      expect(answer.body.code).toBe('malformed_body');
    }
  });

  it("another tenant's records answer like ones that do not exist", async () => {
    const own = await globex.call('POST', '/api/v1/admin/consumers', { username: 'secret-consumer' });
    const foreign = await acme.call('GET', `/api/v1/admin/consumers/${own.body.id}`);
    const absent = await acme.call('GET', '/api/v1/admin/consumers/00000000-0000-7000-8000-000000000000');
    const comparable = ({ status, body }: typeof foreign) => ({ status, body: { ...body, request_id: '' } });
    expect(foreign.status).toBe(404);
    expect(comparable(foreign)).toEqual(comparable(absent));
    const named = await acme.call('GET', '/api/v1/admin/consumers?tenant_id=globex');
    expect(named).toMatchObject({ status: 403, body: { detail: 'Cannot access another tenant' } });
    const referring = await acme.call('POST', '/api/v1/admin/consumer-credentials', {
      consumer_id: own.body.id,
      type: 'api_key',
      name: 'k',
    });
    expect(referring).toMatchObject({ status: 422, body: { code: 'reference_not_found' } });
    const onForeignGateway = await acme.call('POST', '/api/v1/admin/gateways/globex-edge/services', {
      name: 'a',
      url: 'http://a.test',
    });
    expect(onForeignGateway.status).toBe(404);
    expect((await acme.call('DELETE', `/api/v1/admin/consumers/${own.body.id}`)).status).toBe(404);
    expect((await globex.call('GET', `/api/v1/admin/consumers/${own.body.id}`)).status).toBe(200);
  });

  it('a super administrator without a tenant must name one', async () => {
    const answer = await stack.admin.call('GET', '/api/v1/admin/consumers');
    expect(answer).toMatchObject({ status: 400, body: { detail: 'tenant_id is required', code: 'tenant_required' } });
  });

  it('tokens: absent, made up, expired and revoked ones are 401; scopes bound what one may do', async () => {
    const anonymous = adminWith(stack.adminUrl, undefined);
    expect((await anonymous.call('GET', '/api/v1/admin/consumers')).status).toBe(401);
    expect((await adminWith(stack.adminUrl, 'gwadm_made_up').call('GET', '/api/v1/admin/consumers')).status).toBe(401);
    const make = (body: object) => acme.call('POST', '/api/v1/admin/api-tokens', body);
    const expired = await make({ name: 'expired', scopes: ['admin:read'], expires_at: '2020-01-01T00:00:00.000Z' });
    expect((await adminWith(stack.adminUrl, expired.body.token).call('GET', '/api/v1/admin/consumers')).status).toBe(
      401,
    );
    const reader = await make({ name: 'reader', scopes: ['admin:read'] });
    const byReader = adminWith(stack.adminUrl, reader.body.token);
    expect((await byReader.call('GET', '/api/v1/admin/consumers')).status).toBe(200);
    expect((await byReader.call('POST', '/api/v1/admin/consumers', { username: 'x' })).status).toBe(403);
    const writer = adminWith(stack.adminUrl, (await make({ name: 'writer', scopes: ['admin:write'] })).body.token);
    expect((await writer.call('POST', '/api/v1/admin/consumers', { username: 'by-token' })).status).toBe(201);
    expect((await writer.call('GET', '/api/v1/admin/consumers')).status).toBe(403);
    expect((await acme.call('DELETE', `/api/v1/admin/api-tokens/${reader.body.id}`)).status).toBe(204);
    expect((await byReader.call('GET', '/api/v1/admin/consumers')).status).toBe(401);
    const shown = await acme.call('GET', '/api/v1/admin/api-tokens');
    expect(json(shown.body)).not.toContain(reader.body.token);
  });

  it('an update with an outdated ETag is 412, and what others refer to is not deleted', async () => {
    const service = await globex.call('POST', '/api/v1/admin/gateways/edge/services', {
      name: 'kept',
      url: 'http://a.test',
    });
    await globex.call('POST', '/api/v1/admin/gateways/edge/routes', {
      name: 'refers',
      path: '/x',
      service_name: 'kept',
    });
    const path = '/api/v1/admin/gateways/edge/services/kept';
    const changed = await globex.call('PATCH', path, { retries: 1 }, { 'if-match': service.headers.get('etag') ?? '' });
    expect(changed).toMatchObject({ status: 200, body: { retries: 1, revision: 2 } });
    const stale = await globex.call('PATCH', path, { retries: 2 }, { 'if-match': service.headers.get('etag') ?? '' });
    expect(stale.status).toBe(412);
    const refused = await globex.call('DELETE', path);
    expect(refused).toMatchObject({ status: 409, body: { code: 'referenced_by_others' } });
    expect(refused.body.detail).toContain('route');
  });

  it('two records of one name are refused with 409', async () => {
    const first = await globex.call('POST', '/api/v1/admin/consumers', { username: 'twin' });
    const second = await globex.call('POST', '/api/v1/admin/consumers', { username: 'twin' });
    expect([first.status, second.status]).toEqual([201, 409]);
    expect(second.body).toMatchObject({ code: 'name_exists', errors: [{ pointer: '/username' }] });
  });
});
