import type { ExchangeState } from '@portcullis/plugin-runtime';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { exchangeOf } from '../../testing/plugin-bench.ts';
import { JSON_TYPES, contentTypeMatcher } from './content-types.ts';
import { requestText, responseText, type BodyReading } from './readable-body.ts';

const reading: BodyReading = { matches: contentTypeMatcher(JSON_TYPES), bytesMax: 100 };
const JSON_TYPE = ['content-type', 'application/json'];
const GZIP = [...JSON_TYPE, 'content-encoding', 'gzip'];
const BOM = '\u{feff}';

/** A response with a body that the host streams. */
function responseOf(
  body: string | Uint8Array,
  headers: readonly string[],
  status = 200,
  method = 'GET',
): ExchangeState {
  const exchange = exchangeOf({ method });
  const bytes = Buffer.from(body);
  const readBody = (max: number) => Promise.resolve(bytes.length <= max ? bytes : undefined);
  exchange.setResponse({ status, headers: [...headers], source: 'upstream', readBody });
  return exchange;
}

describe('bodies of requests and responses', () => {
  it.each<[string, string | Uint8Array, readonly string[], object]>([
    ['a text', '{"a":"ü"}', JSON_TYPE, { kind: 'text', text: '{"a":"ü"}', type: 'application/json' }],
    ['a coded one', gzipSync('[1]'), GZIP, { kind: 'text', text: '[1]', encoding: 'gzip' }],
    ['a mark of its byte order is left out', `${BOM}[1]`, JSON_TYPE, { kind: 'text', text: '[1]' }],
    ['ASCII is UTF-8', '[1]', ['content-type', 'text/json; charset=US-ASCII'], { kind: 'text', text: '[1]' }],
    ['of the bound', '1'.repeat(100), JSON_TYPE, { kind: 'text' }],
    ['one byte more', '1'.repeat(101), JSON_TYPE, { kind: 'problem', problem: 'too_large' }],
    ['one that says it is more', '[1]', [...JSON_TYPE, 'content-length', '101'], { problem: 'too_large' }],
    ['more once decoded', gzipSync('1'.repeat(101)), GZIP, { problem: 'too_large' }],
    ['cut off', gzipSync('[1]').subarray(0, 12), GZIP, { problem: 'broken' }],
    ['not coded', '[1]', GZIP, { problem: 'broken' }],
    ['coded twice', gzipSync('[1]'), [...JSON_TYPE, 'content-encoding', 'gzip, gzip'], { problem: 'encoding' }],
    ['coded on two lines', '[1]', [...GZIP, 'Content-Encoding', 'br'], { problem: 'encoding' }],
    ['coded unknown', '[1]', [...JSON_TYPE, 'content-encoding', 'compress'], { problem: 'encoding' }],
    ['in another charset', '[1]', ['content-type', 'application/json; charset=utf-16'], { problem: 'charset' }],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), JSON_TYPE, { problem: 'not_utf8' }],
    ['half a surrogate pair', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), JSON_TYPE, { problem: 'not_utf8' }],
    ['of two types', '[1]', [...JSON_TYPE, 'content-type', 'text/plain'], { problem: 'types' }],
    ['of two types, the second JSON', '[1]', ['content-type', 'text/plain', ...JSON_TYPE], { problem: 'types' }],
    ['of another type', '[1]', ['content-type', 'text/plain'], { kind: 'absent', absence: 'other_type' }],
    ['of no type', '[1]', [], { absence: 'other_type' }],
    ['nothing', '', JSON_TYPE, { absence: 'empty' }],
    ['nothing that is said to be coded', '', GZIP, { absence: 'empty' }],
  ])('%s', async (_name, body, headers, read) => {
    expect(await requestText(exchangeOf({ headers, body }), reading)).toMatchObject(read);
    expect(await responseText(responseOf(body, headers), reading)).toMatchObject(read);
  });
});

describe('what has no body', () => {
  it.each([
    ['a request without one', requestText(exchangeOf({ headers: JSON_TYPE }), reading)],
    ['an answer to HEAD', responseText(responseOf('[1]', JSON_TYPE, 200, 'HEAD'), reading)],
    ['204', responseText(responseOf('[1]', JSON_TYPE, 204), reading)],
    ['304', responseText(responseOf('[1]', JSON_TYPE, 304), reading)],
    ['length 0', responseText(responseOf('', [...JSON_TYPE, 'content-length', '0']), reading)],
  ])('%s', async (_name, read) => expect(await read).toEqual({ kind: 'absent', absence: 'empty' }));

  it('a range is a part of an answer, and means nothing in a request', async () => {
    const headers = [...JSON_TYPE, 'content-range', 'bytes 0-2/9'];
    expect(await responseText(responseOf('[1]', headers), reading)).toEqual({ kind: 'absent', absence: 'part' });
    expect(await requestText(exchangeOf({ headers, body: '[1]' }), reading)).toMatchObject({
      kind: 'text',
      text: '[1]',
    });
  });

  it('206 is a part', async () => {
    const read = await responseText(responseOf('[1]', JSON_TYPE, 206), reading);
    expect(read).toEqual({ kind: 'absent', absence: 'part' });
  });
});

describe('streams', () => {
  const all: BodyReading = { matches: () => true, bytesMax: 100 };

  it.each(['text/event-stream', 'multipart/x-mixed-replace; boundary=a', 'application/grpc', 'application/grpc+json'])(
    '%s is not waited for',
    async (type) => {
      const exchange = exchangeOf({});
      const readBody = () => Promise.reject(new Error('nobody asks for it'));
      exchange.setResponse({ status: 200, headers: ['content-type', type], source: 'upstream', readBody });
      expect(await responseText(exchange, all)).toEqual({ kind: 'absent', absence: 'stream' });
    },
  );

  it('are read whole for those who hold answers back', async () => {
    const exchange = responseOf('data: 1\n\n', ['content-type', 'text/event-stream']);
    const read = await responseText(exchange, { ...all, readsStreams: true });
    expect(read).toMatchObject({ kind: 'text', text: 'data: 1\n\n', type: 'text/event-stream' });
  });
});

it('a client that breaks off is no fault of the body', async () => {
  const exchange = exchangeOf({ headers: JSON_TYPE, breaksBody: true });
  await expect(requestText(exchange, reading)).rejects.toThrow('the client left');
});
