import { describe, expect, it } from 'vitest';
import { CallerPlaces } from './caller-places.ts';
import { Problem } from './problem.ts';

const limits = {
  runningMax: 2,
  waitingMax: 5,
  waitingPerCallerMax: 3,
  refusal: () => new Problem('unavailable', 'Too many documents at once', { headers: { 'retry-after': '10' } }),
};

/** Work that begins when it is its turn and ends when it is told. */
function desk() {
  const places = new CallerPlaces(limits);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (caller: string, name: string): Promise<string> =>
    places.run(caller, () => {
      begun.push(name);
      return new Promise((resolve) => ends.set(name, () => resolve(name)));
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    // The next one begins in the turns after.
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  return { ask, end, begun };
}

describe('places of callers', () => {
  it('a caller who asks a lot has one place, and the other is for the others', async () => {
    const { ask, end, begun } = desk();
    const all = [ask('busy', 'b1'), ask('busy', 'b2'), ask('busy', 'b3'), ask('calm', 'c1')];
    expect(begun).toEqual(['b1', 'c1']);
    await end('c1');
    expect(begun).toEqual(['b1', 'c1']);
    await end('b1');
    expect(begun).toEqual(['b1', 'c1', 'b2']);
    await end('b2');
    await end('b3');
    expect(await Promise.all(all)).toEqual(['b1', 'b2', 'b3', 'c1']);
  });

  it('refuses what waits too long a queue, of one caller and of all, and works on after failures', async () => {
    const { ask, end, begun } = desk();
    const busy = ['b1', 'b2', 'b3', 'b4', 'b5'].map((name) => ask('busy', name));
    await expect(busy[4]).rejects.toMatchObject({ code: 'unavailable', headers: { 'retry-after': '10' } });
    const others = ['x', 'y', 'z'].map((caller) => ask(caller, caller));
    const tooMany = ask('w', 'w');
    await expect(tooMany).rejects.toMatchObject({ code: 'unavailable' });
    expect(begun).toEqual(['b1', 'x']);
    for (const name of ['x', 'y', 'z', 'b1', 'b2', 'b3', 'b4']) await end(name);
    expect(await Promise.all([...busy.slice(0, 4), ...others])).toHaveLength(7);
    const places = new CallerPlaces(limits);
    await expect(places.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await places.run('a', async () => 'again')).toBe('again');
  });

  it('a caller who goes away leaves the line, and the place goes to the next', async () => {
    const places = new CallerPlaces({ ...limits, runningMax: 1 });
    const first = Promise.withResolvers<string>();
    const running = places.run('a', () => first.promise);
    const gone = new AbortController();
    const left = places.run('b', () => expect.unreachable(), gone.signal);
    const next = places.run('c', async () => 'c', new AbortController().signal);
    gone.abort(new Error('went away'));
    await expect(left).rejects.toThrow('went away');
    await expect(places.run('b', () => expect.unreachable(), gone.signal)).rejects.toThrow('went away');
    first.resolve('a');
    expect(await Promise.all([running, next])).toEqual(['a', 'c']);
  });
});
