import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DECODED_BYTES_FREE, DECODED_RATIO_MAX, decodedBody, encodedBody, encodingSaid } from './body-coding.ts';

const encodings = ['gzip', 'br', 'deflate', 'zstd'] as const;
const textOf = (decoded: Uint8Array | string) =>
  typeof decoded === 'string' ? decoded : Buffer.from(decoded).toString();

describe('encodingSaid', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    [' Identity ', undefined],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br', 'br'],
    ['deflate', 'deflate'],
    ['zstd', 'zstd'],
    ['compress', 'other'],
    ['gzip, br', 'other'],
    ['gzip, identity', 'other'],
    ['aws-chunked', 'other'],
  ])('%j is %j', (value, encoding) => expect(encodingSaid(value)).toBe(encoding));
});

describe.each(encodings)('%s', (encoding) => {
  const text = `{"a":"${'ü'.repeat(500)}","b":[1,2,3]}`;

  it('is decoded to what was coded', async () => {
    expect(textOf(await decodedBody(await encodedBody(text, encoding), encoding, 10_000))).toBe(text);
    expect(textOf(await decodedBody(await encodedBody('', encoding), encoding, 10_000))).toBe('');
  });

  it('is broken when it is cut off, wherever', async () => {
    const coded = await encodedBody(text, encoding);
    const cut = [1, 2, 5, Math.floor(coded.length / 2), coded.length - 1].map((end) => coded.subarray(0, end));
    const decoded = await Promise.all(cut.map((bytes) => decodedBody(bytes, encoding, 10_000)));
    expect(decoded).toEqual(cut.map(() => 'broken'));
  });

  it('is broken when it is something else', async () => {
    expect(await decodedBody(Buffer.from('{"a":1}, and more of the same'), encoding, 10_000)).toBe('broken');
  });

  it('is broken when something stands behind its end', async () => {
    const coded = await encodedBody(text, encoding);
    const more = Buffer.concat([coded, Buffer.from('and more')]);
    expect(await decodedBody(more, encoding, 10_000)).toBe('broken');
    const twice = await decodedBody(Buffer.concat([coded, coded]), encoding, 10_000);
    // Members of gzip follow one another; of the other codings there is one.
    expect(textOf(twice)).toBe(encoding === 'gzip' ? text + text : 'broken');
  });

  it('is decoded to the bound and not one byte more', async () => {
    const coded = await encodedBody('x'.repeat(1000), encoding);
    expect(textOf(await decodedBody(coded, encoding, 1000))).toHaveLength(1000);
    expect(await decodedBody(coded, encoding, 999)).toBe('too_large');
  });

  it('is no bomb', async () => {
    const coded = await encodedBody('0'.repeat(50_000_000), encoding);
    expect(coded.length * DECODED_RATIO_MAX).toBeLessThan(50_000_000);
    const decoded = await decodedBody(coded, encoding, 100_000_000);
    // Not the bytes: they would be written down, were there any.
    expect(typeof decoded === 'string' ? decoded : decoded.length).toBe('too_large');
  });
});

describe('the other forms', () => {
  it('deflate without the head of zlib', async () => {
    expect(textOf(await decodedBody(deflateRawSync('[1]'), 'deflate', 100))).toBe('[1]');
  });

  it('gzip of several members', async () => {
    const coded = Buffer.concat([gzipSync('[1'), gzipSync(',2]')]);
    expect(textOf(await decodedBody(coded, 'gzip', 100))).toBe('[1,2]');
    expect(await decodedBody(coded, 'gzip', 4)).toBe('too_large');
  });

  it('short bodies of much the same are decoded whatever the ratio', async () => {
    const coded = brotliCompressSync('0'.repeat(DECODED_BYTES_FREE));
    expect(coded.length * DECODED_RATIO_MAX).toBeLessThan(DECODED_BYTES_FREE);
    expect(textOf(await decodedBody(coded, 'br', 1_000_000))).toHaveLength(DECODED_BYTES_FREE);
  });
});
