import type { ResolvedAddress } from '@portcullis/egress';
import { describe, expect, it } from 'vitest';
import {
  addressesMax,
  firstRetryMs,
  NameDirectory,
  questionsMax,
  retryMsMax,
  ttlMsMax,
  ttlMsMin,
} from './name-directory.ts';

/** A resolver whose answers the test gives, and timers that it lets go off. */
class Bench {
  readonly asked: string[] = [];
  readonly hosts = new Map<string, readonly ResolvedAddress[]>();
  readonly #open: { name: string; resolve: (list: ResolvedAddress[]) => void; reject: (error: Error) => void }[] = [];
  readonly tooMany: (readonly [string, number])[] = [];
  isResolverStopped = false;
  timers: { callback: () => void; delayMs: number }[] = [];
  readonly directory = new NameDirectory({
    resolver: {
      known: (name) => this.hosts.get(name),
      resolve: (name) => {
        this.asked.push(name);
        return new Promise((resolve, reject) => this.#open.push({ name, resolve, reject }));
      },
      stop: () => (this.isResolverStopped = true),
    },
    onTooMany: (name, count) => this.tooMany.push([name, count]),
    random: () => 0,
    schedule: (callback, delayMs) => {
      const timer = { callback, delayMs };
      this.timers.push(timer);
      return () => void (this.timers = this.timers.filter((one) => one !== timer));
    },
  });

  /** Answers the oldest question; without addresses it fails. */
  async answer(addresses?: readonly string[], ttlSeconds = 60): Promise<void> {
    const question = this.#open.shift();
    if (addresses === undefined) question?.reject(new Error('SERVFAIL'));
    else question?.resolve(addresses.map((address) => ({ address, ttlSeconds })));
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Lets the next timer go off. @returns what it had waited for */
  fire(): number | undefined {
    const timer = this.timers.shift();
    timer?.callback();
    return timer?.delayMs;
  }
}

describe('the directory of names', () => {
  it('asks once for all who watch, and tells them', async () => {
    const bench = new Bench();
    const told: string[] = [];
    const first = bench.directory.watch('A.test', () => told.push('first'));
    const second = bench.directory.watch('a.test', () => told.push('second'));
    expect([first.state.status, bench.asked]).toEqual(['pending', ['a.test']]);
    await bench.answer(['192.0.2.2', '192.0.2.1', '192.0.2.2']);
    expect(first.state).toEqual({ status: 'resolved', addresses: ['192.0.2.1', '192.0.2.2'] });
    expect(second.state).toBe(first.state);
    expect(told).toEqual(['first', 'second']);
  });

  it('uses a bounded number of addresses, and rather those that it had', async () => {
    const bench = new Bench();
    const numbered = (from: number): string[] =>
      Array.from({ length: 3 * addressesMax }, (_, index) => `10.0.${from + index}.1`);
    let changes = 0;
    const watch = bench.directory.watch('many.test', () => (changes += 1));
    await bench.answer(numbered(100));
    expect([watch.state.addresses.length, bench.tooMany]).toEqual([addressesMax, [['many.test', 3 * addressesMax]]]);
    const first = watch.state.addresses;
    bench.fire();
    await bench.answer(numbered(-60));
    const kept = first.filter((address) => numbered(-60).includes(address));
    expect([watch.state.addresses.length, kept.length]).toEqual([addressesMax, addressesMax / 2]);
    expect(watch.state.addresses).toEqual(expect.arrayContaining(kept));
    bench.fire();
    await bench.answer(numbered(-60).toReversed());
    expect([changes, bench.tooMany.length]).toEqual([2, 1]);
  });

  it('asks nobody any more once it is stopped, and knows what it knew', async () => {
    const bench = new Bench();
    const known = bench.directory.watch('known.test', () => undefined);
    await bench.answer(['192.0.2.1']);
    bench.directory.watch('asked.test', () => undefined);
    bench.directory.stop();
    expect([bench.isResolverStopped, bench.timers]).toEqual([true, []]);
    await bench.answer();
    bench.directory.watch('later.test', () => undefined);
    expect([bench.asked, bench.timers, known.state.addresses]).toEqual([
      ['known.test', 'asked.test'],
      [],
      ['192.0.2.1'],
    ]);
  });

  it('knows at once what the hosts file says', () => {
    const bench = new Bench();
    bench.hosts.set('localhost', [{ address: '127.0.0.1', ttlSeconds: 10 }]);
    expect(bench.directory.watch('localhost', () => undefined).state.addresses).toEqual(['127.0.0.1']);
    expect(bench.asked).toEqual([]);
  });

  it('asks again when the TTL is over, within bounds, and tells only of changes', async () => {
    const bench = new Bench();
    let told = 0;
    const watch = bench.directory.watch('a.test', () => (told += 1));
    await bench.answer(['192.0.2.1'], 60);
    expect(bench.fire()).toBe(60_000);
    await bench.answer(['192.0.2.1'], 0);
    expect([told, bench.fire()]).toEqual([1, ttlMsMin]);
    await bench.answer(['192.0.2.2'], 86_400);
    expect([told, bench.fire()]).toEqual([2, ttlMsMax]);
    expect(watch.state.addresses).toEqual(['192.0.2.2']);
  });

  it('keeps what it knew while nobody answers, and asks less and less often', async () => {
    const bench = new Bench();
    const watch = bench.directory.watch('a.test', () => undefined);
    await bench.answer(['192.0.2.1']);
    bench.fire();
    const pauses: (number | undefined)[] = [];
    for (let failure = 0; failure < 7; failure += 1) {
      await (failure === 2 ? bench.answer([]) : bench.answer());
      expect(watch.state).toEqual({ status: 'resolved', addresses: ['192.0.2.1'] });
      pauses.push(bench.fire());
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16].map((factor) => factor * firstRetryMs).concat(retryMsMax, retryMsMax));
    await bench.answer(['192.0.2.3']);
    expect(watch.state.addresses).toEqual(['192.0.2.3']);
  });

  it('says that a name was never resolved, and when it is', async () => {
    const bench = new Bench();
    const seen: string[] = [];
    const watch = bench.directory.watch('a.test', () => seen.push(watch.state.status));
    await bench.answer();
    bench.fire();
    await bench.answer();
    bench.fire();
    await bench.answer(['192.0.2.1']);
    expect(seen).toEqual(['failed', 'resolved']);
  });

  it('stops asking when nobody watches, also when the answer is on its way', async () => {
    const bench = new Bench();
    bench.directory.watch('a.test', () => undefined).release();
    await bench.answer(['192.0.2.1']);
    expect(bench.timers).toEqual([]);
    const watch = bench.directory.watch('a.test', () => undefined);
    await bench.answer(['192.0.2.1']);
    expect(bench.timers).toHaveLength(1);
    watch.release();
    expect(bench.timers).toEqual([]);
  });

  it('has a bounded number of questions out', async () => {
    const bench = new Bench();
    for (let index = 0; index < questionsMax + 5; index += 1) bench.directory.watch(`n${index}.test`, () => undefined);
    expect(bench.asked).toHaveLength(questionsMax);
    await bench.answer(['192.0.2.1']);
    await bench.answer();
    expect(bench.asked).toHaveLength(questionsMax + 2);
  });
});
