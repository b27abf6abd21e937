import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { mistakesOf } from '../testing/bad-configs.ts';
import { PluginBench, exchangeOf, problemOf } from '../testing/plugin-bench.ts';
import { xmlTransform } from './index.ts';

const XML = ['content-type', 'application/xml'];
const set = { set: { '/r/a': 'new' } };
const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

async function sent(config: object, body: string | Uint8Array, headers: readonly string[] = XML) {
  const { exchange, result } = await new PluginBench(xmlTransform, config).request({ headers, body });
  return { result, exchange, text: exchange.request.body && textOf(exchange.request.body) };
}

async function answered(config: object, text: string, headers: readonly string[] = XML, status = 200, method = 'GET') {
  const exchange = exchangeOf({ method });
  const bytes = new TextEncoder().encode(text);
  exchange.setResponse({ status, headers: [...headers], source: 'upstream', readBody: () => Promise.resolve(bytes) });
  await new PluginBench(xmlTransform, config).chain.runResponse(exchange);
  return exchange.response;
}

describe('requests', () => {
  it('are edited, and their length follows', async () => {
    const { exchange, text } = await sent(set, '<r/>', [...XML, 'content-length', '4', 'digest', 'x']);
    expect(text).toBe('<r><a>new</a></r>');
    expect(exchange.request.headers.toPairs()).toEqual([...XML, 'content-length', '17']);
  });

  it.each(['text/xml; charset="UTF-8"', 'application/soap+xml', 'image/svg+xml'])(
    'of the type %s are edited',
    async (type) => {
      expect((await sent(set, '<r/>', ['content-type', type])).text).toBe('<r><a>new</a></r>');
    },
  );

  it('are coded again as they were', async () => {
    const { exchange } = await sent(set, gzipSync('<r/>'), [...XML, 'content-encoding', 'gzip']);
    expect(exchange.request.headers.get('content-encoding')).toBe('gzip');
    expect(textOf(gunzipSync(exchange.request.body ?? new Uint8Array()))).toBe('<r><a>new</a></r>');
  });

  it('go on as they came when nothing changes, or they are not meant', async () => {
    const all = await Promise.all([
      sent({ remove: ['/r/b'] }, '<r/>'),
      sent(set, '<r/>', ['content-type', 'application/json']),
      sent(set, ''),
      sent({ ...set, target: 'response' }, '<r/>'),
      sent({ ...set, content_types: ['text/xml'] }, '<r/>'),
    ]);
    expect(all.map(({ result, text }) => [result, text])).toEqual(all.map(() => ['continue', undefined]));
  });
});

describe('bodies that cannot be edited', () => {
  const bomb = brotliCompressSync(`<r>${'x'.repeat(10_000_000)}</r>`);
  const cases: readonly (readonly [string, string | Uint8Array, readonly string[], number])[] = [
    ['not well-formed', '<r>', XML, 400],
    ['a document type', '<!DOCTYPE r><r/>', XML, 400],
    ['no UTF-8', new Uint8Array([0x3c, 0xff]), XML, 400],
    ['a broken coding', gzipSync('<r/>').subarray(0, 12), [...XML, 'content-encoding', 'gzip'], 400],
    ['another charset', '<r/>', ['content-type', 'text/xml; charset=utf-16'], 415],
    ['a charset of its own', '<?xml version="1.0" encoding="latin1"?><r/>', XML, 415],
    ['another coding', '<r/>', [...XML, 'content-encoding', 'compress'], 415],
    ['more than the bound', `<r>${'x'.repeat(1_048_576)}</r>`, XML, 413],
    ['a bomb', bomb, [...XML, 'content-encoding', 'br'], 413],
    ['too deep', '<r>'.repeat(65) + '</r>'.repeat(65), XML, 413],
  ];

  it.each(cases)('%s: goes on', async (_name, body, headers) => {
    const { result, text } = await sent(set, body, headers);
    expect([result, text]).toEqual(['continue', undefined]);
  });

  it.each(cases)('%s: is refused by strict', async (_name, body, headers, status) => {
    const { result, exchange } = await sent({ ...set, strict: true }, body, headers);
    expect([result, exchange.response.status]).toEqual(['respond', status]);
    expect(problemOf(exchange)).toMatchObject({ status, request_id: 'r1' });
  });

  it('of upstreams become 502 by strict', async () => {
    const plain = await answered(set, '<r>');
    const strict = await answered({ ...set, strict: true }, '<r>');
    expect([plain.status, plain.body, strict.status]).toEqual([200, undefined, 502]);
  });
});

describe('responses', () => {
  it('are edited, and their tag is weak from then on', async () => {
    const response = await answered(set, '<r/>', [...XML, 'etag', '"1"']);
    expect([textOf(response.body), response.headers.get('etag')]).toEqual(['<r><a>new</a></r>', 'W/"1"']);
  });

  it.each<[string, number, string, readonly string[]]>([
    ['to HEAD', 200, 'HEAD', XML],
    ['without a body', 204, 'GET', XML],
    ['not modified', 304, 'GET', XML],
    ['a part', 206, 'GET', XML],
    ['a part by its range', 200, 'GET', [...XML, 'content-range', 'bytes 0-3/9']],
    ['another type', 200, 'GET', ['content-type', 'text/event-stream']],
  ])('%s stay as they are', async (_name, status, method, headers) => {
    expect((await answered({ ...set, strict: true }, '<r/>', headers, status, method)).body).toBeUndefined();
  });

  it.each<[string, number, readonly string[], readonly string[]]>([
    ['HEAD', 200, XML, XML],
    ['GET', 304, [], []],
    [
      'HEAD',
      200,
      ['content-type', 'text/css', 'content-length', '8'],
      ['content-type', 'text/css', 'content-length', '8'],
    ],
  ])('to %s with status %i say nothing of the old body', async (method, status, headers, left) => {
    const isOther = headers.includes('text/css');
    const more = isOther ? [] : ['content-length', '8', 'etag', '"1"', 'content-md5', 'x'];
    const response = await answered(set, '', [...headers, ...more], status, method);
    expect(response.headers.toPairs()).toEqual([...left, ...(isOther ? [] : ['etag', 'W/"1"'])]);
  });

  it('are left alone when requests are the target', async () => {
    expect((await answered({ ...set, target: 'request' }, '<r/>')).body).toBeUndefined();
  });
});

describe('configs that are refused', () => {
  it.each<[string, object, string]>([
    ['nothing to do', { strict: true }, ''],
    ['no path', { set: { '/r/': 1 } }, '/set//r/'],
    ['an expression', { remove: ['/r/a[b=1]'] }, '/remove/0'],
    ['text()', { remove: ['/r/text()'] }, '/remove/0'],
    ['an attribute in the middle', { remove: ['/r/@a/b'] }, '/remove/0'],
    ['an attribute of nothing', { remove: ['/@a'] }, '/remove/0'],
    ['the root', { remove_fields: ['/r'] }, '/remove_fields/0'],
    ['a declaration', { set: { '/r/@xmlns:a': 'u' } }, '/set//r/@xmlns:a'],
    ['a name that is none', { rename: { '/r': '1' } }, '/rename//r'],
    ['a name of two prefixes', { rename: { '/r': 'a:b:c' } }, '/rename//r'],
    ['a control character', { replace: { '/r': 'a\u0000' } }, '/replace//r'],
    ['a value that is a list', { replace: { '/r': [] } }, '/replace//r'],
    ['an add without a name', { add: { '/r/*': 1 } }, '/add//r/*'],
    ['an unknown operation', { operations: [{ op: 'move', path: '/r', to: 'b' }] }, '/operations/0/op'],
    ['a rename without a name', { operations: [{ op: 'rename', path: '/r' }] }, '/operations/0'],
    ['a set without a value', { operations: [{ op: 'set', path: '/r' }] }, '/operations/0'],
    ['a field too many', { operations: [{ op: 'remove', path: '/r/a', value: 1 }] }, '/operations/0'],
    ['too long a path', { remove: [`/${'a'.repeat(1024)}`] }, '/remove/0'],
    ['too many steps', { remove: ['/a'.repeat(65)] }, '/remove/0'],
  ])('%s', (_name, config, pointer) => {
    const pointers = mistakesOf(xmlTransform, config).map((mistake) => mistake.split(': ')[0]?.replaceAll('~1', '/'));
    expect(pointers).toContain(pointer);
  });

  it('null is absent', () => {
    expect(mistakesOf(xmlTransform, { ...set, remove: null, strict: null, target: null })).toEqual([]);
  });
});
