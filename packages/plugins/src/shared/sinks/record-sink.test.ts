import { describe, expect, it } from 'vitest';
import { SendError } from './record-sender.ts';
import { SinkBench } from './sink-bench.test-support.ts';

const gone = new SendError('the call failed: unreachable', true);
const refused = new SendError('the sink answered 400', false);

describe('a sink', () => {
  it('sends what came within its delay together, in order, and never within the call that brought it', async () => {
    const bench = new SinkBench();
    bench.push('a', 'b');
    await bench.advance(199);
    bench.push('c');
    expect(bench.batches).toEqual([]);
    await bench.advance(1);
    expect(bench.batches).toEqual([['a', 'b', 'c']]);
    await bench.accept();
    expect([bench.count('records_sent'), bench.sink.records, bench.sink.bytes]).toEqual([3, 0, 0]);
  });

  it.each([
    ['records', { batchRecordsMax: 2 }, [['a', 'b'], ['c', 'd'], ['e']]],
    ['bytes', { batchBytesMax: 2 }, [['a', 'b'], ['c', 'd'], ['e']]],
    ['bytes, one record being longer', { batchBytesMax: 0 }, [['a'], ['b'], ['c'], ['d'], ['e']]],
  ])('sends at once what is a whole batch in %s', async (_name, limits, batches) => {
    const bench = new SinkBench(limits);
    bench.push('a', 'b', 'c', 'd', 'e');
    await bench.advance(0);
    for (let sent = 1; sent < batches.length; sent += 1) {
      await bench.accept();
      await bench.advance(200);
    }
    expect(bench.batches).toEqual(batches);
  });

  it('has one call under way, and as many as its limit says', async () => {
    for (const sendsMax of [1, 3]) {
      const bench = new SinkBench({ batchRecordsMax: 1, sendsMax });
      bench.push('a', 'b', 'c', 'd');
      await bench.advance(200);
      expect(bench.calls.length).toBe(sendsMax);
      await bench.accept();
      await bench.advance(200);
      expect(bench.calls.length).toBe(sendsMax + 1);
    }
  });

  it.each([
    ['records', { recordsMax: 3 }],
    ['bytes', { bytesMax: 3 }],
  ])('drops the oldest that wait above its bound in %s; what is on its way counts', async (_name, limits) => {
    const bench = new SinkBench({ ...limits, batchRecordsMax: 1 });
    bench.push('a');
    await bench.advance(200);
    bench.push('b', 'c', 'd', 'e');
    expect([bench.sink.records, bench.count('records_dropped')]).toEqual([3, 2]);
    await bench.accept();
    await bench.advance(0);
    expect(bench.batches).toEqual([['a'], ['d']]);
  });

  it('drops a record that is longer than all it may hold', () => {
    const bench = new SinkBench({ bytesMax: 3 });
    bench.push('abcd');
    expect([bench.sink.records, bench.sink.bytes, bench.count('records_dropped')]).toEqual([0, 0, 1]);
  });

  it('tries a batch again, with waits that double', async () => {
    const bench = new SinkBench({ backOffMs: 100, backOffMsMax: 300 });
    bench.push('a');
    await bench.advance(200);
    // Three quarters: half of each wait is by chance, and chance says a half.
    for (const waitMs of [75, 150, 225, 225]) {
      const calls = bench.calls.length;
      await bench.refuse(gone);
      await bench.advance(waitMs - 1);
      expect(bench.calls.length).toBe(calls);
      await bench.advance(1);
      expect(bench.calls.length).toBe(calls + 1);
    }
    await bench.accept();
    expect([bench.count('records_sent'), bench.sink.records]).toEqual([1, 0]);
  });

  it('waits as long as the sink asks, up to the longest wait', async () => {
    for (const [askedMs, waitMs] of [
      [700, 700],
      [99_000, 1000],
    ] as const) {
      const bench = new SinkBench({ backOffMs: 10, backOffMsMax: 1000 });
      bench.push('a');
      await bench.advance(200);
      await bench.refuse(new SendError('the sink answered 429', true, { retryAfterMs: askedMs }));
      await bench.advance(waitMs - 1);
      expect(bench.calls.length).toBe(1);
      await bench.advance(1);
      expect(bench.calls.length).toBe(2);
    }
  });

  it('does not send again what the sink will never take', async () => {
    const bench = new SinkBench();
    bench.push('a', 'b');
    await bench.advance(200);
    await bench.refuse(refused);
    await bench.advance(60_000);
    expect([bench.calls.length, bench.count('records_failed')]).toEqual([1, 2]);
  });

  it('ends a call that takes too long, also where the sender does not heed its signal', async () => {
    const bench = new SinkBench({ outageMsMax: 0 });
    bench.push('a');
    await bench.advance(200);
    await bench.advance(1000);
    expect([bench.calls[0]?.signal.aborted, bench.count('records_failed'), bench.sink.records]).toEqual([true, 1, 0]);
    expect(bench.warnings).toEqual([
      ['records were lost', { reason: 'gave_up', count: 1, said: 'the sink took too long' }],
    ]);
  });

  it('warns at most once a minute of all that was lost, and says what no error of somebody else says', async () => {
    const bench = new SinkBench({ outageMsMax: 0 });
    for (const waitMs of [0, 10_000, 10_000]) {
      await bench.advance(waitMs);
      bench.push('a');
      await bench.advance(200);
      await bench.refuse(new Error('connect ECONNREFUSED 10.0.0.1:443'));
    }
    const first = ['records were lost', { reason: 'gave_up', count: 1 }];
    expect(bench.warnings).toEqual([first]);
    await bench.advance(60_000);
    expect(bench.warnings).toEqual([first, ['records were lost', { reason: 'gave_up', count: 2 }]]);
    await bench.advance(120_000);
    expect(bench.warnings.length).toBe(2);
  });

  it('tells of the last losses when it ends', async () => {
    const bench = new SinkBench();
    for (const text of ['a', 'b', 'c']) {
      bench.push(text);
      await bench.advance(200);
      await bench.refuse(refused);
    }
    await bench.sink.dispose();
    expect(bench.warnings.map(([, details]) => details?.['count'])).toEqual([1, 2]);
    expect(bench.clock.pendingTimers).toBe(0);
  });
});

describe('a record that somebody waits for', () => {
  it('goes at once, beside those that wait', async () => {
    const bench = new SinkBench();
    bench.push('a');
    const taken = bench.sink.deliver('b', new AbortController().signal);
    expect(bench.batches).toEqual([['b']]);
    await bench.accept();
    await expect(taken).resolves.toBeUndefined();
    expect(bench.count('records_sent')).toBe(1);
  });

  it.each([
    ['never takes', refused],
    ['does not take now', gone],
  ])("is its owner's again when the sink %s it", async (_name, error) => {
    const bench = new SinkBench();
    const lost = bench.sink.deliver('a', new AbortController().signal).catch((caught: unknown) => caught);
    await bench.refuse(error);
    expect([await lost, bench.count('records_failed'), bench.sink.records]).toEqual([error, 0, 0]);
  });

  it('is not waited for any more when its client leaves', async () => {
    const bench = new SinkBench();
    const leaving = new AbortController();
    const left = bench.sink.deliver('a', leaving.signal).catch((error: unknown) => error);
    leaving.abort();
    expect(await left).toBeInstanceOf(SendError);
    expect(bench.calls[0]?.signal.aborted).toBe(true);
  });
});

describe('a sink that ends', () => {
  it('sends what it has, batch by batch, takes no more, and lets go of its sender and its timers', async () => {
    const bench = new SinkBench({ batchRecordsMax: 2 });
    bench.push('a', 'b', 'c');
    const ended = bench.sink.dispose();
    bench.push('d');
    await bench.accept();
    await bench.accept();
    await ended;
    expect(bench.batches).toEqual([['a', 'b'], ['c']]);
    expect([bench.count('records_sent'), bench.count('records_dropped')]).toEqual([3, 1]);
    expect([bench.closes, bench.clock.pendingTimers, bench.sink.bytes]).toEqual([1, 0, 0]);
  });

  it.each([
    ['a call that hangs', undefined],
    ['a sink that is gone', gone],
  ])('gives up after a time: %s', async (_name, error) => {
    const bench = new SinkBench({ batchRecordsMax: 1 });
    bench.push('a', 'b');
    const ended = bench.sink.dispose();
    if (error !== undefined) await bench.refuse(error);
    for (let waited = 0; waited < 1800; waited += 100) await bench.advance(100);
    await ended;
    expect([bench.count('records_dropped'), bench.closes, bench.clock.pendingTimers]).toEqual([2, 1, 0]);
  });

  it('ends at once with nothing to send', async () => {
    const bench = new SinkBench();
    await bench.sink.dispose();
    expect([bench.calls.length, bench.closes, bench.clock.pendingTimers]).toEqual([0, 1, 0]);
  });
});
