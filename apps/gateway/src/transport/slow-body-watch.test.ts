import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bodyBytesPerWindowMin, SlowBodyWatch } from './slow-body-watch.ts';

describe('SlowBodyWatch', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('cuts who drips while somebody waits, and nobody who is told to wait or is quick enough', () => {
    const watch = new SlowBodyWatch(1000);
    const body = (flowing: boolean) => ({
      place: -1,
      bytes: 0,
      bytesBefore: 0,
      flowing,
      isCut: false,
      cut() {
        this.isCut = true;
      },
    });
    const [slow, quick, paused] = [body(true), body(true), body(false)];
    for (const one of [slow, quick, paused]) watch.add(one);
    for (let window = 0; window < 3; window += 1) {
      vi.advanceTimersByTime(1000);
      slow.bytes += bodyBytesPerWindowMin - 1;
      quick.bytes += bodyBytesPerWindowMin;
    }
    expect([slow.isCut, quick.isCut, paused.isCut]).toEqual([true, false, false]);
  });

  it('keeps no timer beyond a window in which there was nothing to watch', () => {
    const watch = new SlowBodyWatch(1000);
    const body = { place: -1, bytes: 0, bytesBefore: 0, flowing: true, cut: () => undefined };
    watch.add(body);
    watch.delete(body);
    vi.advanceTimersByTime(1000);
    expect(vi.getTimerCount()).toBe(0);
  });
});
