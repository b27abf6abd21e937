import { FakeClock } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import type { FinishedSpan } from './finished-span.ts';
import { batchSpansMax, sendsMax, spanDelayMs, SpanQueue, type SpanFigures } from './span-queue.ts';

const spans = (count: number): readonly FinishedSpan[] => Array.from({ length: count }, () => ({}) as FinishedSpan);

/** A queue whose collector answers when the test says so. */
function queueOf(spansMax: number) {
  const clock = new FakeClock();
  const batches: number[] = [];
  const told: SpanFigures[] = [];
  const answers: ((isTaken: boolean) => void)[] = [];
  const queue = new SpanQueue({
    spansMax,
    monotonicMs: clock.monotonicMs,
    setTimer: clock.setTimer,
    onLost: (figures) => told.push(figures),
    send: (batch) => {
      batches.push(batch.length);
      return new Promise((resolve) => answers.push(resolve));
    },
  });
  const answer = async (isTaken: boolean): Promise<void> => {
    answers.shift()?.(isTaken);
    await Promise.resolve();
    await Promise.resolve();
  };
  return { queue, clock, batches, told, answer };
}

describe('the queue of spans', () => {
  it('lets spans wait for others, and sends a whole batch at once', () => {
    const { queue, clock, batches } = queueOf(2000);
    queue.push(spans(2));
    clock.advance(spanDelayMs - 1);
    expect(batches).toEqual([]);
    clock.advance(1);
    expect(batches).toEqual([2]);
    const other = queueOf(2000);
    other.queue.push(spans(batchSpansMax));
    expect(other.batches).toEqual([]);
    other.clock.advance(0);
    expect(other.batches).toEqual([batchSpansMax]);
  });

  it('has a few batches under way at once, each sent in a turn of its own, and no more', async () => {
    const { queue, clock, batches, answer } = queueOf(2000);
    queue.push(spans((sendsMax + 1) * batchSpansMax));
    expect([batches.length, clock.pendingTimers]).toEqual([0, 1]);
    clock.advance(spanDelayMs);
    expect([batches.length, clock.pendingTimers]).toEqual([sendsMax, 0]);
    await answer(true);
    clock.advance(0);
    expect(batches).toEqual(Array.from({ length: sendsMax + 1 }, () => batchSpansMax));
    expect(queue.figures).toEqual({ sent: batchSpansMax, dropped: 0, failed: 0 });
  });

  it('drops what finds it full while all are under way', async () => {
    const { queue, clock, batches, told, answer } = queueOf(4);
    for (let time = 0; time < sendsMax; time += 1) {
      queue.push(spans(4));
      clock.advance(spanDelayMs);
    }
    batches.splice(0, sendsMax - 1);
    queue.push(spans(3));
    queue.push(spans(2));
    queue.push(spans(1));
    clock.advance(10 * spanDelayMs);
    expect([batches, queue.figures]).toEqual([[4], { sent: 0, dropped: 2, failed: 0 }]);
    await answer(true);
    clock.advance(spanDelayMs);
    expect([batches, queue.figures]).toEqual([[4, 4], { sent: 4, dropped: 2, failed: 0 }]);
    await answer(false);
    expect(queue.figures).toEqual({ sent: 4, dropped: 2, failed: 4 });
    expect(told).toEqual([{ sent: 0, dropped: 2, failed: 0 }]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('tells of losses again after a minute', async () => {
    const { queue, clock, told, answer } = queueOf(4);
    for (const pauseMs of [0, 1000, 60_000]) {
      clock.advance(pauseMs);
      queue.push(spans(1));
      clock.advance(spanDelayMs);
      await answer(false);
    }
    expect(told.map(({ failed }) => failed)).toEqual([1, 3]);
  });

  it('sends all that waits when it ends', async () => {
    const { queue, batches, answer } = queueOf(2000);
    queue.push(spans(batchSpansMax + 1));
    const flushed = queue.flush();
    await answer(true);
    await answer(true);
    await flushed;
    expect(batches).toEqual([batchSpansMax, 1]);
  });
});
