import { eventually, startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { CallPlaces } from './call-places.ts';
import { createEgress } from './egress.ts';
import { egressLimits } from './egress-limits.ts';

const never = new AbortController().signal;

/** Notes who got a place, and gives it back on demand. */
class Callers {
  readonly begun: string[] = [];
  readonly leave: (() => void)[] = [];
  readonly #places: CallPlaces;

  constructor(places: CallPlaces) {
    this.#places = places;
  }

  take(origin: string, name: string, signal = never): Promise<void> {
    return this.#places.take(origin, signal).then((leave) => {
      this.begun.push(name);
      this.leave.push(leave);
    });
  }
}

/** Lets everything that is settled go on. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('places for calls', () => {
  it('are bounded for one origin, and others are not held up by it', async () => {
    const places = new CallPlaces({ callsMax: 10, callsPerOriginMax: 2, waitingMax: 10, waitingPerOriginMax: 2 });
    const callers = new Callers(places);
    const slow = ['a1', 'a2', 'a3', 'a4'].map((name) => callers.take('a', name));
    await expect(callers.take('a', 'a5')).rejects.toMatchObject({ code: 'unreachable' });
    await callers.take('b', 'b1');
    expect([callers.begun, places.figures]).toEqual([['a1', 'a2', 'b1'], { calls: 3, waiting: 2 }]);
    callers.leave[0]?.();
    callers.leave[1]?.();
    await Promise.all(slow);
    expect(callers.begun).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
    for (const leave of callers.leave.slice(2)) leave();
    expect(places.figures).toEqual({ calls: 0, waiting: 0 });
  });

  it('go by turns where all are taken', async () => {
    const places = new CallPlaces({ callsMax: 1, callsPerOriginMax: 1, waitingMax: 10, waitingPerOriginMax: 5 });
    const callers = new Callers(places);
    await callers.take('x', 'x1');
    const waiting = [
      ...['a1', 'a2', 'a3'].map((name) => callers.take('a', name)),
      callers.take('b', 'b1'),
      callers.take('c', 'c1'),
    ];
    for (let turn = 0; turn < waiting.length; turn += 1) {
      callers.leave[turn]?.();
      await settled();
    }
    await Promise.all(waiting);
    expect(callers.begun).toEqual(['x1', 'a1', 'b1', 'c1', 'a2', 'a3']);
  });

  it('are not waited for by whoever gave up, and waiting is bounded in all', async () => {
    const places = new CallPlaces({ callsMax: 1, callsPerOriginMax: 1, waitingMax: 2, waitingPerOriginMax: 2 });
    const callers = new Callers(places);
    await callers.take('a', 'a1');
    const caller = new AbortController();
    const given = callers.take('a', 'a2', caller.signal);
    const kept = callers.take('b', 'b1');
    await expect(callers.take('c', 'c1')).rejects.toMatchObject({ code: 'unreachable' });
    caller.abort(new Error('given up'));
    await expect(given).rejects.toThrow('given up');
    callers.leave[0]?.();
    await kept;
    callers.leave[1]?.();
    expect([callers.begun, places.figures]).toEqual([['a1', 'b1'], { calls: 0, waiting: 0 }]);
    await expect(places.take('a', AbortSignal.abort(new Error('early')))).rejects.toThrow('early');
  });
});

it('a server that answers nobody keeps its share of places, and the next one answers', async () => {
  await using slow = await startUpstream(() => undefined);
  await using quick = await startUpstream((_req, res) => void res.end('quick'));
  const egress = createEgress({ allowed: [{ address: '127.0.0.1' }] });
  const caller = new AbortController();
  const bounds = { timeoutMs: 60_000, responseBytesMax: 100 };
  const calls = egressLimits.callsPerOriginMax + egressLimits.waitingPerOriginMax;
  const outcomes: unknown[] = [];
  for (let call = 0; call < calls + 10; call += 1) {
    egress.request({ url: slow.url, ...bounds, signal: caller.signal }).catch(({ code }) => outcomes.push(code));
  }
  await eventually(() => slow.requests.length === egressLimits.callsPerOriginMax);
  expect(outcomes).toEqual(Array.from({ length: 10 }, () => 'unreachable'));
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => egress.request({ url: quick.url, ...bounds }).then(({ status }) => status)),
  );
  expect(new Set(answers)).toEqual(new Set([200]));
  expect([slow.connections(), quick.connections() <= egressLimits.callsPerOriginMax]).toEqual([
    egressLimits.callsPerOriginMax,
    true,
  ]);
  caller.abort();
  await eventually(() => outcomes.length === calls + 10);
  expect(outcomes.slice(10)).toEqual(Array.from({ length: calls }, () => 'aborted'));
  await egress.close();
});
