import { expect, it } from 'vitest';
import { changesListedMax, unmanagedListedMax } from '../config/listed-max.ts';
import type { StoredRecord } from '../store/resource-store.ts';
import { rollbackDiff } from './rollback-diff.ts';

function consumer(index: number, customId = 'past'): StoredRecord {
  const [id, username] = [`c${index}`, `name-${index}`];
  const body = { username, custom_id: `${customId}-${index}` };
  const written = { revision: 1, createdAtMs: 0, updatedAtMs: 0, tenantRevision: 1 };
  const place = { tenantId: 'acme', family: 'consumers', gatewayId: null };
  return { ...place, ...written, id, name: username, enabled: true, body, secrets: {} };
}

const list = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));

it('lists no more than diff does, counts all, and lets others have their turn', async () => {
  const plan = {
    creates: list(changesListedMax, (index) => consumer(index)),
    updates: list(3, (index) => ({ past: consumer(10_000 + index), live: consumer(10_000 + index, 'live') })),
    deletes: list(2, (index) => consumer(20_000 + index)),
    unmanaged: list(unmanagedListedMax + 7, (index) => consumer(30_000 + index)),
  };
  let turns = 0;
  let isOver = false;
  const other = (): void => {
    turns += 1;
    if (!isOver) setImmediate(other);
  };
  setImmediate(other);
  const diff = await rollbackDiff('acme', plan, 6000);
  isOver = true;
  expect(turns).toBeGreaterThan(10);
  expect(diff.changes).toHaveLength(changesListedMax);
  expect(diff.changes.slice(0, 3).map(({ action }) => action)).toEqual(['delete', 'delete', 'create']);
  expect(diff.changes[2]?.fields).toContainEqual({ path: '/custom_id', op: 'add', new: 'past-0' });
  expect(diff.unmanaged).toHaveLength(unmanagedListedMax);
  expect(diff.not_listed).toEqual({ changes: 5, unmanaged: 7 });
  expect(diff.summary).toMatchObject({ create: changesListedMax, update: 3, delete: 2, unmanaged: 1007 });
});

it('says that nothing is left out by saying nothing', async () => {
  const pair = { past: consumer(1), live: consumer(1, 'live') };
  const diff = await rollbackDiff('acme', { creates: [], updates: [pair], deletes: [], unmanaged: [] }, 1);
  expect(diff).not.toHaveProperty('not_listed');
  const fields = [{ path: '/custom_id', op: 'replace', old: 'live-1', new: 'past-1' }];
  expect(diff.changes).toEqual([{ action: 'update', resource_type: 'consumers', id: 'c1', name: 'name-1', fields }]);
});
