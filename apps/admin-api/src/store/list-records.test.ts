import type { Transaction } from 'kysely';
import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import type { Tables } from '../database/tables.ts';
import { createResourceStore } from './create-resource-store.ts';
import type { RecordFilter, RecordToWrite, StoredRecord } from './resource-store.ts';
import { item, refersTo } from './store.test-support.ts';

const store = createResourceStore();

describeOnEachDatabase('lists and bulk writes of the store', ({ database }) => {
  const write = <Result>(work: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result> =>
    database().transaction(work);
  const insert = (...items: RecordToWrite[]): Promise<void> =>
    write(async (transaction) => {
      expect(await store.insertMany(transaction, items)).toEqual({ ok: true });
    });
  const list = (
    tenantId: string,
    filter: Partial<RecordFilter> = {},
  ): Promise<{ items: StoredRecord[]; total: number }> =>
    store.list(database().read, { tenantId, family: 'service', skip: 0, limit: 50, ...filter });
  const ids = async (tenantId: string, filter: Partial<RecordFilter> = {}): Promise<string[]> =>
    (await list(tenantId, filter)).items.map((record) => record.id);

  it.each([
    [{ env: 'prod' }, ['plain']],
    [{ 'team.name': "o'hara" }, ['odd']],
    [{ 'a"b': 'c\\d' }, ['odd']],
    [{ '$.x[0]': '%' }, ['odd']],
    [{ env: 'prod', tier: '1' }, ['plain']],
    [{ env: 'prod', tier: '2' }, []],
    [{ tier: '1' }, ['plain']],
    [{ number: '1' }, []],
    [{ team: "o'hara" }, []],
    [{}, ['plain', 'odd', 'none', 'not-a-map']],
  ])('finds records by the labels %j', async (labels, expected) => {
    const tenant = `labels-${JSON.stringify(labels)}`;
    const odd = { 'team.name': "o'hara", 'a"b': 'c\\d', '$.x[0]': '%', number: 1 };
    await insert(
      item(tenant, 'plain', { body: { labels: { env: 'prod', tier: '1' } } }),
      item(tenant, 'odd', { body: { labels: odd } }),
      item(tenant, 'none'),
      item(tenant, 'not-a-map', { body: { labels: ['env'] } }),
    );
    expect((await ids(tenant, { labels })).toSorted()).toEqual([...expected].toSorted());
  });

  it('filters by name, state, gateway and reference', async () => {
    await insert(
      item('filters', 'a', { gatewayId: 'gw1' }),
      item('filters', 'b', { gatewayId: 'gw1', enabled: false }),
      item('filters', 'c', { gatewayId: 'gw2', references: [refersTo('a', 'x'), refersTo('b', 'y')] }),
      item('filters', 'd', { references: [refersTo('a', 'x')] }),
    );
    expect(await ids('filters', { name: 'b' })).toEqual(['b']);
    expect(await ids('filters', { enabled: false })).toEqual(['b']);
    expect(await ids('filters', { gatewayId: 'gw1', enabled: true })).toEqual(['a']);
    expect(await ids('filters', { references: [{ field: 'x', targetId: 'a' }] })).toEqual(['c', 'd']);
    const both = [
      { field: 'x', targetId: 'a' },
      { field: 'y', targetId: 'b' },
    ];
    expect(await ids('filters', { references: both })).toEqual(['c']);
    expect(await ids('filters', { references: [{ field: 'y', targetId: 'a' }] })).toEqual([]);
  });

  it('filters by text fields of the body', async () => {
    const odd = 'it"s \\ odd';
    await insert(
      item('fields', 'a', { body: { kind: 'policy', 'odd.$"name': odd } }),
      item('fields', 'b', { body: { kind: 'cache', number: 1 } }),
      item('fields', 'c', { body: {} }),
      item('fields', 'd', { body: { kind: ['policy'] } }),
    );
    expect(await ids('fields', { fields: { kind: 'policy' } })).toEqual(['a']);
    expect(await ids('fields', { fields: { kind: 'policy', 'odd.$"name': odd } })).toEqual(['a']);
    expect(await ids('fields', { fields: { number: '1' } })).toEqual([]);
    expect(await ids('fields', { fields: { kind: '["policy"]' } })).toEqual([]);
  });

  it('shows only what is visible, and counts nothing else', async () => {
    await insert(
      item('visible', 'a', { body: { parent: 'p' } }),
      item('visible', 'b', { body: { parent: 'q' } }),
      item('visible', 'c'),
    );
    const seen = async (visibility: NonNullable<RecordFilter['visibility']>) => {
      const { items, total } = await list('visible', { visibility, limit: 2 });
      expect(total).toBe(items.length);
      return items.map((record) => record.id);
    };
    expect(await seen({ ids: ['c', 'unknown'] })).toEqual(['c']);
    expect(await seen({ ids: ['c'], orField: { field: 'parent', value: 'q' } })).toEqual(['b', 'c']);
    expect(await seen({ ids: [], orField: { field: 'parent', value: 'p' } })).toEqual(['a']);
    expect(await seen({ ids: [] })).toEqual([]);
  });

  it.each(['created_at', 'updated_at', 'name', 'id'] as const)(
    'pages by %s in a total order, both ways',
    async (sort) => {
      const tenant = `pages-${sort}`;
      const items = Array.from({ length: 23 }, (_, index) =>
        item(tenant, `id-${String((index * 7) % 23).padStart(2, '0')}`, {
          name: index % 5 === 0 ? null : `n${index % 3}`,
          createdAtMs: 1_000 + (index % 4),
          updatedAtMs: 2_000 + (index % 2),
          keys: [],
        }),
      );
      expect(await write((transaction) => store.insertMany(transaction, items))).toEqual({ ok: true });
      for (const order of ['asc', 'desc'] as const) {
        const seen: string[] = [];
        for (let skip = 0; skip < 30; skip += 5) {
          const page = await list(tenant, { sort, order, skip, limit: 5 });
          expect(page.total).toBe(23);
          seen.push(...page.items.map((record) => record.id));
        }
        expect(seen).toEqual(sorted(items, sort, order));
      }
      expect(await list('pages-of-nobody', { sort })).toEqual({ items: [], total: 0 });
    },
  );

  it('reads and writes thousands at once, in every page of a scan exactly once', async () => {
    const items = Array.from({ length: 2_345 }, (_, index) =>
      item('bulk', `r${index}`, {
        gatewayId: index % 2 === 0 ? 'even' : 'odd',
        createdAtMs: 5_000 + (index % 3),
        // Each points at the next, so most targets come later in the list than their referrer.
        references: index === 2_344 ? [] : [refersTo(`r${index + 1}`)],
      }),
    );
    expect(await write((transaction) => store.insertMany(transaction, items))).toEqual({ ok: true });
    const pages: StoredRecord[][] = [];
    for await (const page of store.scan(database().read, 'bulk', 'service')) pages.push([...page]);
    expect(pages.map((page) => page.length)).toEqual([1_000, 1_000, 345]);
    expect(pages.flat().map((record) => record.id)).toEqual(sorted(items, 'created_at', 'asc'));
    let even = 0;
    for await (const page of store.scan(database().read, 'bulk', 'service', 'even')) even += page.length;
    expect(even).toBe(1_173);
    const wanted = [...items.map(({ record }) => record.id), 'unknown', 'r1'];
    expect(await store.getMany(database().read, 'bulk', 'service', wanted)).toHaveLength(2_345);
    expect(await store.getMany(database().read, 'bulk', 'service', [])).toEqual([]);
  });

  it.each([
    ['id_exists', item('half', 'r7')],
    ['key_exists', item('half', 'last', { name: 'r7' })],
    ['reference_missing', item('half', 'last', { references: [refersTo('nowhere')] })],
  ])('writes none of many when the last one is refused with %s', async (kind, last) => {
    const items = Array.from({ length: 450 }, (_, index) =>
      item('half', `r${index}`, { references: [refersTo(`r${(index + 1) % 450}`)] }),
    );
    const result = await write((transaction) => store.insertMany(transaction, [...items, last]));
    expect(result).toMatchObject({ ok: false, index: 450, conflict: { kind } });
    expect(await list('half')).toEqual({ items: [], total: 0 });
    expect(await write((transaction) => store.insertMany(transaction, []))).toEqual({ ok: true });
  });
});

function sorted(
  items: readonly RecordToWrite[],
  sort: 'created_at' | 'updated_at' | 'name' | 'id',
  order: 'asc' | 'desc',
): string[] {
  const sign = order === 'asc' ? 1 : -1;
  const value = (record: StoredRecord): string | number | null =>
    ({ created_at: record.createdAtMs, updated_at: record.updatedAtMs, name: record.name, id: record.id })[sort];
  const compare = (a: StoredRecord, b: StoredRecord): number => {
    const [left, right] = [value(a), value(b)];
    if (left === right) return sign * (a.id < b.id ? -1 : 1);
    // Records without a name come before those with one.
    if (left === null) return -sign;
    if (right === null) return sign;
    return sign * (left < right ? -1 : 1);
  };
  return items
    .map(({ record }) => record)
    .toSorted(compare)
    .map((record) => record.id);
}
