import { expect, it } from 'vitest';
import { TenantTurns } from './tenant-turns.ts';

/** Work that ends when it is told to, and what has begun. */
function startedWork() {
  const turns = new TenantTurns(2);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (tenantId: string, name: string): Promise<string> =>
    turns.run(tenantId, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    });
  const end = async (name: string, work: Promise<unknown>): Promise<void> => {
    ends.get(name)?.();
    await work;
    // What begins next does so in the turns of promises that follow.
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  return { turns, begun, ask, end };
}

it('lets other tenants go before more of the same tenant', async () => {
  const { begun, ask, end } = startedWork();
  const [a1, a2, a3] = [ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3')];
  const [b1, c1] = [ask('b', 'b1'), ask('c', 'c1')];
  expect(begun).toEqual(['a1', 'b1']);
  await end('a1', a1);
  expect(begun).toEqual(['a1', 'b1', 'a2']);
  await end('a2', a2);
  expect(begun).toEqual(['a1', 'b1', 'a2', 'c1']);
  await end('b1', b1);
  expect(begun).toEqual(['a1', 'b1', 'a2', 'c1', 'a3']);
  await end('c1', c1);
  await end('a3', a3);
});

it('goes on after work that fails', async () => {
  const { turns } = startedWork();
  const failing = turns.run('a', () => Promise.reject(new Error('no')));
  const next = turns.run('a', async () => 'done');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
});
