import { beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { createResourceStore } from './create-resource-store.ts';
import { REFERRER_NAMES_MAX, namesOfReferrers } from './names-of-referrers.ts';
import { item, refersTo } from './store.test-support.ts';

const store = createResourceStore();

describeOnEachDatabase('the names of referrers', ({ database }) => {
  const ask = (...targetIds: string[]) =>
    namesOfReferrers(database().read, { tenantId: 'acme', family: 'route', targetFamily: 'service', targetIds });

  beforeAll(async () => {
    const referrer = (targetId: string, id: string, createdAtMs = 1) =>
      item('acme', `${targetId}-${id}`, { family: 'route', createdAtMs, references: [refersTo(targetId)] });
    const many = (targetId: string, count: number) =>
      Array.from({ length: count }, (_, index) => referrer(targetId, String(index)));
    const targets = ['few', 'none', 'most', 'tooMany'].map((id) => item('acme', id));
    const referrers = [referrer('few', 'new', 3), referrer('few', 'old', 2)];
    const nameless = item('acme', 'x', { family: 'route', name: null, keys: [], references: [refersTo('few')] });
    const all = [
      ...targets,
      ...referrers,
      nameless,
      ...many('most', REFERRER_NAMES_MAX - 3),
      ...many('tooMany', REFERRER_NAMES_MAX + 1),
    ];
    await database().transaction(async (transaction) => {
      for (let start = 0; start < all.length; start += 5000) {
        expect(await store.insertMany(transaction, all.slice(start, start + 5000))).toEqual({ ok: true });
      }
    });
  }, 120_000);

  it('come oldest first, and none for a target that nobody refers to', async () => {
    const { names, unread } = await ask('few', 'none', 'unknown');
    expect([...names]).toEqual([['few', ['few-old', 'few-new']]]);
    expect(unread.size).toBe(0);
  });

  it('are all of a target or none, those with the most left out, at little cost', async () => {
    const { user, system } = process.threadCpuUsage();
    const { names, unread } = await ask('tooMany', 'most', 'few');
    const after = process.threadCpuUsage();
    expect([names.get('most')?.length, names.get('few')?.length]).toEqual([REFERRER_NAMES_MAX - 3, 2]);
    expect([...unread]).toEqual(['tooMany']);
    expect((after.user + after.system - user - system) / 1000).toBeLessThan(300);
  });
});
