import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { bulkRecords } from './bulk-records.ts';
import { createResourceStore } from './create-resource-store.ts';
import type { BulkWriteResult, RecordToWrite } from './resource-store.ts';
import { item, refersTo } from './store.test-support.ts';

const store = createResourceStore();

/** More than one statement's worth on both databases. */
const many = 620;

describeOnEachDatabase('insertions of many records', ({ database }) => {
  /** A conflict leaves the transaction usable, and it is committed. */
  const insert = (items: readonly RecordToWrite[]): Promise<BulkWriteResult> =>
    database().transaction((transaction) => store.insertMany(transaction, items));
  const records = (tenantId: string, references = [refersTo('target')]): RecordToWrite[] =>
    Array.from({ length: many }, (_, index) => item(tenantId, `r${index}`, { references }));
  const rowsOf = async (tenantId: string): Promise<readonly number[]> => {
    const count = async (table: 'resources' | 'resource_keys' | 'resource_references'): Promise<number> => {
      const rows = database()
        .read.selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('count'));
      return (await rows.where('tenant_id', '=', tenantId).executeTakeFirstOrThrow()).count;
    };
    return [await count('resources'), await count('resource_keys'), await count('resource_references')];
  };

  it('store each with its keys and references, byte for byte', async () => {
    await insert([item('whole', 'target')]);
    const body = { text: 'quotes " and \\ {braces}, commas, NULL, é😀', list: [1, null], empty: '' };
    const wanted = records('whole').map((one) => ({ ...one, record: { ...one.record, body, secrets: { '/s': 'x' } } }));
    expect(await insert(wanted)).toEqual({ ok: true });
    expect(await rowsOf('whole')).toEqual([many + 1, many + 1, many]);
    const found = await store.getMany(database().read, 'whole', 'service', ['r0', `r${many - 1}`]);
    expect(found).toEqual([wanted[0]?.record, wanted.at(-1)?.record]);
    const named = { keyName: 'name', scope: 'whole', value: 'r333' };
    expect(await store.findByKey(database().read, 'service', named)).toEqual(wanted[333]?.record);
  });

  it('name the first that conflicts, and leave nothing of the others', async () => {
    const taken = item('apart', 'elsewhere', { keys: [{ keyName: 'slug', scope: '', value: 'everywhere' }] });
    await insert([item('clash', 'target'), item('clash', 'there', { name: 'taken' }), taken]);
    const before = await rowsOf('clash');
    const withOne = (at: number, one: RecordToWrite): RecordToWrite[] => records('clash').with(at, one);
    const refusals: [number, RecordToWrite, object][] = [
      [3, item('clash', 'there'), { kind: 'id_exists' }],
      [511, item('clash', 'r2'), { kind: 'id_exists' }],
      [7, item('clash', 'new', { name: 'taken' }), { kind: 'key_exists', keyName: 'name' }],
      [619, item('clash', 'new', { name: 'r4' }), { kind: 'key_exists', keyName: 'name' }],
      [
        40,
        item('clash', 'new', { keys: [{ keyName: 'slug', scope: '', value: 'everywhere' }] }),
        { kind: 'key_exists', keyName: 'slug' },
      ],
      [
        600,
        item('clash', 'new', { references: [refersTo('nowhere')] }),
        { kind: 'reference_missing', field: 'service_id', targetFamily: 'service', targetId: 'nowhere' },
      ],
    ];
    for (const [index, one, conflict] of refusals) {
      expect(await insert(withOne(index, one))).toEqual({ ok: false, index, conflict });
      expect(await rowsOf('clash')).toEqual(before);
    }
    expect(await rowsOf('apart')).toEqual([1, 1, 0]);
  });

  it('find values that another tenant holds, also where the rest is known to be right', async () => {
    const everywhere = { keyName: 'slug', scope: '', value: 'of another tenant' };
    await insert([item('known', 'target'), item('holder', 'holds', { keys: [everywhere] })]);
    const wanted = records('known').with(77, item('known', 'new', { keys: [everywhere] }));
    const prepared = (items: readonly RecordToWrite[]): Promise<BulkWriteResult> =>
      database().transaction(async (transaction) => {
        const outcome = await store.insertPrepared(transaction, bulkRecords(items));
        if (!outcome.ok)
          await sql`delete from resources where tenant_id = 'known' and id <> 'target'`.execute(transaction);
        return outcome;
      });
    const outcome = await prepared(wanted);
    expect(outcome).toEqual({ ok: false, index: 77, conflict: { kind: 'key_exists', keyName: 'slug' } });
    expect(await rowsOf('known')).toEqual([1, 1, 0]);
    expect(await prepared(records('known'))).toEqual({ ok: true });
    expect(await rowsOf('known')).toEqual([many + 1, many + 1, many]);
  });
});
