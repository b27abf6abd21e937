import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { PluginBench, exchangeOf, problemOf, type TestRequest } from '../testing/plugin-bench.ts';
import { oasValidation } from './index.ts';
import { shop } from './testdata/shop.ts';

const JSON_TYPE = ['content-type', 'application/json'];
const pet = (fields: object) => JSON.stringify({ name: 'Rex', kind: 'dog', ...fields });

async function asked(request: TestRequest, config: object = {}) {
  const { exchange, result } = await new PluginBench(oasValidation, { spec: shop, ...config }).request(request);
  return result === 'respond' ? (problemOf(exchange) as { status: number; errors: readonly object[] }) : result;
}

interface Answer {
  readonly status?: number;
  readonly headers?: readonly string[];
  readonly body?: string;
  readonly source?: 'upstream' | 'plugin' | 'gateway';
  readonly request?: TestRequest;
}

const getPet = { method: 'GET', path: '/v1/pets/7' };

async function answered(
  { status = 200, headers = JSON_TYPE, body = '{}', source = 'upstream', request = getPet }: Answer,
  config: object = {},
) {
  const { chain } = new PluginBench(oasValidation, { spec: shop, ...config });
  const exchange = exchangeOf(request);
  expect(await chain.runRequest(exchange)).toBe('continue');
  const bytes = new TextEncoder().encode(body);
  exchange.setResponse({ status, headers: [...headers], source, readBody: () => Promise.resolve(bytes) });
  await chain.runResponse(exchange);
  return exchange.response;
}

describe('requests that are as described', () => {
  it.each<[string, TestRequest]>([
    [
      'a body',
      { path: '/v1/pets', headers: JSON_TYPE, body: pet({ tags: ['a', 'b'], parent: { name: 'Ada', kind: 'cat' } }) },
    ],
    ['without what is read only', { path: '/v1/pets', headers: JSON_TYPE, body: pet({}) }],
    ['behind another path', { path: '/pets', headers: JSON_TYPE, body: pet({}) }],
    ['coded', { path: '/v1/pets', headers: [...JSON_TYPE, 'content-encoding', 'gzip'], body: gzipSync(pet({})) }],
    ['+json', { path: '/v1/pets', headers: ['content-type', 'application/vnd.shop+json'], body: pet({}) }],
    [
      'parameters',
      { method: 'GET', path: '/v1/pets', query: 'limit=5&kind=dog&kind=cat&filter[age]=3', headers: ['x-trace', '12'] },
    ],
    [
      'a form',
      {
        path: '/v1/login',
        headers: ['content-type', 'application/x-www-form-urlencoded'],
        body: 'user=ann+b&age=7&roles=a&roles=b',
      },
    ],
    ['HEAD, of which only GET is said', { method: 'HEAD', path: '/v1/pets/7' }],
    ['not described, which is not strict', { path: '/v1/nothing', body: 'x' }],
    [
      'a copy of what is not checked',
      { path: '/v1/raw', headers: ['content-type', 'application/octet-stream'], body: 'x' },
    ],
  ])('%s', async (_name, request) => {
    expect(await asked(request)).toBe('continue');
  });
});

describe('requests that are not', () => {
  it.each<[string, TestRequest, object]>([
    [
      'a property is missing',
      { path: '/v1/pets', headers: JSON_TYPE, body: '{"name":"Rex"}' },
      { in: 'body', pointer: '', rule: 'required' },
    ],
    [
      'a type',
      { path: '/v1/pets', headers: JSON_TYPE, body: pet({ tags: ['a', 1] }) },
      { pointer: '/tags/1', rule: 'type' },
    ],
    [
      'deep in itself',
      { path: '/v1/pets', headers: JSON_TYPE, body: pet({ parent: { name: 'Ada', kind: 'cow' } }) },
      { pointer: '/parent/kind', rule: 'enum' },
    ],
    [
      'a property too many',
      { path: '/v1/pets', headers: JSON_TYPE, body: pet({ 'a/b': 1 }) },
      { pointer: '/a~1b', rule: 'additionalProperties' },
    ],
    [
      'a pattern',
      { path: '/v1/pets', headers: JSON_TYPE, body: pet({ code: 'x' }) },
      { pointer: '/code', rule: 'pattern' },
    ],
    [
      'a format',
      { path: '/v1/pets', headers: JSON_TYPE, body: pet({ born: 'today' }) },
      { pointer: '/born', rule: 'format' },
    ],
    [
      'twice the same',
      { path: '/v1/pets', headers: JSON_TYPE, body: pet({ tags: ['a', 'a'] }) },
      { pointer: '/tags', rule: 'uniqueItems' },
    ],
    ['no JSON', { path: '/v1/pets', headers: JSON_TYPE, body: '{' }, { in: 'body', rule: 'readable' }],
    ['no body', { path: '/v1/pets', headers: JSON_TYPE, body: '' }, { in: 'body', rule: 'required' }],
    [
      'another type',
      { path: '/v1/pets', headers: ['content-type', 'text/plain'], body: pet({}) },
      { in: 'header', name: 'content-type', rule: 'content_type' },
    ],
    ['no type', { path: '/v1/pets', body: pet({}) }, { name: 'content-type', rule: 'content_type' }],
    ['a parameter of the path', { method: 'GET', path: '/v1/pets/seven' }, { in: 'path', name: 'petId', rule: 'type' }],
    [
      'of the query',
      { method: 'GET', path: '/v1/pets', query: 'limit=500' },
      { in: 'query', name: 'limit', rule: 'maximum' },
    ],
    [
      'in a list',
      { method: 'GET', path: '/v1/pets', query: 'kind=dog&kind=cow' },
      { in: 'query', name: 'kind', pointer: '/1', rule: 'enum' },
    ],
    [
      'twice',
      { method: 'GET', path: '/v1/pets', query: 'limit=5&limit=6' },
      { in: 'query', name: 'limit', rule: 'readable' },
    ],
    [
      'badly encoded',
      { method: 'GET', path: '/v1/pets', query: 'limit=%' },
      { in: 'query', name: 'limit', rule: 'readable' },
    ],
    [
      'of an object',
      { method: 'GET', path: '/v1/pets', query: 'filter[age]=x' },
      { in: 'query', name: 'filter', pointer: '/age', rule: 'type' },
    ],
    [
      'of the headers',
      { method: 'GET', path: '/v1/pets', headers: ['x-trace', 'a'] },
      { in: 'header', name: 'X-Trace', rule: 'type' },
    ],
    [
      'a cookie that is missing',
      { method: 'GET', path: '/v1/me' },
      { in: 'cookie', name: 'session', rule: 'required' },
    ],
    [
      'a cookie',
      { method: 'GET', path: '/v1/me', headers: ['cookie', 'a=b; session=x'] },
      { in: 'cookie', name: 'session', rule: 'minLength' },
    ],
    [
      'a field of a form',
      { path: '/v1/login', headers: ['content-type', 'application/x-www-form-urlencoded'], body: 'user=ann&age=x' },
      { in: 'body', pointer: '/age', rule: 'type' },
    ],
    [
      'a part that is missing',
      {
        path: '/v1/upload',
        headers: ['content-type', 'multipart/form-data; boundary=b'],
        body: '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n--b--',
      },
      { in: 'body', rule: 'required' },
    ],
  ])('%s', async (_name, request, error) => {
    expect(await asked(request)).toMatchObject({
      status: 400,
      code: 'contract_violation',
      request_id: 'r1',
      errors: [error],
    });
  });

  it('have a name twice', async () => {
    const body = '{"name":"Rex","kind":"cow","kind":"dog"}';
    expect(await asked({ path: '/v1/pets', headers: JSON_TYPE, body })).toMatchObject({
      errors: [{ rule: 'unique_names' }],
    });
  });

  it('nest beyond the stack, in a schema that says nothing of it', async () => {
    const body = `{"name":"Rex","kind":"dog","extra":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    expect(await asked({ path: '/v1/pets', headers: JSON_TYPE, body })).toMatchObject({
      errors: [{ rule: 'complexity' }],
    });
  });

  it('are too large', async () => {
    const request = { path: '/v1/pets', headers: JSON_TYPE, body: pet({ note: 'x'.repeat(1000) }) };
    expect(await asked(request, { max_body_bytes: 100 })).toMatchObject({ status: 413, code: 'body_too_large' });
  });

  it.each<[string, TestRequest, object]>([
    ['a path', { method: 'GET', path: '/v1/nothing' }, { in: 'path' }],
    ['a method', { method: 'DELETE', path: '/v1/pets' }, { in: 'method' }],
    ['a parameter', { method: 'GET', path: '/v1/pets', query: 'limit=1&x=2' }, { in: 'query', name: 'x' }],
    ['a body', { method: 'GET', path: '/v1/pets/7', body: 'x' }, { in: 'body' }],
  ])('strict refuses what is not described: %s', async (_name, request, error) => {
    expect(await asked(request, { strict: true })).toMatchObject({ errors: [{ ...error, rule: 'described' }] });
  });

  it('that are not described are told of, one a minute, where they go on', async () => {
    const lines: unknown[] = [];
    const log = { warn: (_message: string, details?: object) => void lines.push(details), error: () => undefined };
    const bench = new PluginBench(oasValidation, { spec: shop }, { log });
    await bench.request({ path: '/elsewhere/pets' });
    await bench.request({ path: '/v1/pets', method: 'DELETE' });
    bench.clock.advance(60_000);
    await bench.request({ path: '/v1/pets', method: 'DELETE' });
    await bench.request({ path: '/v1/pets', method: 'GET' });
    expect(lines).toMatchObject([{ what: 'no path' }, { what: 'no method' }]);
  });

  it('strict knows keys in the query', async () => {
    const request = { method: 'GET', path: '/v1/pets', query: 'api_key=1&filter[age]=2&kind=dog' };
    expect(await asked(request, { strict: true })).toBe('continue');
  });

  it('have the status and the header of the config', async () => {
    const bench = new PluginBench(oasValidation, { spec: shop, status_code: 422, error_header: 'X-Contract' });
    const { exchange } = await bench.request({ path: '/v1/pets', headers: JSON_TYPE, body: pet({ 'ü\n': 1 }) });
    expect([exchange.response.status, exchange.response.headers.get('x-contract')]).toEqual([
      422,
      'body /?? additionalProperties',
    ]);
  });

  it('are let pass by validate_request: false', async () => {
    expect(await asked({ path: '/v1/pets', headers: JSON_TYPE, body: '{' }, { validate_request: false })).toBe(
      'continue',
    );
  });

  it.each<[string | undefined, string, unknown]>([
    ['/api', '/api/pets/x', { status: 400 }],
    ['/api/', '/api/pets/x', { status: 400 }],
    ['/api', '/apis/pets/x', 'continue'],
    ['/api', '/v1/pets/x', 'continue'],
    ['/', '/pets/x', { status: 400 }],
  ])('are found below the base path: %s, %s', async (base_path, path, outcome) => {
    const got = await asked({ method: 'GET', path }, { base_path });
    expect(typeof got === 'string' ? got : { status: got.status }).toEqual(outcome);
  });
});

describe('answers of services', () => {
  const good = { body: JSON.stringify({ id: 7, name: 'Rex', kind: 'dog' }) };
  const headers = [...JSON_TYPE, 'x-rate', '5'];

  it.each<[string, Answer]>([
    ['as described', { ...good, headers }],
    ['to HEAD', { headers: ['x-rate', '5'], request: { method: 'HEAD', path: '/v1/pets/7' } }],
    ['of a range', { status: 404, body: '{"code":1}' }],
    ['of a status that is not described', { status: 503, body: 'x' }],
    ["the gateway's own", { status: 200, body: 'x', source: 'gateway' }],
    ["a plugin's", { status: 200, body: 'x', source: 'plugin' }],
    ['of what is not described', { body: 'x', request: { method: 'GET', path: '/v1/other' } }],
  ])('pass: %s', async (_name, answer) => {
    expect((await answered(answer)).status).toBe(answer.status ?? 200);
  });

  it.each<[string, Answer, object?]>([
    ['without a required header', { ...good }],
    ['with a header of another type', { ...good, headers: [...JSON_TYPE, 'x-rate', 'x'] }],
    ['without what clients may not write', { body: pet({}), headers }],
    ['of another type', { body: 'x', headers: ['content-type', 'text/html', 'x-rate', '5'] }],
    ['that cannot be read', { body: '{', headers }],
    ['too large', { ...good, headers }, { max_body_bytes: 5 }],
    ['of a range', { status: 404, body: '{"code":"x"}' }],
    ['of a status that is not described', { status: 503, body: 'x' }, { strict: true }],
  ])('become 502: %s', async (_name, answer, config) => {
    const response = await answered(answer, config);
    const body = new TextDecoder().decode(response.body);
    expect([response.status, response.headers.get('content-type')]).toEqual([502, 'application/problem+json']);
    expect(JSON.parse(body)).toMatchObject({ code: 'upstream_contract_violation' });
    expect(body).not.toContain('errors');
  });

  it('have the status of the config, and are let pass by validate_response: false', async () => {
    const bad = { body: '{', headers };
    const [own, off] = [
      await answered(bad, { response_status_code: 500, error_header: 'x-e' }),
      await answered(bad, { validate_response: false }),
    ];
    expect([own.status, own.headers.get('x-e'), off.status]).toEqual([500, 'body readable', 200]);
  });
});
