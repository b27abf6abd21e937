import { describe, expect, it } from 'vitest';
import { SendError } from './record-sender.ts';
import { SinkBench } from './sink-bench.test-support.ts';

const gone = new SendError('the call failed: unreachable', true);
const tooLarge = new SendError('the sink answered 413', false, { isTooLarge: true });

/** Answers every call so far; one that was answered before does not notice. @param errorOf `undefined` for a batch that is taken */
async function answer(bench: SinkBench, errorOf: (batch: readonly string[]) => SendError | undefined): Promise<void> {
  for (const { batch, accept, refuse } of bench.calls) {
    const error = errorOf(batch);
    if (error === undefined) accept();
    else refuse(error);
  }
  await bench.advance(0);
}

/** Time goes by with a sink that takes nothing. */
async function outage(bench: SinkBench, milliseconds: number, each: () => void = () => undefined): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 1000) {
    each();
    await bench.advance(1000);
    await answer(bench, () => gone);
  }
}

/** From now on everything is taken. */
async function recover(bench: SinkBench, milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 1000) {
    await bench.advance(1000);
    await answer(bench, () => undefined);
  }
}

describe('a sink that is gone for a time', () => {
  it.each([1, 10])('costs no record while there is room, with %d calls at once', async (sendsMax) => {
    const bench = new SinkBench({ sendsMax });
    await outage(bench, 120_000, () => bench.push('a', 'b', 'c', 'd', 'e'));
    expect([bench.sink.records, bench.count('records_failed'), bench.count('records_dropped')]).toEqual([600, 0, 0]);
    await recover(bench, 20_000);
    expect([bench.sink.records, bench.count('records_sent')]).toEqual([0, 600]);
  });

  it('is asked by two calls at most, so that the rest can give way to newer records', async () => {
    const bench = new SinkBench({ sendsMax: 10, batchRecordsMax: 1, recordsMax: 100 });
    await outage(bench, 30_000, () => bench.push(...Array.from({ length: 10 }, () => 'a')));
    const before = bench.calls.length;
    await outage(bench, 60_000);
    // Each of those that were on their way when it began, once in 7.5 s at least.
    expect(bench.calls.length - before).toBeLessThanOrEqual(10 * 9);
    const late = new SinkBench({ sendsMax: 10, batchRecordsMax: 1 });
    late.push('a');
    await late.advance(200);
    await late.refuse(gone);
    late.push('b', 'c', 'd');
    await late.advance(200);
    expect(late.batches).toContainEqual(['b']);
    expect(late.batches).not.toContainEqual(['c']);
  });

  it('is told of once, and once more when it is gone again', async () => {
    const bench = new SinkBench();
    for (const times of [1, 2]) {
      bench.push('a');
      await outage(bench, 120_000);
      expect(bench.warnings.length).toBe(times);
      await recover(bench, 20_000);
    }
    expect(bench.warnings[0]).toEqual([
      'the sink takes nothing: what it is to be sent waits',
      { tries: 8, said: 'the call failed: unreachable' },
    ]);
  });

  it('costs the batch that waited for five minutes', async () => {
    const bench = new SinkBench();
    bench.push('a');
    await outage(bench, 290_000);
    expect(bench.count('records_failed')).toBe(0);
    await outage(bench, 40_000);
    expect([bench.count('records_failed'), bench.sink.records]).toEqual([1, 0]);
  });

  it('leaves nothing behind of each try', async () => {
    const bench = new SinkBench();
    bench.push('a');
    await outage(bench, 60_000);
    expect([bench.calls.length > 8, bench.clock.pendingTimers]).toEqual([true, 1]);
  });
});

describe('a sink that ends while it takes nothing', () => {
  it('tries at once what waits for a further try', async () => {
    const bench = new SinkBench();
    bench.push('a');
    await outage(bench, 60_000);
    const before = bench.calls.length;
    const ended = bench.sink.dispose();
    await bench.advance(0);
    expect(bench.calls.length).toBe(before + 1);
    await bench.accept();
    await ended;
    expect([bench.count('records_sent'), bench.count('records_dropped'), bench.clock.pendingTimers]).toEqual([1, 0, 0]);
  });
});

describe('a sink that does not take one batch', () => {
  it('is sent others meanwhile, and that one only so often', async () => {
    const bench = new SinkBench({ batchRecordsMax: 1, sendsMax: 2 });
    bench.push('poison');
    for (let round = 0; round < 120; round += 1) {
      bench.push('fine');
      await bench.advance(500);
      await answer(bench, (batch) => (batch[0] === 'poison' ? gone : undefined));
    }
    expect([bench.count('records_sent'), bench.count('records_failed')]).toEqual([120, 1]);
    expect(bench.batches.filter(([text]) => text === 'poison')).toHaveLength(8);
  });

  it('is sent it in halves where it is too large, down to the record that is', async () => {
    const bench = new SinkBench();
    bench.push('a', 'b', 'long', 'c', 'd');
    await bench.advance(200);
    for (let round = 0; round < 5; round += 1) {
      await answer(bench, (batch) => (batch.includes('long') ? tooLarge : undefined));
    }
    expect(bench.batches).toEqual([['a', 'b', 'long', 'c', 'd'], ['a', 'b', 'long'], ['a', 'b'], ['long'], ['c', 'd']]);
    expect([bench.count('records_sent'), bench.count('records_failed'), bench.sink.bytes]).toEqual([4, 1, 0]);
  });
});
