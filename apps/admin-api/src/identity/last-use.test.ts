import { afterAll, beforeAll, expect, it } from 'vitest';
import { type IdentityWorld, openIdentityWorld } from './identity.test-support.ts';
import { createLastUse } from './last-use.ts';
import { createResourceStates } from '../store/resource-states.ts';

let world: IdentityWorld;
beforeAll(async () => {
  world = await openIdentityWorld();
  await world.addTenant('acme');
});
afterAll(() => world[Symbol.asyncDispose]());

/** Last uses over the world's database, of which the next transactions fail. */
function lastUses() {
  const failures: Error[] = [];
  const { database, store, clock } = world;
  const transaction: typeof database.transaction = async (work) => {
    const failure = failures.pop();
    if (failure) throw failure;
    return database.transaction(work);
  };
  const parts = { database: { ...database, transaction }, store, states: createResourceStates(), nowMs: clock.nowMs };
  return { failures, lastUse: createLastUse(parts) };
}

async function written(ids: readonly string[]): Promise<unknown[]> {
  const rows = world.database.read.selectFrom('resource_states').select(['id', 'state']).where('id', 'in', ids);
  const states = new Map((await rows.execute()).map(({ id, state }) => [id, JSON.parse(state) as unknown]));
  return ids.map((id) => states.get(id));
}

it('a use that could not be written is written the next time, with the latest moment', async () => {
  const { failures, lastUse } = lastUses();
  const ids = [];
  for (let count = 0; count < 3; count += 1) ids.push((await world.addToken('gwadm', 'acme', { scopes: [] })).id);
  const [first = '', second = '', third = ''] = ids;
  lastUse.note('acme', first);
  lastUse.note('acme', second);
  const noted = world.clock.nowMs();
  failures.push(new Error('the database is away'));
  await expect(lastUse.flush()).rejects.toThrow('is away');
  expect(await written(ids)).toEqual([undefined, undefined, undefined]);
  world.clock.advance(1_000);
  lastUse.note('acme', second);
  lastUse.note('acme', third);
  await lastUse.flush();
  const at = (atMs: number) => ({ last_used_at_ms: atMs });
  expect(await written(ids)).toEqual([at(noted), at(noted + 1_000), at(noted + 1_000)]);
  failures.push(new Error('nothing is left to write'));
  await lastUse.flush();
  expect(failures).toHaveLength(1);
});
