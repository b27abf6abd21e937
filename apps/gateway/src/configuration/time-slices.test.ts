import { describe, expect, it } from 'vitest';
import { busySliceMs, sliceMs, TimeSlices } from './time-slices.ts';

/** Work that takes a slice of a clock of its own each time, while others take so long between two of them. */
async function sliceLengths(othersMs: readonly number[]): Promise<number[]> {
  let nowMs = 0;
  const others = [...othersMs];
  const slices = new TimeSlices({ monotonicMs: () => nowMs, pause: async () => void (nowMs += others.shift() ?? 0) });
  const lengths: number[] = [];
  for (let slice = 0; slice <= othersMs.length; slice += 1) {
    const startedMs = nowMs;
    while (!slices.isOver) nowMs += 0.25;
    lengths.push(nowMs - startedMs);
    await slices.next();
  }
  return lengths;
}

describe('slices of time', () => {
  it('are shorter while requests keep the loop busy, and long again when they do not, or when it is late anyway', async () => {
    const [few, many, late] = [1, 40, 400];
    expect(await sliceLengths([few, many, many, few, late])).toEqual([
      sliceMs,
      sliceMs,
      busySliceMs,
      busySliceMs,
      sliceMs,
      sliceMs,
    ]);
  });

  it('keep turns short at a load that leaves a twentieth of the time', async () => {
    let nowMs = 0;
    let longestMs = 0;
    const slices = new TimeSlices({ monotonicMs: () => nowMs, pause: async () => void (nowMs += othersMs()) });
    let turnMs = 20;
    let sliceStartMs = 0;
    const othersMs = (): number => {
      turnMs = nowMs - sliceStartMs + 0.95 * turnMs;
      longestMs = Math.max(longestMs, turnMs);
      return 0.95 * turnMs;
    };
    for (let slice = 0; slice < 500; slice += 1) {
      sliceStartMs = nowMs;
      while (!slices.isOver) nowMs += 0.25;
      await slices.next();
    }
    // Whole slices would come to 80 ms and more.
    expect(longestMs).toBeLessThan(40);
  });
});
