import type { Transaction } from 'kysely';
import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import type { Tables } from '../database/tables.ts';
import { createResourceStore } from './create-resource-store.ts';
import type { BulkWriteResult, RecordToWrite, RecordUpdate } from './resource-store.ts';
import { item, refersTo } from './store.test-support.ts';
import type { ItemOptions } from './store.test-support.ts';

const store = createResourceStore();

describeOnEachDatabase('updates of many records', ({ database }) => {
  const write = <Result>(work: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result> =>
    database().transaction(work);
  const insert = async (...items: RecordToWrite[]): Promise<void> => {
    expect(await write((transaction) => store.insertMany(transaction, items))).toEqual({ ok: true });
  };
  const update = (tenantId: string, id: string, options: ItemOptions = {}, expectedRevision = 1): RecordUpdate => ({
    item: item(tenantId, id, { revision: expectedRevision + 1, createdAtMs: 1, updatedAtMs: 2, ...options }),
    expectedRevision,
  });
  /** As callers do: a conflict gives the transaction up. */
  const updateAll = async (...updates: RecordUpdate[]): Promise<BulkWriteResult> => {
    let result: BulkWriteResult = { ok: true };
    const attempt = write(async (transaction) => {
      result = await store.updateMany(transaction, updates);
      if (!result.ok) throw new Error('given up');
    });
    await attempt.catch((error: Error) => expect(error.message).toBe('given up'));
    return result;
  };
  const get = (tenantId: string, id: string) => store.get(database().read, tenantId, 'service', id);

  it('replace all of each record but when it was made, with its keys and references', async () => {
    const ids = Array.from({ length: 450 }, (_, index) => `r${index}`);
    await insert(item('t1', 'target'), item('t1', 'other'), item('t2', 'r0', { body: { untouched: true } }));
    await insert(...ids.map((id) => item('t1', id, { references: [refersTo('target')] })));
    const changed = { enabled: false, gatewayId: 'g', body: { a: 1 }, secrets: { '/s': 'sealed' } };
    const references = [refersTo('other'), refersTo('target', 'second_id')];
    const wanted = ids.map((id) => update('t1', id, { ...changed, name: `${id}-new`, references }));
    expect(await updateAll(...wanted)).toEqual({ ok: true });
    for (const {
      item: { record },
    } of [wanted[0], wanted[449]].flatMap((one) => one ?? [])) {
      expect(await get('t1', record.id)).toEqual({ ...record, createdAtMs: 1_700_000_000_000 });
    }
    expect(await get('t2', 'r0')).toMatchObject({ revision: 1, body: { untouched: true } });
    const key = { keyName: 'name', scope: 't1' };
    expect(await store.findByKey(database().read, 'service', { ...key, value: 'r7' })).toBeUndefined();
    expect(await store.findByKey(database().read, 'service', { ...key, value: 'r7-new' })).toMatchObject({ id: 'r7' });
    const referring = (targetId: string, field: string) =>
      store.list(database().read, {
        tenantId: 't1',
        family: 'service',
        references: [{ field, targetId }],
        skip: 0,
        limit: 1,
      });
    expect((await referring('target', 'service_id')).total).toBe(0);
    expect((await referring('other', 'service_id')).total).toBe(450);
    expect((await referring('target', 'second_id')).total).toBe(450);
  });

  it('let records swap their unique values', async () => {
    await insert(item('swap', 'a'), item('swap', 'b'));
    const swapped = [update('swap', 'a', { name: 'b' }), update('swap', 'b', { name: 'a' })];
    expect(await updateAll(...swapped)).toEqual({ ok: true });
    expect(await get('swap', 'a')).toMatchObject({ name: 'b' });
  });

  it('name the first that conflicts, and nothing of the transaction remains', async () => {
    await insert(item('c', 'a'), item('c', 'b'), item('c', 'c'));
    const good = update('c', 'a', { body: { changed: true } });
    const refusals: [RecordUpdate, unknown][] = [
      [update('c', 'b', {}, 2), { kind: 'stale', currentRevision: 1 }],
      [update('c', 'nowhere'), { kind: 'stale', currentRevision: undefined }],
      [update('c', 'b', { name: 'c' }), { kind: 'key_exists', keyName: 'name' }],
      [
        update('c', 'b', { references: [refersTo('gone')] }),
        { kind: 'reference_missing', field: 'service_id', targetFamily: 'service', targetId: 'gone' },
      ],
    ];
    for (const [bad, conflict] of refusals) {
      expect(await updateAll(good, bad)).toEqual({ ok: false, index: 1, conflict });
      expect(await get('c', 'a')).toMatchObject({ revision: 1, body: {} });
      expect(await get('c', 'b')).toMatchObject({ revision: 1, name: 'b' });
    }
    expect(await updateAll()).toEqual({ ok: true });
  });
});
