import type { Transaction } from 'kysely';
import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import type { Tables } from '../database/tables.ts';
import { createResourceStore } from './create-resource-store.ts';
import type { RecordToWrite, StoredRecord, WriteResult } from './resource-store.ts';
import { item, refersTo } from './store.test-support.ts';

const store = createResourceStore();

describeOnEachDatabase('the resource store', ({ database }) => {
  const write = <Result>(work: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result> =>
    database().transaction(work);
  const insert = (...items: RecordToWrite[]): Promise<WriteResult[]> =>
    write(async (transaction) => {
      const results: WriteResult[] = [];
      for (const each of items) results.push(await store.insert(transaction, each));
      return results;
    });
  const ids = async (tenantId: string): Promise<string[]> =>
    (await store.list(database().read, { tenantId, family: 'service', skip: 0, limit: 200 })).items.map(({ id }) => id);

  it('gives a record back as it was written, inside the transaction and after it', async () => {
    const text = 'quote " backslash \\ \\u0000 newline \n emoji 😀 é combined e\u0301';
    const written = item('round-trip', 'one', {
      gatewayId: 'gw',
      enabled: false,
      body: { text, nested: [1, { a: null, b: 1.5, big: 2 ** 53 - 1 }], labels: { env: 'prod' } },
      secrets: { '/config/key': 'sealed' },
    });
    await write(async (transaction) => {
      expect(await store.insert(transaction, written)).toEqual({ ok: true });
      expect(await store.get(transaction, 'round-trip', 'service', 'one')).toEqual(written.record);
      expect(await store.get(database().read, 'round-trip', 'service', 'one')).toBeUndefined();
    });
    expect(await store.get(database().read, 'round-trip', 'service', 'one')).toEqual(written.record);
  });

  it('keeps tenants apart: the same ID and name in each, and nothing of one seen through the other', async () => {
    expect(await insert(item('left', 'same'), item('right', 'same'))).toEqual([{ ok: true }, { ok: true }]);
    expect(await ids('left')).toEqual(['same']);
    expect(await store.get(database().read, 'elsewhere', 'service', 'same')).toBeUndefined();
    expect(await write((transaction) => store.remove(transaction, 'elsewhere', 'service', 'same'))).toMatchObject({
      ok: false,
    });
    expect(await ids('right')).toEqual(['same']);
  });

  it('finds what a text means as an ID and as a name, of the tenant that is asked for only', async () => {
    await insert(item('either', 'a', { name: 'x' }), item('either', 'b', { name: 'a' }), item('other', 'y'));
    const meant = async (text: string, tenantId = 'either'): Promise<string[]> => {
      const key = { keyName: 'name', scope: tenantId, value: text };
      const found = await store.findByIdOrKey(database().read, tenantId, 'service', text, key);
      return found.map(({ id }) => id).toSorted();
    };
    expect(await meant('a')).toEqual(['a', 'b']);
    expect(await meant('x')).toEqual(['a']);
    expect(await meant('b')).toEqual(['b']);
    expect(await meant('y')).toEqual([]);
    const foreignKey = { keyName: 'name', scope: 'other', value: 'y' };
    expect(await store.findByIdOrKey(database().read, 'either', 'service', 'y', foreignKey)).toEqual([]);
  });

  it('names each conflict, leaves nothing of the refused record, and keeps the transaction usable', async () => {
    const results = await insert(
      item('conflicts', 'first'),
      item('conflicts', 'first'),
      item('conflicts', 'second', { name: 'first' }),
      item('conflicts', 'third', { references: [refersTo('nowhere')] }),
      item('conflicts', 'third'),
    );
    expect(results).toEqual([
      { ok: true },
      { ok: false, conflict: { kind: 'id_exists' } },
      { ok: false, conflict: { kind: 'key_exists', keyName: 'name' } },
      {
        ok: false,
        conflict: { kind: 'reference_missing', field: 'service_id', targetFamily: 'service', targetId: 'nowhere' },
      },
      { ok: true },
    ]);
    expect(await ids('conflicts')).toEqual(['first', 'third']);
  });

  it('updates only the expected revision, and moves keys and references along', async () => {
    await insert(item('updates', 'target'), item('updates', 'a', { references: [refersTo('target')] }));
    const renamed = item('updates', 'a', { name: 'b', revision: 2, body: { v: 2 } });
    const update = (expected: number, changed = renamed): Promise<WriteResult> =>
      write((transaction) => store.update(transaction, changed, expected));
    expect(await update(9)).toEqual({ ok: false, conflict: { kind: 'stale', currentRevision: 1 } });
    expect(await update(1)).toEqual({ ok: true });
    expect(await update(1)).toEqual({ ok: false, conflict: { kind: 'stale', currentRevision: 2 } });
    expect(await update(1, item('updates', 'absent'))).toEqual({
      ok: false,
      conflict: { kind: 'stale', currentRevision: undefined },
    });
    expect(await store.get(database().read, 'updates', 'service', 'a')).toEqual(renamed.record);
    const { read } = database();
    const byName = (value: string): Promise<StoredRecord | undefined> =>
      store.findByKey(read, 'service', { keyName: 'name', scope: 'updates', value });
    expect(await byName('b')).toEqual(renamed.record);
    expect(await byName('a')).toBeUndefined();
    expect(await store.referrers(read, 'updates', 'service', 'target', 10)).toEqual([]);
  });

  it('leaves a record as it was when its update is refused', async () => {
    await insert(item('refused', 'a', { body: { v: 1 } }), item('refused', 'b'));
    const keys = ['c', 'b'].map((value) => ({ keyName: 'name', scope: 'refused', value }));
    for (const changed of [{ keys }, { name: 'd', references: [refersTo('nowhere')] }]) {
      const result = await write((transaction) =>
        store.update(transaction, item('refused', 'a', { revision: 2, ...changed }), 1),
      );
      expect(result.ok).toBe(false);
    }
    expect((await store.get(database().read, 'refused', 'service', 'a'))?.body).toEqual({ v: 1 });
    for (const value of ['c', 'd']) {
      expect(
        await store.findByKey(database().read, 'service', { keyName: 'name', scope: 'refused', value }),
      ).toBeUndefined();
    }
  });

  it('removes a record that nothing refers to, and names who refers otherwise', async () => {
    await insert(
      item('removal', 'target'),
      item('removal', 'self', { references: [] }),
      item('removal', 'user', { references: [refersTo('target'), refersTo('target', 'fallback_id')] }),
    );
    await write((transaction) =>
      store.update(transaction, item('removal', 'self', { revision: 2, references: [refersTo('self')] }), 1),
    );
    const remove = (id: string): Promise<WriteResult> =>
      write((transaction) => store.remove(transaction, 'removal', 'service', id));
    const named = { family: 'service', id: 'user' };
    expect(await remove('target')).toEqual({ ok: false, conflict: { kind: 'referenced', by: [named] } });
    expect(await store.referrers(database().read, 'removal', 'service', 'target', 10)).toEqual([
      { ...named, field: 'fallback_id' },
      { ...named, field: 'service_id' },
    ]);
    expect(await remove('self')).toEqual({ ok: true });
    expect(await remove('user')).toEqual({ ok: true });
    expect(await remove('target')).toEqual({ ok: true });
    expect(await remove('target')).toEqual({ ok: false, conflict: { kind: 'stale', currentRevision: undefined } });
    expect(await insert(item('removal', 'target'))).toEqual([{ ok: true }]);
  });

  it('lets the database itself refuse to remove a record that is referred to', async () => {
    await insert(item('guard', 'target'), item('guard', 'user', { references: [refersTo('target')] }));
    const behindTheStore = write((transaction) =>
      transaction.deleteFrom('resources').where('tenant_id', '=', 'guard').where('id', '=', 'target').execute(),
    );
    await expect(behindTheStore).rejects.toMatchObject({ code: 'constraint_violation', kind: 'foreign_key' });
    expect(await ids('guard')).toEqual(['target', 'user']);
  });

  it('lets exactly one of many transactions have a unique value, and tells the others', async () => {
    const keys = [{ keyName: 'slug', scope: '', value: 'raced' }];
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, index) => insert(item(`racer-${index}`, 'r', { keys }))),
    );
    const outcomes = results.flat().map((result) => (result.ok ? 'won' : result.conflict.kind));
    expect(outcomes.toSorted()).toEqual([...Array.from({ length: 11 }, () => 'key_exists'), 'won']);
    const owner = await store.findByKey(database().read, 'service', { keyName: 'slug', scope: '', value: 'raced' });
    expect(results.flat().findIndex((result) => result.ok)).toBe(Number(owner?.tenantId.slice('racer-'.length)));
  });

  it('never lets a record go while another transaction is just pointing at it', async () => {
    for (let round = 0; round < 15; round += 1) {
      const target = `target-${round}`;
      const user = `user-${round}`;
      await insert(item('race', target));
      const [[pointed], removed] = await Promise.all([
        insert(item('race', user, { references: [refersTo(target)] })),
        write((transaction) => store.remove(transaction, 'race', 'service', target)),
      ]);
      const left = new Set(await ids('race'));
      expect([pointed?.ok, removed.ok].filter(Boolean)).toHaveLength(1);
      expect(left.has(user)).toBe(pointed?.ok);
      expect(left.has(target)).toBe(!removed.ok);
    }
  });

  it.each(['\0', 'lone \ud800 surrogate'])('refuses text that the databases would not keep: %j', async (text) => {
    await expect(insert(item('text', 'bad', { body: { text } }))).rejects.toMatchObject({ code: 'unstorable_text' });
    expect(await ids('text')).toEqual([]);
  });
});
