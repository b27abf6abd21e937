import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SendError } from './record-sender.ts';
import { settle, SinkBench, type Call } from './sink-bench.test-support.ts';

const limits = {
  recordsMax: 12,
  bytesMax: 60,
  batchRecordsMax: 4,
  batchBytesMax: 20,
  delayMs: 200,
  sendsMax: 2,
  triesMax: 3,
  outageMsMax: 5000,
  backOffMs: 100,
  backOffMsMax: 400,
  flushMsMax: 1800,
};

/** What may happen to a sink. */
const happening = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant('push' as const), bytes: fc.integer({ min: 0, max: 80 }) }) },
  fc.record({ what: fc.constant('wait' as const), milliseconds: fc.nat(1500) }),
  fc.record({ what: fc.constant('accept' as const), which: fc.nat(5) }),
  fc.record({ what: fc.constant('refuse' as const), which: fc.nat(5), isRetryable: fc.boolean() }),
);

/** A call that nobody has answered, if there is one. */
function openCall(calls: readonly Call[], answered: Set<Call>, which: number): Call | undefined {
  const open = calls.filter((call) => !answered.has(call));
  const call = open[which % Math.max(1, open.length)];
  if (call !== undefined) answered.add(call);
  return call;
}

describe('a sink, whatever happens to it,', () => {
  it('stays within its bounds, and each record is sent, dropped, failed or held, once', async () => {
    const property = fc.asyncProperty(fc.array(happening, { maxLength: 60 }), async (happenings) => {
      const bench = new SinkBench(limits);
      const answered = new Set<Call>();
      let pushed = 0;
      const accounted = () =>
        bench.count('records_sent') +
        bench.count('records_dropped') +
        bench.count('records_failed') +
        bench.sink.records;
      for (const one of happenings) {
        if (one.what === 'push') bench.sink.push(String((pushed += 1)), one.bytes);
        else if (one.what === 'wait') bench.clock.advance(one.milliseconds);
        else if (one.what === 'accept') openCall(bench.calls, answered, one.which)?.accept();
        else openCall(bench.calls, answered, one.which)?.refuse(new SendError('no', one.isRetryable));
        await settle();
        expect(accounted()).toBe(pushed);
        expect(bench.sink.records).toBeLessThanOrEqual(limits.recordsMax);
        expect(bench.sink.bytes).toBeLessThanOrEqual(limits.bytesMax);
        expect(bench.calls.every(({ batch }) => batch.length <= limits.batchRecordsMax)).toBe(true);
      }
      const ended = bench.sink.dispose();
      for (let waited = 0; waited <= limits.flushMsMax; waited += 100) await bench.advance(100);
      await ended;
      expect([accounted(), bench.sink.records, bench.sink.bytes]).toEqual([pushed, 0, 0]);
      expect([bench.clock.pendingTimers, bench.closes]).toEqual([0, 1]);
    });
    await fc.assert(property, { numRuns: 60 });
  });

  it('holds no more after 100,000 records than its bound, with a server that says nothing', async () => {
    const bench = new SinkBench({ ...limits, recordsMax: 500, bytesMax: 5000 });
    for (let round = 0; round < 100; round += 1) {
      for (let at = 0; at < 1000; at += 1) bench.sink.push('record', 10);
      await bench.advance(10);
    }
    expect([bench.sink.records, bench.sink.bytes]).toEqual([500, 5000]);
    expect(bench.count('records_dropped')).toBe(99_500 - bench.count('records_failed'));
  });
});
