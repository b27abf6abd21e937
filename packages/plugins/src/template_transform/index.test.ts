import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { mistakesOf } from '../testing/bad-configs.ts';
import { PluginBench, exchangeOf, problemOf, type TestRequest } from '../testing/plugin-bench.ts';
import { templateTransform } from './index.ts';

const JSON_TYPE = ['content-type', 'application/json'];
const order = { request_template: '{"name":"{{body.n}}","by":{{consumer.id}}}' };
const textOf = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);

async function sent(config: object, request: TestRequest) {
  const { exchange, result } = await new PluginBench(templateTransform, config).request({
    headers: JSON_TYPE,
    ...request,
  });
  return { result, exchange, text: textOf(exchange.request.body), headers: exchange.request.headers.toPairs() };
}

interface Answer {
  readonly text?: string;
  readonly headers?: readonly string[];
  readonly status?: number;
  readonly request?: TestRequest;
}

async function answered(config: object, { text = '{}', headers = JSON_TYPE, status = 200, request = {} }: Answer) {
  const exchange = exchangeOf(request);
  const { chain } = new PluginBench(templateTransform, config);
  await chain.runRequest(exchange);
  const bytes = new TextEncoder().encode(text);
  exchange.setResponse({ status, headers: [...headers], source: 'upstream', readBody: () => Promise.resolve(bytes) });
  await chain.runResponse(exchange);
  return exchange.response;
}

describe('requests', () => {
  it('get what the template makes, its type and its length', async () => {
    const { text, headers } = await sent(order, { body: '{"n":"a\\"b"}' });
    expect([text, headers]).toEqual([
      '{"name":"a\\"b","by":null}',
      ['content-type', 'application/json', 'content-length', '25'],
    ]);
  });

  it('are coded again as they were', async () => {
    const headers = [...JSON_TYPE, 'content-encoding', 'gzip'];
    const { exchange } = await sent(order, { body: gzipSync('{"n":1}'), headers });
    expect(textOf(gunzipSync(exchange.request.body ?? new Uint8Array()))).toBe('{"name":"1","by":null}');
  });

  it('are not read when nothing of the body is asked for', async () => {
    const config = { template: 'q={{query.q}}', target: 'request', content_type: 'application/x-www-form-urlencoded' };
    const headers = [...JSON_TYPE, 'content-encoding', 'unknown'];
    const { text, exchange } = await sent(config, { breaksBody: true, query: 'q=%26', headers });
    expect([text, exchange.request.headers.get('content-encoding')]).toEqual(['q=%26', undefined]);
  });

  it.each<[string, object, TestRequest]>([
    ['GET without a body', order, { method: 'GET' }],
    ['when responses are meant', { ...order, response_template: 'x', request_template: undefined }, { body: '{}' }],
  ])('stay as they are: %s', async (_name, config, request) => {
    const { result, text } = await sent(config, request);
    expect([result, text]).toEqual(['continue', undefined]);
  });

  it('are texts where they are no JSON, or parse_json is off', async () => {
    const template = { request_template: '{"t":{{body}}}' };
    const all = await Promise.all([
      sent(template, { body: '[1]' }),
      sent({ ...template, parse_json: false }, { body: '[1]' }),
      sent(template, { body: '[1]', headers: ['content-type', 'text/plain'] }),
      sent(template, { body: '' }),
    ]);
    expect(all.map(({ text }) => text)).toEqual(['{"t":[1]}', '{"t":"[1]"}', '{"t":"[1]"}', '{"t":null}']);
  });
});

describe('strict', () => {
  const strict = { ...order, strict: true };
  it.each<[string, TestRequest, number, string]>([
    ['a missing value', { body: '{"n":1}' }, 400, 'template_value_missing'],
    ['no JSON', { body: '{' }, 400, 'malformed_body'],
    ['too deep', { body: `${'['.repeat(200_000)}${']'.repeat(200_000)}` }, 413, 'body_too_large'],
    ['no UTF-8', { body: new Uint8Array([0x22, 0xff, 0x22]) }, 400, 'malformed_body'],
    ['too large', { body: `"${'x'.repeat(1_048_576)}"` }, 413, 'body_too_large'],
    [
      'another coding',
      { body: '{}', headers: [...JSON_TYPE, 'content-encoding', 'compress'] },
      415,
      'unsupported_media_type',
    ],
  ])('%s', async (_name, request, status, code) => {
    const { exchange, result } = await sent(strict, request);
    expect([result, problemOf(exchange)]).toEqual(['respond', expect.objectContaining({ status, code })]);
    const lax = await sent(order, request);
    expect([lax.result, lax.text]).toEqual([
      'continue',
      code === 'template_value_missing' ? '{"name":"1","by":null}' : undefined,
    ]);
  });

  it('makes 502 of an answer without a value', async () => {
    const config = { response_template: '{"a":{{body.a}}}', strict: true };
    expect((await answered(config, {})).status).toBe(502);
  });
});

describe('responses', () => {
  it('are filled from both bodies', async () => {
    const config = { response_template: '{{status}} {{body.a}} {{response.body.a}} {{request.body.b}} {{headers.x}}' };
    const headers = [...JSON_TYPE, 'x', 'y', 'etag', '"1"'];
    const request = { headers: JSON_TYPE, body: '{"b":2}' };
    const response = await answered(config, { text: '{"a":1}', headers, request });
    expect([textOf(response.body), response.headers.get('content-type'), response.headers.get('etag')]).toEqual([
      '200 1 1 2 y',
      'text/plain; charset=utf-8',
      'W/"1"',
    ]);
  });

  it('know what the client sent, not what a template made of it', async () => {
    const config = { templates: { request: '{"b":0}', response: '{{request.body.b}}' } };
    const request = { headers: JSON_TYPE, body: '{"b":2}' };
    expect(textOf((await answered(config, { request })).body)).toBe('2');
  });

  it.each<[string, Answer]>([
    ['to HEAD', { request: { method: 'HEAD' } }],
    ['204', { status: 204 }],
    ['304', { status: 304 }],
    ['206', { status: 206 }],
    ['an event stream', { headers: ['content-type', 'text/event-stream'] }],
  ])('stay as they are: %s', async (_name, answer) => {
    expect((await answered({ template: 'x{{body.a}}', target: 'response' }, answer)).body).toBeUndefined();
    expect((await answered({ template: 'x', target: 'response' }, answer)).body).toBeUndefined();
  });
});

describe('answers that speak of a body and have none', () => {
  const headers = ['content-type', 'text/csv', 'content-length', '7', 'etag', '"q"', 'content-md5', 'x'];
  it.each([
    ['HEAD', 200],
    ['GET', 304],
  ])('to %s with status %i say what they would say of what is made', async (method, status) => {
    const config = { template: '{"a":{{body.a}}}', target: 'response' };
    const response = await answered(config, { status, headers, request: { method } });
    expect(response.headers.toPairs()).toEqual(['content-type', 'application/json', 'etag', 'W/"q"']);
  });
});

describe('answers of plugins', () => {
  it("are the client's to know, and no template's", async () => {
    const config = { request_template: '{"n":{{body.n}}}', response_template: '{"ok":{{body.ok}}}', strict: true };
    const { exchange } = await sent(config, { body: '{}' });
    await new PluginBench(templateTransform, config).chain.runResponse(exchange);
    expect(problemOf(exchange)).toMatchObject({ status: 400, code: 'template_value_missing' });
  });

  it('a template that reads the response is for responses', async () => {
    const config = { template: '{"x":{{response.body.x}}}' };
    expect((await sent(config, { body: '{}' })).text).toBeUndefined();
    expect(textOf((await answered(config, { text: '{"x":5}' })).body)).toBe('{"x":5}');
  });
});

describe('configs that are refused', () => {
  it.each<[object, string]>([
    [{}, ''],
    [{ templates: {} }, '/templates'],
    [{ templates: { both: 'x' } }, '/templates/both'],
    [{ template: '' }, '/template'],
    [{ template: '{{status}}', target: 'request' }, '/template'],
    [{ template: '{{status}}{{' }, '/template'],
    [{ templates: { request: '{{response.body}}' } }, '/templates'],
    [{ request_template: 'x', target: 'response' }, '/request_template'],
    [{ template: '{', content_type: 'application/json' }, '/template'],
    [{ template: 'x', content_type: 'text/plain\r\nx: y' }, '/content_type'],
    [{ template: 'x', content_type: 'text/plain; charset=latin1' }, '/content_type'],
    [{ template: 'x', max_body_bytes: 0 }, '/max_body_bytes'],
  ])('%j', (config, pointer) => {
    expect(mistakesOf(templateTransform, config).map((mistake) => mistake.split(':')[0])).toContain(pointer);
  });

  it.each([
    { template: '{{status}}', target: 'response' },
    { template: '{{response.body.x}}' },
    { template: '{{constructor.constructor}}' },
    { template: 'x', strict: null },
    { templates: { request: 'x', response: null } },
  ])('but not %j', (config) => {
    expect(mistakesOf(templateTransform, config)).toEqual([]);
  });
});
