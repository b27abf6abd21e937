import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isServing, nextMessage } from './grpc-health-message.ts';

/** A gRPC message around bytes. */
const framed = (...bytes: readonly number[]): Buffer => Buffer.from([0, 0, 0, 0, bytes.length, ...bytes]);

describe('the answer of the health service', () => {
  it.each([
    ['SERVING', framed(0x08, 1), true],
    ['SERVING, with more bytes than the number needs', framed(0x08, 0x81, 0x00), true],
    ['the last of two', framed(0x08, 2, 0x08, 1), true],
    [
      'unknown fields before and behind',
      framed(0x12, 2, 9, 9, 0x08, 1, 0x1d, 0, 0, 0, 0, 0x21, 0, 0, 0, 0, 0, 0, 0, 0),
      true,
    ],
    ['NOT_SERVING', framed(0x08, 2), false],
    ['nothing', framed(), false],
    ['no message', Buffer.alloc(0), false],
    ['a field of another type', framed(0x0a, 1, 1), false],
    ['compressed', Buffer.from([1, 0, 0, 0, 2, 0x08, 1]), false],
    ['cut', Buffer.from([0, 0, 0, 0, 3, 0x08, 1]), false],
    ['a field that does not end', framed(0x08, 1, 0x12, 5, 1), false],
    ['a number that does not end', framed(0x08, 0x80), false],
  ])('%s', (_, body, expected) => {
    expect(isServing(body)).toBe(expected);
  });

  it('any bytes at all are read to an end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(typeof isServing(Buffer.from(bytes))).toBe('boolean');
        expect(typeof isServing(framed(...bytes))).toBe('boolean');
      }),
    );
  });

  it('is bounded', () => {
    const message = { bytes: Buffer.alloc(0) };
    expect(nextMessage(message, Buffer.alloc(6), 10)).toBe(true);
    expect(nextMessage(message, Buffer.alloc(5), 10)).toBe(false);
    expect(message.bytes.length).toBe(6);
  });
});
