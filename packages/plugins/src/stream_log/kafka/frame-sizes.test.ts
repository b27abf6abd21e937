import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameSizes } from './frame-sizes.ts';

const BYTES_MAX = 100;

/** Frames with their lengths, and whether all lengths are within the bound. */
const streams = fc.array(fc.integer({ min: -3, max: 130 }), { maxLength: 8 }).map((lengths) => {
  const frames = lengths.map((length) => {
    const frame = Buffer.alloc(4 + Math.max(0, length), 0xff);
    frame.writeInt32BE(length);
    return frame;
  });
  return { bytes: Buffer.concat(frames), isRight: lengths.every((length) => length >= 4 && length <= BYTES_MAX) };
});

describe('FrameSizes', () => {
  it('judges a stream by its lengths, however it is cut into pieces', () => {
    fc.assert(
      fc.property(streams, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), ({ bytes, isRight }, cuts) => {
        const sizes = new FrameSizes(BYTES_MAX);
        let accepted = true;
        for (let at = 0, turn = 0; at < bytes.length && accepted; turn += 1) {
          const length = cuts[turn % cuts.length] ?? 1;
          accepted = sizes.accepts(bytes.subarray(at, at + length));
          at += length;
        }
        expect(accepted).toBe(isRight);
      }),
    );
  });

  it('judges a length as soon as it is there', () => {
    expect(new FrameSizes(BYTES_MAX).accepts(Buffer.from([0, 0, 0, 101]))).toBe(false);
    expect(new FrameSizes(BYTES_MAX).accepts(Buffer.from([0, 0, 0, 100]))).toBe(true);
    expect(new FrameSizes(BYTES_MAX).accepts(Buffer.from([0x80, 0, 0, 0]))).toBe(false);
  });
});
