import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkBundle, diffBundles, resolveBundle, validateAndResolve } from './index.ts';
import type { BundleRecord, BundleState } from './index.ts';
import { libraryDescriptor } from './testdata/library-descriptor.ts';

const name = fc.constantFrom('a', 'b', 'c');
const gateway = fc.record(
  { name, hosts: fc.uniqueArray(fc.constantFrom('x', 'y')), labels: fc.constantFrom({}, { l: '1' }, null) },
  { requiredKeys: ['name'] },
);
const inGateway = { name, gateway_name: name };
const upstream = fc.record(
  { ...inGateway, slots: fc.constantFrom(10_000, 5, null) },
  { requiredKeys: ['name', 'gateway_name'] },
);
const service = fc.record(
  { ...inGateway, upstream_name: name, retries: fc.constantFrom(5, 6), url: fc.constant('http://a') },
  { requiredKeys: ['name', 'gateway_name'] },
);
const consumer = fc.record(
  { username: name, name, custom_id: name, groups: fc.constantFrom([], ['g']), id: fc.constantFrom('id-1', 'id-2') },
  { requiredKeys: [] },
);
const plugin = fc.record(
  { name, gateway_name: name, consumer_name: name, config: fc.constantFrom({}, { secret: 's' }) },
  { requiredKeys: ['name'] },
);
const list = <Item>(item: fc.Arbitrary<Item>) => fc.array(item, { maxLength: 4 });
/** Bundles with mistakes of all kinds: duplicates, references that lead nowhere, fields that contradict each other. */
const bundle = fc.record({
  tenant_id: fc.constant('acme'),
  gateways: list(gateway),
  upstreams: list(upstream),
  services: list(service),
  consumers: list(consumer),
  plugins: list(plugin),
});

function newIds(prefix: string): () => string {
  let made = 0;
  return () => `${prefix}-${String((made += 1)).padStart(6, '0')}`;
}

/** What is said of a bundle; `knows` whether records that say nothing new are told apart first. */
function planned(document: unknown, live: BundleState, knows: boolean) {
  const checked = checkBundle(document, libraryDescriptor, knows ? { live } : {});
  const { validation, resolved } = validateAndResolve(checked, live, { newId: newIds('new') });
  const options = knows ? { liveOf: resolved.liveOf } : {};
  return { validation, errors: resolved.errors, diff: diffBundles(live, resolved.desired, libraryDescriptor, options) };
}

const liveOf = (document: unknown): BundleState =>
  resolveBundle(document, libraryDescriptor, {}, { newId: newIds('id') }).desired;

/** The library's descriptor, counting the records that are checked. */
function counting() {
  const checks: BundleRecord[] = [];
  const collections = libraryDescriptor.collections.map((collection) => ({
    ...collection,
    check(record: BundleRecord) {
      checks.push(record);
      return collection.check(record);
    },
  }));
  return { checks, descriptor: { collections } };
}

describe('records that leave a live one as it is', () => {
  it('give the plan that checking them gives, for any bundle against any live state', () => {
    fc.assert(
      fc.property(bundle, bundle, (before, document) => {
        const live = liveOf(before);
        expect(planned(document, live, true)).toEqual(planned(document, live, false));
        expect(planned(before, live, true)).toEqual(planned(before, live, false));
      }),
      { numRuns: 500 },
    );
  });

  it('are not told by the name of one that the bundle renames', () => {
    const plugins = [{ name: 'p', consumer_name: 'a' }];
    const live = liveOf({ tenant_id: 'acme', consumers: [{ username: 'a', custom_id: '1' }], plugins });
    const document = { tenant_id: 'acme', consumers: [{ username: 'b', custom_id: '1' }], plugins };
    expect(planned(document, live, true).errors).toMatchObject([{ code: 'reference_not_found' }]);
    expect(planned(document, live, true)).toEqual(planned(document, live, false));
  });

  it('are not checked again, and all others are', () => {
    const gateways = [{ name: 'a' }, { name: 'b', hosts: ['x'] }];
    const upstreams = [{ name: 'u', gateway_name: 'b' }];
    const live = liveOf({ tenant_id: 'acme', gateways, upstreams });
    const changed = { name: 'u', gateway_name: 'b', slots: 7 };
    const { checks, descriptor } = counting();
    checkBundle({ tenant_id: 'acme', gateways, upstreams: [...upstreams, changed] }, descriptor, { live });
    expect(checks).toEqual([{ name: 'u', slots: 7 }]);
  });

  it('are not checked again where only their place among others tells them apart', () => {
    const gateways = [{ name: 'a' }];
    const plugins = ['p', 'p', 'q', 'q'].map((name, index) => ({ name, gateway_name: 'a', config: { index } }));
    const live = liveOf({ tenant_id: 'acme', gateways, plugins });
    const { checks, descriptor } = counting();
    const moved = { name: 'p', gateway_name: 'a', config: { index: 7 } };
    // What stands before the others of its kind takes the first one's place, and each of those the next one's.
    const document = { tenant_id: 'acme', gateways, plugins: [moved, ...plugins] };
    checkBundle(document, descriptor, { live });
    expect(checks.map(({ config }) => config)).toEqual([{ index: 7 }]);
    expect(planned(document, live, true)).toEqual(planned(document, live, false));
  });

  it('are found in whatever order they stand', () => {
    const consumers = ['a', 'b', 'c', 'd', 'e'].map((username) => ({ username }));
    const live = liveOf({ tenant_id: 'acme', consumers });
    const { checks, descriptor } = counting();
    for (const given of [consumers.toReversed(), consumers.slice(1), consumers.slice(4)]) {
      const document = { tenant_id: 'acme', consumers: given };
      checkBundle(document, descriptor, { live });
      expect(planned(document, live, true)).toEqual(planned(document, live, false));
    }
    expect(checks).toEqual([]);
  });

  it.each([
    ['gives an ID', { name: 'a', id: 'id-000001' }],
    ['gives a field that nobody may give', { name: 'a', revision: 1 }],
    ['gives a field that is not known', { name: 'a', unknown: 1 }],
    ['names another tenant', { name: 'a', tenant_id: 'other' }],
    ['holds a null deep inside', { name: 'a', labels: { x: null } }],
  ])('are none that %s', (_, gateway: BundleRecord) => {
    const live = liveOf({ tenant_id: 'acme', gateways: [{ name: 'a' }] });
    const { checks, descriptor } = counting();
    checkBundle({ tenant_id: 'acme', gateways: [gateway] }, descriptor, { live });
    expect(checks).toHaveLength(1);
  });
});
