import { describe, expect, it } from 'vitest';
import { CacheBench, type TestAnswer } from './cache-bench.test-support.ts';

const says = (cacheControl: string, ...more: string[]): TestAnswer => ({
  headers: ['Cache-Control', cacheControl, ...more],
});
const asks = (cacheControl: string) => ({ headers: ['Cache-Control', cacheControl] });

describe('what a request says of freshness', () => {
  it.each<[string, string, string, number, string]>([
    ['nothing, just fresh', '', 'max-age=10', 9999, 'HIT'],
    ['nothing, just stale', '', 'max-age=10', 10_000, 'MISS'],
    ['no-cache', 'no-cache', 'max-age=10', 1000, 'MISS'],
    ['max-age that it keeps', 'max-age=5', 'max-age=10', 5000, 'HIT'],
    ['max-age that it does not keep', 'max-age=5', 'max-age=10', 5001, 'MISS'],
    ['max-age that is no number', 'max-age=x', 'max-age=10', 1, 'MISS'],
    ['min-fresh that it keeps', 'min-fresh=5', 'max-age=10', 5000, 'HIT'],
    ['min-fresh that it does not keep', 'min-fresh=5', 'max-age=10', 5001, 'MISS'],
    ['min-fresh that is no number', 'min-fresh', 'max-age=10', 1, 'MISS'],
    ['max-stale', 'max-stale', 'max-age=10', 999_000, 'STALE'],
    ['max-stale that it keeps', 'max-stale=5', 'max-age=10', 15_000, 'STALE'],
    ['max-stale that it does not keep', 'max-stale=5', 'max-age=10', 15_001, 'MISS'],
    ['max-stale and max-age', 'max-stale=5, max-age=11', 'max-age=10', 12_000, 'MISS'],
    ['max-stale, must-revalidate', 'max-stale', 'max-age=10, must-revalidate', 11_000, 'MISS'],
    ['max-stale, proxy-revalidate', 'max-stale', 'max-age=10, proxy-revalidate', 11_000, 'MISS'],
    ['max-stale, s-maxage', 'max-stale', 's-maxage=10', 11_000, 'MISS'],
    ['only-if-cached, fresh', 'only-if-cached', 'max-age=10', 1000, 'HIT'],
  ])('%s', async (_name, asked, said, afterMs, cache) => {
    const bench = new CacheBench({});
    await bench.get({}, says(said));
    bench.clock.advance(afterMs);
    expect((await bench.get(asked === '' ? {} : asks(asked))).cache).toBe(cache);
  });

  it('is Pragma: no-cache where there is no Cache-Control', async () => {
    const bench = new CacheBench();
    await bench.get();
    expect((await bench.get({ headers: ['Pragma', 'no-cache'] })).cache).toBe('MISS');
    expect((await bench.get({ headers: ['Pragma', 'no-cache', 'Cache-Control', 'max-age=9'] })).cache).toBe('HIT');
  });

  it('is only-if-cached: 504 in place of a request to the service', async () => {
    const got = await new CacheBench().get(asks('only-if-cached'));
    expect([got.status, got.cache, got.isAsked]).toEqual([504, 'MISS', false]);
    expect(JSON.parse(got.body)).toMatchObject({ code: 'not_cached', status: 504 });
  });
});

describe('the age of an answer', () => {
  it.each<[string, string[], number, string]>([
    ['is what it says it was, and the time since', ['Age', '30'], 0, '35'],
    ['is counted from its date', ['Date', '-20'], 0, '25'],
    ['takes the greater of both', ['Age', '10', 'Date', '-20'], 0, '25'],
    ['takes the way into account', ['Age', '30'], 3000, '38'],
    ['ignores a date of the future', ['Date', '3600'], 0, '5'],
    ['ignores an age that is none', ['Age', '-1'], 0, '5'],
    ['takes the first of two ages', ['Age', '7', 'Age', '9'], 0, '12'],
  ])('%s', async (_name, headers, delayMs, age) => {
    const bench = new CacheBench();
    const exchange = await bench.begin();
    bench.clock.advance(delayMs);
    const dated = headers.map((part, at) => (headers[at - 1] === 'Date' ? bench.date(Number(part)) : part));
    await bench.finish(exchange, says('max-age=100', ...dated));
    bench.clock.advance(5000);
    expect((await bench.get()).header('age')).toBe(age);
  });

  it('is not moved by setting the clock', async () => {
    const bench = new CacheBench();
    await bench.get({}, says('max-age=100'));
    bench.clock.setWall(bench.clock.nowMs() + 3_600_000);
    bench.clock.advance(5000);
    expect((await bench.get()).header('age')).toBe('5');
  });

  it.each([
    ['later than Date', 0, 10, true],
    ['earlier than Date', 0, -10, false],
    ['relative to Date, not to our clock', -3600, -3590, false],
  ])('and Expires %s', async (_name, date, expires, isFresh) => {
    const bench = new CacheBench({});
    await bench.get({}, { headers: ['Date', bench.date(date), 'Expires', bench.date(expires), 'ETag', '"1"'] });
    expect((await bench.get()).isAsked).toBe(!isFresh);
  });
});

describe('the conditions of a client', () => {
  const lastModified = 'Thu, 01 Jan 2026 00:00:00 GMT';
  it.each<[string, string[], number]>([
    ['If-None-Match of the answer', ['If-None-Match', '"1"'], 304],
    ['a weak one', ['If-None-Match', 'W/"1"'], 304],
    ['one of several', ['If-None-Match', '"0", "1"'], 304],
    ['any', ['If-None-Match', '*'], 304],
    ['another', ['If-None-Match', '"2"'], 200],
    ['If-Modified-Since its date', ['If-Modified-Since', lastModified], 304],
    ['a later date', ['If-Modified-Since', 'Fri, 02 Jan 2026 00:00:00 GMT'], 304],
    ['the same date in an old form', ['If-Modified-Since', 'Thursday, 01-Jan-26 00:00:00 GMT'], 304],
    ['an earlier date', ['If-Modified-Since', 'Wed, 31 Dec 2025 23:59:59 GMT'], 200],
    ['no date', ['If-Modified-Since', '2026-01-01'], 200],
    ['If-None-Match before the date', ['If-None-Match', '"2"', 'If-Modified-Since', lastModified], 200],
  ])('%s: %i', async (_name, headers, status) => {
    const answer = {
      headers: ['ETag', '"1"', 'Last-Modified', lastModified, 'Content-Type', 'text/plain'],
      body: 'abc',
    };
    const bench = new CacheBench();
    // Also for the request that fills the store: the service sees no condition and brings the whole answer.
    const first = await bench.get({ headers }, answer);
    const second = await bench.get({ headers });
    expect([first.status, first.cache, first.sent('if-none-match')]).toEqual([status, 'MISS', undefined]);
    expect([second.status, second.cache]).toEqual([status, 'HIT']);
    if (status !== 304) return;
    expect([second.body, second.header('content-type'), second.header('etag')]).toEqual(['', undefined, '"1"']);
    expect((await bench.get()).body).toBe('abc');
  });
});

describe('a stale answer', () => {
  const tagged = ['ETag', '"1"', 'Last-Modified', 'Thu, 01 Jan 2026 00:00:00 GMT', 'X-Old', '1'];
  it('is asked about with its validators, and fresh again when it still holds', async () => {
    const bench = new CacheBench({});
    await bench.get({}, { ...says('max-age=10', ...tagged), body: 'abc' });
    bench.clock.advance(10_000);
    const headers = ['If-None-Match', '"client"', 'If-Modified-Since', 'Fri, 02 Jan 2026 00:00:00 GMT'];
    const news = says('max-age=20', 'X-New', '2', 'Content-Length', '0', 'Content-Type', 'x');
    const got = await bench.get({ headers }, { ...news, status: 304, body: '' });
    expect([got.sent('if-none-match'), got.sent('if-modified-since')]).toEqual(['"1"', tagged[3]]);
    expect([got.status, got.body, got.cache, got.header('age')]).toEqual([200, 'abc', 'REVALIDATED', '0']);
    bench.clock.advance(19_999);
    const hit = await bench.get();
    expect([hit.cache, hit.body, hit.header('x-old'), hit.header('x-new')]).toEqual(['HIT', 'abc', '1', '2']);
    expect([hit.header('cache-control'), hit.header('content-type'), hit.header('etag')]).toEqual([
      'max-age=20',
      undefined,
      '"1"',
    ]);
  });

  it('gives way to a new one', async () => {
    const bench = new CacheBench({});
    await bench.get({}, says('max-age=10', ...tagged));
    bench.clock.advance(10_000);
    const got = await bench.get({}, { ...says('max-age=10', 'ETag', '"2"'), body: 'new' });
    expect([got.cache, got.body]).toEqual(['MISS', 'new']);
    expect((await bench.get()).body).toBe('new');
  });

  it('answers the client with 304 when it has what still holds', async () => {
    const bench = new CacheBench({});
    await bench.get({}, says('no-cache', ...tagged));
    const got = await bench.get({ headers: ['If-None-Match', '"1"'] }, { status: 304, body: '' });
    expect([got.status, got.cache, got.body]).toEqual([304, 'REVALIDATED', '']);
  });

  it('is forgotten when the service says that it must not be kept', async () => {
    const bench = new CacheBench({});
    await bench.get({}, { ...says('max-age=10', ...tagged), body: 'abc' });
    bench.clock.advance(10_000);
    const got = await bench.get({}, { ...says('no-store'), status: 304, body: '' });
    expect([got.body, got.cache, got.header('cache-control')]).toEqual(['abc', 'REVALIDATED', 'no-store']);
    expect((await bench.get()).sent('if-none-match')).toBeUndefined();
  });

  it("is nobody's matter when a 304 answers the client's own condition", async () => {
    const bench = new CacheBench({});
    await bench.get({}, says('private'));
    const got = await bench.get({ headers: ['If-None-Match', '"7"'] }, { status: 304, body: '' });
    expect([got.sent('if-none-match'), got.status, got.cache]).toEqual(['"7"', 304, 'MISS']);
  });

  it.each<[string, string, string, number, string | undefined]>([
    ['stale-if-error', 'max-age=10, stale-if-error=5', '', 15_000, 'STALE'],
    ['stale-if-error that is over', 'max-age=10, stale-if-error=5', '', 15_001, 'MISS'],
    ['stale-if-error of the client', 'max-age=10', 'stale-if-error=5', 15_000, 'STALE'],
    ['must-revalidate', 'max-age=10, stale-if-error=5, must-revalidate', '', 11_000, 'MISS'],
    ['the no-cache of the client', 'max-age=10, stale-if-error=5', 'no-cache', 11_000, 'MISS'],
    ['nothing said', 'max-age=10', '', 11_000, 'MISS'],
  ])('stands in for a failing service: %s', async (_name, said, asked, afterMs, cache) => {
    const bench = new CacheBench({});
    await bench.get({}, says(said));
    bench.clock.advance(afterMs);
    const request = asked === '' ? {} : asks(asked);
    expect((await bench.get(request, { status: 503 })).cache).toBe(cache);
    const failed = await bench.fail(request, 'upstream_connect_failed');
    expect([failed.status, failed.cache]).toEqual(cache === 'STALE' ? [200, 'STALE'] : [502, undefined]);
    expect((await bench.fail(request, 'request_body_failed')).status).toBe(502);
  });
});

describe('a request that changes things', () => {
  it.each<[string, string, TestAnswer, string, boolean]>([
    ['POST', 'POST', {}, '/a', true],
    ['a method that nobody knows', 'FROB', {}, '/a', true],
    ['a redirect after it', 'PUT', { status: 303 }, '/a', true],
    ['OPTIONS', 'OPTIONS', {}, '/a', false],
    ['one that fails', 'DELETE', { status: 404 }, '/a', false],
    ['another address', 'POST', {}, '/b', false],
    ['its Location', 'POST', { headers: ['Location', '/b?x=1'] }, '/b', true],
    ['its Content-Location', 'PUT', { headers: ['Content-Location', 'http://api.test/b?x=1#y'] }, '/b', true],
    ['the Location of another host', 'POST', { headers: ['Location', 'http://other.test/b?x=1'] }, '/b', false],
    ['a Location that is none', 'POST', { headers: ['Location', 'http://['] }, '/b', false],
  ])('%s', async (_name, method, answer, path, isDropped) => {
    const bench = new CacheBench();
    const read = { path, query: path === '/b' ? 'x=1' : '', facts: { route: { id: 'reads', name: 'reads' } } };
    await bench.get(read);
    await bench.get({ method, path: '/a' }, answer);
    expect((await bench.get(read)).isAsked).toBe(isDropped);
  });

  it('also drops what was asked for before it and comes after it', async () => {
    const bench = new CacheBench();
    const early = await bench.begin();
    await bench.get({ method: 'POST' });
    await bench.finish(early, { body: 'old' });
    expect((await bench.get({}, { body: 'new' })).body).toBe('new');
    expect((await bench.get()).body).toBe('new');
  });
});
