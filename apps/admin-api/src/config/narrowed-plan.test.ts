import type { BundleRecord, BundleState } from '@portcullis/bundle-diff';
import { bundleFamilies } from '@portcullis/resources';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { createResourceStore } from '../store/create-resource-store.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { TestService } from '../testing/test-service.test-support.ts';
import { planBundle } from './bundle-plan.ts';
import type { BundlePlan, PlanPorts } from './bundle-plan.ts';
import { readLiveState } from './live-state.ts';
import { readLiveTotals } from './live-totals.ts';
import type { LookUpStore } from './live-look-ups.ts';
import { planNarrowed } from './narrowed-plan.ts';
import { wholeTenant } from './whole-tenant.test-support.ts';

/** What is done to a live record before it is sent back. Numbers choose among what there is, whatever the family. */
type Twist =
  | { readonly kind: 'keep' | 'without_id' | 'unknown_id' }
  | { readonly kind: 'drop' | 'nothing'; readonly field: number }
  | { readonly kind: 'borrow'; readonly field: number; readonly from: number };

const number = fc.nat(1000);
const twist: fc.Arbitrary<Twist> = fc.oneof(
  fc.constantFrom<Twist>({ kind: 'keep' }, { kind: 'without_id' }, { kind: 'without_id' }, { kind: 'unknown_id' }),
  fc.record({ kind: fc.constantFrom('drop' as const, 'nothing' as const), field: number }),
  fc.record({ kind: fc.constant('borrow' as const), field: number, from: number }),
);
const picks = fc.array(fc.record({ record: number, twists: fc.array(twist, { maxLength: 3 }) }), { maxLength: 8 });

/** What {@link picks} gives. */
type Picks = typeof picks extends fc.Arbitrary<infer Value> ? Value : never;

/** A document of live records, some of them changed, renamed, without ID, or leading elsewhere. */
function documentOf(live: BundleState, chosen: Picks): Record<string, unknown> {
  const all = Object.entries(live).flatMap(([key, records]) => records.map((record) => ({ key, record })));
  const document: Record<string, BundleRecord[]> = {};
  for (const { record: position, twists } of chosen) {
    const picked = all[position % all.length];
    if (!picked) continue;
    const others = live[picked.key] ?? [];
    const twisted = twists.reduce((record, one) => twistedRecord(record, one, others), declared(picked));
    (document[picked.key] ??= []).push(twisted);
  }
  return { tenant_id: 'acme', ...document };
}

/** A record as a bundle may hold it. */
function declared({ key, record }: { readonly key: string; readonly record: BundleRecord }): BundleRecord {
  const family = bundleFamilies.find(({ bundle }) => bundle.key === key);
  const own = new Set(['id', 'gateway_id', ...Object.keys(family?.fields ?? {})]);
  return Object.fromEntries(Object.entries(record).filter(([field]) => own.has(field)));
}

function twistedRecord(record: BundleRecord, one: Twist, others: readonly BundleRecord[]): BundleRecord {
  const names = Object.keys(record).toSorted();
  const { id: _, ...rest } = record;
  if (one.kind === 'keep') return record;
  if (one.kind === 'without_id') return rest;
  if (!('field' in one)) return { ...rest, id: 'nobody-has-this-id' };
  const field = names[one.field % names.length] ?? 'name';
  const { [field]: __, ...without } = record;
  if (one.kind === 'drop') return without;
  return { ...without, [field]: 'from' in one ? others[one.from % others.length]?.[field] : null };
}

/** A plan whose new IDs are told apart by their order only. */
function comparable({ desired, ...plan }: BundlePlan): unknown {
  const seen = new Map<string, string>();
  const text = JSON.stringify({ ...plan, desired: [...desired] });
  return JSON.parse(
    text.replaceAll(/made-\d+/g, (id) => {
      const known = seen.get(id) ?? `new ${seen.size}`;
      seen.set(id, known);
      return known;
    }),
  );
}

let made = 0;
const ports: PlanPorts = {
  newId: () => `made-${String((made += 1)).padStart(9, '0')}`,
  masksOf: async (secrets) => secrets.map(() => 'a mask'),
};

describeOnEachDatabase('a plan against what a bundle can mean', (context) => {
  let service: TestService;
  const store = createResourceStore();
  const planBoth = (document: unknown, strict: boolean, narrowed: LookUpStore = store) =>
    context.database().snapshot(async (executor) => {
      const job = { purpose: 'apply', strict, document } as const;
      const totals = await readLiveTotals(executor, 'acme');
      const live = await readLiveState(executor, 'acme');
      return {
        whole: await planBundle({ ...job, live }, ports),
        narrow: await planNarrowed(job, ports, { store: narrowed, executor, tenantId: 'acme', totals }),
      };
    });
  const live = () => context.database().snapshot((executor) => readLiveState(executor, 'acme'));

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
    await service.addTenant('other');
    for (const tenantId of ['acme', 'other']) {
      const bundle = wholeTenant(tenantId);
      const names = ['pooled', 'all', 'one', 'two'];
      const more = {
        services: names.map((name) => ({ gateway_name: 'inner', name, url: 'http://more.test' })),
        routes: names.map((name) => ({ gateway_name: 'inner', name, path: `/${name}`, service_name: name })),
        plugins: [...names, ...names].map((route) => ({
          name: 'rate_limiter',
          gateway_name: 'inner',
          route_name: route,
          config: { minute: 5 },
        })),
        consumers: names.map((username) => ({ username, custom_id: `id of ${username}` })),
      };
      const joined = Object.entries(more).map(([key, list]) => [key, [...((bundle[key] as object[]) ?? []), ...list]]);
      const path = `/api/v1/admin/config/sync?tenant_id=${tenantId}&dry_run=false`;
      const { body } = await service.call('POST', path, { ...bundle, ...Object.fromEntries(joined) });
      expect(body, JSON.stringify(body.validation?.errors)).toMatchObject({ status: 'success' });
    }
  });
  afterAll(() => service.stop());

  it('is the one against the whole live state, whatever the bundle holds', async () => {
    const state = await live();
    const seen = { create: 0, update: 0, unchanged: 0, errors: 0 };
    await fc.assert(
      fc.asyncProperty(picks, fc.boolean(), async (chosen, strict) => {
        const { whole, narrow } = await planBoth(documentOf(state, chosen), strict);
        expect(narrow).toBeDefined();
        if (narrow) expect(comparable(narrow)).toEqual(comparable(whole));
        for (const action of ['create', 'update', 'unchanged'] as const) seen[action] += whole.diff.summary[action];
        seen.errors += whole.errors.length;
      }),
      { numRuns: 60 },
    );
    // The property says nothing unless there is something of everything.
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(5);
  });

  it('is the one against the whole live state for all of it, in any order', async () => {
    const state = await live();
    const all = Object.fromEntries(
      Object.entries(state).map(([key, records]) => [key, records.map((record) => declared({ key, record }))]),
    );
    const withoutIds = Object.fromEntries(
      Object.entries(all).map(([key, records]) => [key, records.toReversed().map(({ id: _, ...record }) => record)]),
    );
    for (const arrays of [all, withoutIds]) {
      const { whole, narrow } = await planBoth({ tenant_id: 'acme', ...arrays }, false);
      expect(narrow && comparable(narrow)).toEqual(comparable(whole));
    }
  });

  it('reads the records of a route sent alone, and no others', async () => {
    const read: string[] = [];
    const watched: LookUpStore = {
      ...store,
      async getMany(...args) {
        const records = await store.getMany(...args);
        read.push(...records.map(({ family, name }) => `${family} ${name}`));
        return records;
      },
      async findManyByKey(...args) {
        const records = await store.findManyByKey(...args);
        read.push(...[...records.values()].map(({ family, name }) => `${family} ${name}`));
        return records;
      },
    };
    const route = { name: 'two', gateway_name: 'inner', service_name: 'one', path: '/elsewhere' };
    const { narrow } = await planBoth({ tenant_id: 'acme', routes: [route] }, false, watched);
    expect(narrow?.diff.summary).toMatchObject({ update: 1, create: 0 });
    expect(read.toSorted()).toEqual(['gateways inner', 'routes two', 'services one']);
  });
});
