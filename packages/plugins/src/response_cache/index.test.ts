import { describe, expect, it } from 'vitest';
import { exchangeOf, type TestRequest } from '../testing/plugin-bench.ts';
import { CacheBench, type TestAnswer } from './cache-bench.test-support.ts';
import { responseCache } from './index.ts';

/** Whether the answer to a first request is given to a second one. */
async function isReused(
  config: object,
  first: TestRequest,
  answer: TestAnswer,
  second: TestRequest = first,
  afterMs = 1000,
) {
  const bench = new CacheBench(config);
  await bench.get(first, answer);
  bench.clock.advance(afterMs);
  const got = await bench.get(second, { body: 'new' });
  return !got.isAsked;
}

const ttl = { ttl_seconds: 60 };
const says = (cacheControl: string, ...more: string[]): TestAnswer => ({
  headers: ['Cache-Control', cacheControl, ...more],
});
const headers = (...pairs: string[]): TestRequest => ({ headers: pairs });
const credentials = headers('Authorization', 'Bearer a');

describe('what is stored', () => {
  it.each<[string, object, TestRequest, TestAnswer, boolean]>([
    ['an answer that says nothing, with a ttl', ttl, {}, {}, true],
    ['an answer that says nothing, without', {}, {}, {}, false],
    ['another name of the ttl', { ttl: 60 }, {}, {}, true],
    ['max-age', {}, {}, says('max-age=5'), true],
    ['max-age=0 over the ttl', ttl, {}, says('max-age=0'), false],
    ['max-age that is no number', ttl, {}, says('max-age=soon'), false],
    ['two of max-age: the shorter', {}, {}, says('max-age=60, max-age=0'), false],
    ['s-maxage before max-age', {}, {}, says('max-age=0, s-maxage=5'), true],
    ['max-age before Expires', {}, {}, says('max-age=5', 'Expires', '0'), true],
    ['Expires that is no date', ttl, {}, { headers: ['Expires', '0'] }, false],
    ['no-store', ttl, {}, says('no-store'), false],
    ['no-store in another line', ttl, {}, says('max-age=60', 'cache-control', 'NO-STORE'), false],
    ['private', ttl, {}, says('private, max-age=60'), false],
    ['private for a field', ttl, {}, says('private="x", max-age=60'), false],
    ['no-cache without a validator', ttl, {}, says('no-cache, max-age=60'), false],
    ['a directive within quotes', {}, {}, says('max-age=60, x="no-store, private"'), true],
    ['Set-Cookie', ttl, {}, { headers: ['Set-Cookie', 'a=b'] }, false],
    ['Set-Cookie, public', ttl, {}, says('public, max-age=60', 'Set-Cookie', 'a=b'), false],
    ['Vary: *', ttl, {}, { headers: ['Vary', 'Accept, *'] }, false],
    ['a stream of events', ttl, {}, { headers: ['Content-Type', 'text/event-stream; charset=utf-8'] }, false],
    ['a status that is not listed', ttl, {}, { status: 500 }, false],
    ['a status that is listed', ttl, {}, { status: 404 }, true],
    ['a listed error', { ...ttl, statuses: [500] }, {}, { status: 500 }, true],
    ['a part', { ...ttl, statuses: [200] }, {}, { headers: ['Content-Range', 'bytes 0-1/2'] }, false],
    ['a body at the bound', { ...ttl, max_body_bytes: 3 }, {}, { body: 'abc' }, true],
    ['a body beyond it', { ...ttl, max_body_bytes: 3 }, {}, { body: 'abcd' }, false],
    ['a length beyond it', { ...ttl, max_body_bytes: 3 }, {}, { headers: ['Content-Length', '4'] }, false],
    ['an answer that is old already', {}, {}, says('max-age=60', 'Age', '60'), false],
    ['an answer that is nearly old', {}, {}, says('max-age=60', 'Age', '57'), true],
    ['the answer to no-store', ttl, headers('Cache-Control', 'no-store'), {}, false],
    ['the answer to Authorization', ttl, credentials, {}, false],
    ['the answer to Authorization, max-age', ttl, credentials, says('max-age=60'), false],
    ['the answer to Authorization, public', ttl, credentials, says('public'), true],
    ['the answer to Authorization, s-maxage', {}, credentials, says('s-maxage=60'), true],
    ['the answer to Authorization, must-revalidate', {}, credentials, says('max-age=60, must-revalidate'), true],
    ['the answer to Authorization, told apart', { ...ttl, vary_headers: ['Authorization'] }, credentials, {}, true],
    ['the answer to Cookie', ttl, headers('Cookie', 'a=b'), {}, false],
    ['the answer to Cookie, max-age', ttl, headers('Cookie', 'a=b'), says('max-age=60'), true],
    ['the answer to Cookie, told apart', { ...ttl, vary_headers: ['cookie'] }, headers('Cookie', 'a=b'), {}, true],
    ['HEAD', ttl, { method: 'HEAD' }, {}, false],
    ['POST', ttl, { method: 'POST' }, {}, false],
    ['a range', ttl, headers('Range', 'bytes=0-1'), {}, false],
    ['GET with a body', ttl, { body: 'ab' }, {}, false],
    ['GET for another path', ttl, headers('X-Original-URL', '/b'), {}, false],
    ['GET that poses as another method', ttl, headers('X-HTTP-Method-Override', 'DELETE'), {}, false],
  ])('%s', async (_name, config, request, answer, isStored) => {
    expect(await isReused(config, request, answer)).toBe(isStored);
  });

  it.each<[string, TestAnswer, boolean]>([
    ['no-store', says('no-store'), true],
    ['max-age=0', says('max-age=0'), true],
    ['Expires', { headers: ['Expires', '0'] }, true],
    ['private', says('private'), false],
    ['Set-Cookie', { headers: ['Set-Cookie', 'a=b'] }, false],
  ])('with respect_cache_control false the ttl counts in place of %s', async (_name, answer, isStored) => {
    const config = { ...ttl, respect_cache_control: false };
    const inWordsOfKong = { ...ttl, cache_control: false };
    expect(await isReused(inWordsOfKong, headers('Cache-Control', 'no-cache'), answer)).toBe(isStored);
    expect(await isReused(config, headers('Cache-Control', 'no-cache'), answer)).toBe(isStored);
    expect(await isReused(config, {}, answer, {}, 60_000)).toBe(false);
    expect(await isReused(config, credentials, answer)).toBe(false);
  });
});

describe('who gets it', () => {
  const varied = (name: string): TestAnswer => says('max-age=60', 'Vary', name);
  it.each<[string, object, TestRequest, TestAnswer, TestRequest, boolean]>([
    ['HEAD after GET', ttl, {}, {}, { method: 'HEAD' }, true],
    ['HEAD where it is not listed', { ...ttl, methods: ['GET'] }, {}, {}, { method: 'HEAD' }, false],
    ['another path', ttl, { path: '/a' }, {}, { path: '/b' }, false],
    ['another query', ttl, { query: 'a=1' }, {}, { query: 'a=2' }, false],
    ['another order of the query', ttl, { query: 'a=1&b=2' }, {}, { query: 'b=2&a=1' }, false],
    ['any query', { ...ttl, include_query: false }, { query: 'a=1' }, {}, { query: 'a=2' }, true],
    ['no query', { ...ttl, include_query: false }, { query: 'a=1' }, {}, {}, true],
    [
      'a path that ends like a query',
      { ...ttl, include_query: false },
      { path: '/a', query: 'b' },
      {},
      { path: '/a%3Fb' },
      false,
    ],
    ['another tenant', ttl, {}, says('public, max-age=60'), { facts: { tenantId: 't2' } }, false],
    ['another gateway', ttl, {}, {}, { facts: { gateway: { id: 'g2', name: 'g2' } } }, false],
    ['another route', ttl, {}, {}, { facts: { route: { id: 'r2', name: 'r2' } } }, false],
    ['another service', ttl, {}, {}, { facts: { service: { id: 's2', name: 's2' } } }, false],
    ['the same value', {}, headers('Accept', 'a'), varied('accept'), headers('accept', 'a'), true],
    ['another value', {}, headers('Accept', 'a'), varied('accept'), headers('accept', 'b'), false],
    ['no value', {}, headers('Accept', 'a'), varied('accept'), {}, false],
    ['a value where none was', {}, {}, varied('accept'), headers('accept', 'a'), false],
    ['other spaces', {}, headers('Accept', 'a,b'), varied('accept'), headers('accept', 'a', 'accept', 'b'), true],
    [
      'another value of vary_headers',
      { ...ttl, vary_headers: ['X-Lang'] },
      headers('X-Lang', 'a'),
      {},
      headers('x-lang', 'b'),
      false,
    ],
    [
      'the same of vary_headers',
      { ...ttl, vary_headers: ['X-Lang'] },
      headers('X-Lang', 'a'),
      {},
      headers('x-lang', 'a'),
      true,
    ],
    [
      'another coding',
      {},
      headers('Accept-Encoding', 'gzip'),
      says('max-age=60', 'Content-Encoding', 'gzip'),
      {},
      false,
    ],
    ['credentials, an answer for anybody', {}, {}, says('max-age=60'), credentials, false],
    ['credentials, an answer for all', {}, {}, says('max-age=60, public'), credentials, true],
    ['nobody, an answer for all', {}, credentials, says('max-age=60, public'), {}, true],
    [
      'other credentials, told apart',
      { ...ttl, vary_headers: ['authorization'] },
      credentials,
      {},
      headers('authorization', 'b'),
      false,
    ],
    ['cookies, an answer that says nothing', ttl, {}, {}, headers('cookie', 'a'), false],
    ['cookies, max-age', ttl, {}, says('max-age=60'), headers('cookie', 'a'), true],
  ])('%s', async (_name, config, first, answer, second, isHit) => {
    expect(await isReused(config, first, answer, second)).toBe(isHit);
  });

  it.each<[string, object, TestAnswer, boolean]>([
    ['an answer that says nothing', ttl, {}, false],
    ['max-age', {}, says('max-age=60'), false],
    ['credentials that tell answers apart', { ...ttl, vary_headers: ['authorization'] }, {}, false],
    ['an answer for all', {}, says('public, max-age=60'), true],
    ['an answer for all that varies by consumer', {}, says('public, max-age=60', 'Vary', 'X-Consumer-ID'), false],
  ])("a consumer's answer for another one: %s", async (_name, config, answer, isShared) => {
    const bench = new CacheBench(config);
    const as = async (id: string) => {
      const { exchange } = await asConsumer(bench, id);
      return exchange;
    };
    const first = await as('jo');
    await bench.finish(first, answer);
    const second = await as('mo');
    expect(second.hasResponse).toBe(isShared);
    second.end({ status: 200, isComplete: true });
    const again = await as('jo');
    expect(again.hasResponse).toBe(isShared || answer.headers?.includes('X-Consumer-ID') === true);
  });

  it('is nobody when a consumer is identified only after the cache has looked', async () => {
    const bench = new CacheBench(ttl);
    await bench.get({}, {}, (exchange) => exchange.applyRequestEdits({ consumer: { id: 'jo', groups: [] } }));
    expect((await bench.get()).isAsked).toBe(true);
  });
});

async function asConsumer(bench: CacheBench, id: string) {
  const exchange = exchangeOf({ method: 'GET' });
  exchange.applyRequestEdits({ consumer: { id, groups: [] } });
  await bench.bench.chain.runRequest(exchange);
  return { exchange };
}

describe('what the client gets', () => {
  it('is the stored answer with its age', async () => {
    const bench = new CacheBench({ ttl_seconds: 60, cache_header_name: 'X-Cache-Status' });
    const answer = {
      body: 'text',
      headers: ['Content-Type', 'text/plain', 'ETag', '"1"', 'Content-Encoding', 'br', 'X-A', '1', 'x-a', '2'],
    };
    expect((await bench.get({}, answer)).cache).toBe('MISS');
    bench.clock.advance(2999);
    const got = await bench.get();
    expect([got.status, got.body, got.cache, got.header('age')]).toEqual([200, 'text', 'HIT', '2']);
    expect(['content-type', 'etag', 'content-encoding', 'x-a', 'content-length'].map(got.header)).toEqual([
      'text/plain',
      '"1"',
      'br',
      '1, 2',
      '4',
    ]);
  });

  it('has nothing of the connection or of another request', async () => {
    const bench = new CacheBench();
    const once = [
      'Connection',
      'close, X-Hop',
      'X-Hop',
      '1',
      'Keep-Alive',
      'x',
      'RateLimit',
      'r=1',
      'X-RateLimit-Limit-Minute',
      '1',
    ];
    await bench.get(
      {},
      { headers: [...once, 'X-Request-ID', 'r', 'Transfer-Encoding', 'chunked', 'X-Kept', '1', 'Age', '1'] },
    );
    const got = await bench.get();
    const names: string[] = [];
    for (const name of [...once.filter((_part, at) => at % 2 === 0), 'x-request-id', 'transfer-encoding', 'x-kept']) {
      if (got.header(name) !== undefined) names.push(name);
    }
    expect([got.cache, got.header('age'), names]).toEqual(['HIT', '1', ['x-kept']]);
  });

  it('does not change with what others do to it', async () => {
    const bench = new CacheBench();
    await bench.get({}, { body: 'abc' });
    const { exchange } = await bench.bench.request({ method: 'GET' });
    exchange.response.body?.fill(0);
    exchange.response.headers.apply([{ op: 'set', name: 'X-New', value: '1' }]);
    const got = await bench.get();
    expect([got.body, got.header('x-new')]).toEqual(['abc', undefined]);
  });

  it('has the configured Cache-Control and header name, on stored answers only', async () => {
    const bench = new CacheBench({ cache_control: 'public, max-age=5', cache_header_name: 'X-Ours' });
    const stored = await bench.get({}, says('max-age=60'));
    const hit = await bench.get();
    const unstored = await bench.get({ path: '/b' }, says('private'));
    expect([stored, hit, unstored].map(({ header }) => [header('x-ours'), header('cache-control')])).toEqual([
      ['MISS', 'public, max-age=5'],
      ['HIT', 'public, max-age=5'],
      ['MISS', 'private'],
    ]);
  });

  it('says BYPASS for what the cache has no part in', async () => {
    const bench = new CacheBench();
    const asked = [
      { method: 'POST' },
      { method: 'OPTIONS' },
      headers('Range', 'bytes=0-'),
      headers('cache-control', 'no-store'),
    ];
    expect(await Promise.all(asked.map(async (request) => (await bench.get(request)).cache))).toEqual(
      asked.map(() => 'BYPASS'),
    );
  });
});

it.each([
  ['no time', { ttl_seconds: 0 }, '/ttl_seconds'],
  ['two times', { ttl_seconds: 1, ttl: 2 }, '/ttl'],
  ['no time where the service is not heard', { respect_cache_control: false }, '/ttl_seconds'],
  ['a method with a body', { methods: ['POST'] }, '/methods/0'],
  ['HEAD alone', { methods: ['HEAD'] }, '/methods'],
  ['a part', { statuses: [206] }, '/statuses/0'],
  ['no status', { statuses: [] }, '/statuses'],
  ['no body', { max_body_bytes: 0 }, '/max_body_bytes'],
  ['a header that is none', { vary_headers: ['a b'] }, '/vary_headers/0'],
  ['the header of a connection', { cache_header_name: 'Connection' }, '/cache_header_name'],
  ['a contradiction', { respect_cache_control: true, cache_control: false, ...ttl }, '/cache_control'],
  ['no time where the service is not heard, in the words of Kong', { cache_control: false }, '/ttl_seconds'],
  ['two lines', { cache_control: 'a\r\nb: c' }, '/cache_control'],
  ['an empty namespace', { namespace: '' }, '/namespace'],
  ['a query that is text', { include_query: 'no' }, '/include_query'],
  ['an unknown field', { max_age: 1 }, '/max_age'],
])('refuses a config with %s, naming the place', (_name, config, pointer) => {
  const compiled = responseCache.plugin.compile(config);
  expect(compiled.ok ? 'accepted' : compiled.issues.map((issue) => issue.pointer)).toContain(pointer);
});
