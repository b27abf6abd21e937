import { expect, it } from 'vitest';
import { createFairQueue, QueueFullError } from './fair-queue.ts';

const small = { runningMax: 2, waitingMax: 8, waitingPerPartyMax: 4 };

/** A queue whose jobs end when told, and what has begun. */
function world() {
  const run = createFairQueue(3, { first: small, second: small });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (lane: 'first' | 'second', party: string, name: string): Promise<string> =>
    run(lane, party, async () => {
      begun.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(name, resolve);
      await promise;
      return name;
    });
  const finish = async (name: string, outcome: Promise<string>): Promise<void> => {
    ends.get(name)?.();
    expect(await outcome).toBe(name);
  };
  return { run, begun, start, finish };
}

it('leaves every lane a place that others cannot take, and lets the first lane go first', async () => {
  const { begun, start, finish } = world();
  const one = start('second', 'a', 's1');
  const two = start('second', 'a', 's2');
  const waits = start('second', 'b', 's3');
  const three = start('first', 'c', 'f1');
  const four = start('first', 'c', 'f2');
  expect(begun).toEqual(['s1', 's2', 'f1']);
  await finish('s1', one);
  expect(begun).toEqual(['s1', 's2', 'f1', 'f2']);
  await finish('f1', three);
  expect(begun).toEqual(['s1', 's2', 'f1', 'f2', 's3']);
  await finish('s2', two);
  await finish('f2', four);
  await finish('s3', waits);
});

it('lets the parties of a lane take turns, each in its own order', async () => {
  const { begun, start, finish } = world();
  const running = ['a', 'a'].map((party, index) => start('first', party, `run${index}`));
  const waiting = new Map(
    ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => [name, start('first', name[0] ?? '', name)] as const),
  );
  await finish('run0', running[0] ?? Promise.resolve(''));
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) {
    expect(begun.at(-1)).toBe(name);
    await finish(name, waiting.get(name) ?? Promise.resolve(''));
  }
  await finish('run1', running[1] ?? Promise.resolve(''));
});

it('refuses what is too much of one party, and of all, and recovers', async () => {
  const { start, finish } = world();
  const jobs: [string, Promise<string>][] = [];
  const add = (party: string, name: string): void => void jobs.push([name, start('first', party, name)]);
  for (const name of ['r1', 'r2', 'a1', 'a2', 'a3', 'a4']) add('a', name);
  await expect(start('first', 'a', 'a5')).rejects.toBeInstanceOf(QueueFullError);
  for (const party of ['b', 'c', 'd', 'e']) add(party, `${party}1`);
  await expect(start('first', 'f', 'f1')).rejects.toBeInstanceOf(QueueFullError);
  const order = ['r1', 'r2', 'a1', 'b1', 'c1', 'd1', 'e1', 'a2', 'a3', 'a4'];
  for (const name of order) await finish(name, new Map(jobs).get(name) ?? Promise.resolve(''));
  const again = start('first', 'a', 'again');
  await finish('again', again);
});

it('goes on after a job that fails', async () => {
  const { run } = world();
  const failing = Array.from({ length: 6 }, async (_, index) => {
    await expect(run('first', `p${index}`, async () => Promise.reject(new Error(`no ${index}`)))).rejects.toThrow('no');
  });
  await Promise.all(failing);
  expect(await run('first', 'p', async () => 'yes')).toBe('yes');
});
