import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWhole } from './body-reader.ts';
import type { BodySink, BodySource } from './body-source.ts';
import { HeldPieces } from './held-pieces.ts';
import { retainedBytes, tinyViews } from './held-pieces.test-support.ts';

describe('pieces that are held', () => {
  it('are the same bytes in the same order, whatever they are views of, and whatever was taken before', () => {
    const piece = fc.record({ length: fc.nat(3000), room: fc.constantFrom(0, 100, 64 * 1024), isTaken: fc.boolean() });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const held = new HeldPieces();
        const expected: number[] = [];
        const taken: Uint8Array[] = [];
        for (const [index, { length, room, isTaken }] of pieces.entries()) {
          const bytes = new Uint8Array(length + room).fill(index, 0, length);
          held.add(bytes.subarray(0, length));
          for (let at = 0; at < length; at += 1) expected.push(index);
          const first = isTaken ? held.shift() : undefined;
          if (first !== undefined) taken.push(first);
          if (room === 100) held.seal();
        }
        expect([...Buffer.concat([...taken, ...held.takeAll()])]).toEqual(expected);
        expect(held.count).toBe(0);
      }),
      { numRuns: 50 },
    );
  });

  it('are not copied when they are most of what they are views of', () => {
    const held = new HeldPieces();
    const piece = new Uint8Array(64 * 1024).subarray(100);
    held.add(piece);
    expect(held.shift()).toBe(piece);
  });

  it('of a body that proved too long keep no more memory than they have bytes, by and large', async () => {
    const count = 1000;
    const source: BodySource = {
      length: undefined,
      trailers: [],
      read: (sink) => {
        for (const piece of tinyViews(count)) sink.onChunk(piece);
        sink.onEnd();
      },
      pause: () => undefined,
      resume: () => undefined,
    };
    const outcome = await readWhole(source, count / 2, { take: () => true, give: () => undefined });
    if (outcome.whole) throw new Error('the body was short');
    const pieces: Uint8Array[] = [];
    const sink: BodySink = { onChunk: (piece) => pieces.push(piece), onEnd: () => undefined, onError: () => undefined };
    outcome.rest.read(sink);
    expect(Buffer.concat(pieces)).toEqual(Buffer.from(Array.from({ length: count }, (_, index) => index)));
    expect(retainedBytes(pieces)).toBeLessThan(4 * count);
  });
});
