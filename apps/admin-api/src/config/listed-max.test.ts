import { expect, it } from 'vitest';
import { uuidv7 } from 'uuidv7';
import { planBundle } from './bundle-plan.ts';
import { shownDiff } from './config-request.ts';
import { changesListedMax, listedResults, resultsListedMax, unmanagedListedMax } from './listed-max.ts';

const ports = { newId: uuidv7, masksOf: async (secrets: readonly string[]) => secrets };

function consumers(count: number, from: number): { username: string }[] {
  return Array.from({ length: count }, (_, index) => ({ username: `c${from + index}` }));
}

async function planOf(created: number, unmanaged: number) {
  const document = { tenant_id: 'acme', consumers: consumers(created, unmanaged) };
  const live = { consumers: consumers(unmanaged, 0).map((consumer, index) => ({ ...consumer, id: `id${index}` })) };
  return planBundle({ purpose: 'apply', strict: false, document, live }, ports);
}

it('a difference lists the first of its changes and unmanaged records, counts all, and says how many are left out', async () => {
  const plan = await planOf(changesListedMax + 3, unmanagedListedMax + 2);
  const shown = shownDiff('acme', plan, true);
  expect(shown.changes).toHaveLength(changesListedMax);
  expect(shown.unmanaged).toHaveLength(unmanagedListedMax);
  expect(shown.summary).toMatchObject({ create: changesListedMax + 3, unmanaged: unmanagedListedMax + 2 });
  expect(shown).toMatchObject({ not_listed: { changes: 3, unmanaged: 2 } });
  expect(plan.desired.size).toBe(changesListedMax + 3);
});

it('a difference that is listed whole says nothing of what is left out', async () => {
  expect(shownDiff('acme', await planOf(2, 3), true)).not.toHaveProperty('not_listed');
});

it('results that do not fit begin with what failed', () => {
  const created = Array.from({ length: resultsListedMax }, (_, id) => ({ action: 'created', id }));
  expect(listedResults(created)).toEqual({ results: created });
  const cut = listedResults([...created, { action: 'failed', id: -1 }]);
  expect(cut.results).toHaveLength(resultsListedMax);
  expect(cut.results.slice(0, 2)).toMatchObject([{ action: 'failed' }, { id: 0 }]);
  expect(cut.results_not_listed).toBe(1);
});
