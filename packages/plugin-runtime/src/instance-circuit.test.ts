import { describe, expect, it } from 'vitest';
import { benchOf } from './testing/execution-bench.ts';

const broken = (): never => {
  throw new Error('broken');
};

describe('the circuit of an instance', () => {
  it('opens after consecutive failures, then calls no more until a single probe', async () => {
    let calls = 0;
    let works = false;
    const bench = benchOf(
      () => {
        calls += 1;
        return works ? undefined : broken();
      },
      { failure_threshold: 2, recovery_timeout_ms: 100 },
    );
    expect([bench.run(), bench.run(), bench.run(), calls]).toEqual(['failed', 'failed', 'failed', 2]);
    bench.clock.advance(100);
    expect([bench.run(), calls, bench.run(), calls]).toEqual(['failed', 3, 'failed', 3]);
    bench.clock.advance(100);
    works = true;
    expect([bench.run(), bench.run(), calls]).toEqual(['continue', 'continue', 5]);
    expect(bench.circuit).toEqual([
      'closed > open',
      'open > half_open',
      'half_open > open',
      'open > half_open',
      'half_open > closed',
    ]);
  });

  it('lets one call probe at a time', async () => {
    let calls = 0;
    const late = Promise.withResolvers<undefined>();
    const bench = benchOf(() => ((calls += 1) === 1 ? broken() : late.promise), {
      failure_threshold: 1,
      recovery_timeout_ms: 100,
    });
    void bench.run();
    bench.clock.advance(100);
    const probe = bench.run();
    expect([bench.run(), calls]).toEqual(['failed', 2]);
    late.resolve(undefined);
    expect([await probe, bench.runtime.status()[0]?.circuit]).toEqual(['continue', 'closed']);
  });

  it('is not moved by a plugin that refuses requests, which is its work', () => {
    const bench = benchOf(() => ({ status: 503 }), { failure_threshold: 1 });
    expect([bench.run(), bench.run(), bench.circuit]).toEqual(['respond', 'respond', []]);
  });

  it('skips a fail-open plugin while it is open', () => {
    const bench = benchOf(broken, { failure_threshold: 1 }, 'observability');
    expect([bench.run(), bench.run(), bench.faults]).toEqual(['continue', 'continue', ['threw', 'circuit_open']]);
  });
});
