import { describe, expect, it } from 'vitest';
import { partLimits, partsOf, type BatchPart } from './batch-parts.ts';
import { IngestQueue, waitingMax } from './ingest-queue.ts';
import { batch, counter, nodeOf, record } from './observations.test-support.ts';

/** A writer that is let go on by hand. */
function steered() {
  const groups: BatchPart[][] = [];
  const releases: ((error?: Error) => void)[] = [];
  const queue = new IngestQueue<string>((parts) => {
    groups.push([...parts]);
    return new Promise((resolve, reject) => {
      releases.push((error) => (error ? reject(error) : resolve(parts.map((part) => `${part.node.id} ${part.part}`))));
    });
  });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  const release = async (error?: Error): Promise<void> => {
    releases.shift()?.(error);
    await settle();
  };
  return { queue, groups, release };
}

const parts = (id: string, counters: number, records = 0, tenantId = 'acme'): BatchPart[] =>
  partsOf(
    nodeOf(tenantId, id),
    batch(1, {
      counters: Array.from({ length: counters }, () => counter),
      records: Array.from({ length: records }, (_, index) => record(`${index}`)),
    }),
  );

describe('the queue of the ingest', () => {
  it('writes what gathered while it wrote together, up to a full part', async () => {
    const { queue, groups, release } = steered();
    const all = ['a', 'b', 'c', 'd'].map((id) => queue.add(parts(id, 200)));
    await release();
    expect(groups.map((group) => group.map(({ node }) => node.id))).toEqual([['a'], ['b', 'c']]);
    await release();
    await release();
    expect(await Promise.all(all)).toEqual([['a 0'], ['b 0'], ['c 0'], ['d 0']]);
    expect(groups).toHaveLength(3);
  });

  it('writes long batches part by part', async () => {
    const { queue, groups, release } = steered();
    const long = queue.add(parts('long', 1200, 1500));
    for (let index = 0; index < 3; index += 1) await release();
    expect(await long).toEqual(['long 0', 'long 1', 'long 2']);
    expect(groups.map(([one]) => [one?.counters.length, one?.records.length])).toEqual([
      [partLimits.counters, partLimits.records],
      [partLimits.counters, 500],
      [200, 0],
    ]);
  });

  it('fails only what cannot be written, and goes on', async () => {
    const { queue, groups, release } = steered();
    const first = queue.add(parts('first', 1));
    const [good, bad] = [queue.add(parts('good', 1)), queue.add(parts('bad', 1))];
    const outcome = bad.catch((error: unknown) => String(error));
    await release();
    await release(new Error('does not fit'));
    await release();
    await release(new Error('does not fit'));
    expect(await outcome).toBe('Error: does not fit');
    expect(await Promise.all([first, good])).toEqual([['first 0'], ['good 0']]);
    expect(groups.map((group) => group.map(({ node }) => node.id))).toEqual([
      ['first'],
      ['good', 'bad'],
      ['good'],
      ['bad'],
    ]);
    const later = queue.add(parts('later', 1));
    await release();
    expect(await later).toEqual(['later 0']);
  });

  it('lets a bounded number of observations wait, of each tenant and of all', async () => {
    const { queue, release } = steered();
    const accepted = [];
    for (let weight = 0; weight + 6010 <= waitingMax.tenant; weight += 6010)
      accepted.push(queue.add(parts('n', 5000, 1000)));
    await expect(queue.add(parts('n', 5000, 1000))).rejects.toMatchObject({ code: 'unavailable' });
    accepted.push(queue.add(parts('n', 5000, 1000, 'globex')));
    const state = { isDone: false };
    void Promise.all(accepted).then(() => (state.isDone = true));
    while (!state.isDone) await release();
    const again = queue.add(parts('n', 1));
    await release();
    expect(await again).toEqual(['n 0']);
  });
});
