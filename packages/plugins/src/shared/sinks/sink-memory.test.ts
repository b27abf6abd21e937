import { FakeClock } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { settle, SinkBench } from './sink-bench.test-support.ts';

describe('the sinks of a process', () => {
  it('hold no more either where all of the largest is on its way', async () => {
    const clock = new FakeClock();
    const mebibyte = 1024 * 1024;
    const [large, small] = [new SinkBench({ bytesMax: 400 * mebibyte }, clock), new SinkBench({}, clock)];
    large.sink.push('on its way', 250 * mebibyte);
    clock.advance(200);
    await settle();
    small.sink.push('fits', 5 * mebibyte);
    small.sink.push('takes its place', 5 * mebibyte);
    expect([large.sink.records, small.sink.records, small.count('records_dropped')]).toEqual([1, 1, 1]);
  });

  it('hold no more than a bound together: the largest loses its oldest records, and nobody else', async () => {
    const clock = new FakeClock();
    const mebibyte = 1024 * 1024;
    const limits = { bytesMax: 400 * mebibyte, batchRecordsMax: 1000 };
    const [large, small] = [new SinkBench(limits, clock), new SinkBench(limits, clock)];
    large.sink.push('first', 200 * mebibyte);
    large.sink.push('second', 50 * mebibyte);
    small.sink.push('of another', 10 * mebibyte);
    expect([large.sink.records, small.sink.records]).toEqual([1, 1]);
    expect([large.count('records_dropped'), small.count('records_dropped')]).toEqual([1, 0]);
    clock.advance(200);
    await settle();
    for (const bench of [large, small]) await bench.accept();
    large.sink.push('fits again', 250 * mebibyte);
    expect(large.sink.records).toBe(1);
  });

  it('take nothing of another tenant, however many there are of one, and give back what they held', async () => {
    const clock = new FakeClock();
    const mebibyte = 1024 * 1024;
    const victim = new SinkBench({}, clock, 'victim');
    for (let at = 0; at < 4; at += 1) victim.sink.push('kept', mebibyte);
    const others = Array.from({ length: 300 }, () => new SinkBench({}, clock, 'many'));
    for (const { sink } of others) for (let at = 0; at < 2; at += 1) sink.push('large in all', mebibyte / 2);
    expect([victim.sink.records, victim.count('records_dropped')]).toEqual([4, 0]);
    const held = others.reduce((sum, { sink }) => sum + sink.bytes, 0);
    expect(held).toBe(252 * mebibyte);
    const ended = others.map(({ sink }) => sink.dispose());
    clock.advance(1800);
    await Promise.all(ended);
    const after = new SinkBench({ bytesMax: 400 * mebibyte }, clock, 'after');
    after.sink.push('fits', 250 * mebibyte);
    expect([after.sink.records, victim.sink.records]).toEqual([1, 4]);
  });
});
