import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { diffBundles, parseBundle, resolveBundle } from './index.ts';
import type { BundleRecord, BundleState, FieldChange } from './index.ts';
import { stepsOf } from './json-pointer.ts';
import { libraryDescriptor } from './testdata/library-descriptor.ts';

const names = fc.constantFrom('a', 'b', 'c', 'd', 'e/f', '~');
const value = fc
  .jsonValue({ maxDepth: 2 })
  .filter((made) => !/"(?:__proto__|prototype|constructor)"/.test(JSON.stringify(made)));
const record = <T>(
  required: Record<string, fc.Arbitrary<unknown>>,
  optional: Record<string, fc.Arbitrary<unknown>> = {},
) => fc.record({ ...required, ...optional }, { requiredKeys: Object.keys(required) }) as fc.Arbitrary<T & BundleRecord>;
const labels = fc.dictionary(names, fc.constantFrom('x', 'y'), { maxKeys: 3 });
const listOf = (item: fc.Arbitrary<BundleRecord>, by: (item: BundleRecord) => unknown) =>
  fc.uniqueArray(item, { maxLength: 5, selector: (given) => JSON.stringify(by(given)) });
const byPlaceAndName = (given: BundleRecord) => [given['gateway_name'], given['name']];

/** Bundles whose references lead to records of the bundle. */
const bundle: fc.Arbitrary<Record<string, unknown>> = listOf(
  record({ name: names }, { labels }),
  (g) => g['name'],
).chain((gateways) => {
  const gateway_name = fc.constantFrom(...gateways.map((given) => given['name']), 'none').filter((n) => n !== 'none');
  const withGateways = gateways.length > 0;
  const path = fc.constantFrom('/x', '/y');
  const methods = fc.uniqueArray(fc.constantFrom('GET', 'PUT', 'POST'));
  const routes = listOf(
    record({ name: names, gateway_name }, { path, methods, plugins: fc.array(value, { maxLength: 3 }) }),
    byPlaceAndName,
  );
  const config = fc.record({ secret: fc.constantFrom('s1', 's2'), any: value }, { requiredKeys: [] });
  return fc.record({
    tenant_id: fc.constant('acme'),
    gateways: fc.constant(gateways),
    routes: withGateways ? routes : fc.constant([]),
    consumers: listOf(record({ username: names }, { groups: fc.array(names, { maxLength: 3 }) }), (c) => c['username']),
    plugins: fc.array(record({ name: fc.constantFrom('p', 'q') }, { config }), { maxLength: 4 }),
  });
});

let made = 0;
const newId = () => `id-${String((made += 1)).padStart(9, '0')}`;

function resolved(document: unknown, live: BundleState = {}): BundleState {
  const { desired, errors } = resolveBundle(document, libraryDescriptor, live, { newId });
  expect(errors).toEqual([]);
  return desired;
}

describe('any bundle', () => {
  it('differs in nothing from what it was resolved to', () => {
    fc.assert(
      fc.property(bundle, (document) => {
        const live = resolved(document);
        const diff = diffBundles(live, resolved(document, live), libraryDescriptor);
        expect(diff).toMatchObject({ in_sync: true, changes: [], unmanaged: [] });
      }),
    );
  });

  it('applied change by change to another state gives what it asks for', () => {
    fc.assert(
      fc.property(bundle, bundle, (before, after) => {
        const live = resolved(before);
        const desired = resolved(after, live);
        const applied = applyAll(live, desired, diffBundles(live, desired, libraryDescriptor).changes);
        expect(diffBundles(applied, desired, libraryDescriptor).in_sync).toBe(true);
      }),
    );
  });

  it('asks for the same in whatever order its records stand', () => {
    fc.assert(
      fc.property(bundle, bundle, (before, after) => {
        const live = resolved(before);
        const one = diffBundles(live, resolved(after, live), libraryDescriptor);
        const other = diffBundles(live, resolved(reversed(after), live), libraryDescriptor);
        expect(other.summary).toEqual(one.summary);
        expect(updatesOf(other)).toEqual(updatesOf(one));
      }),
    );
  });

  it('reads the same from JSON and from YAML', () => {
    fc.assert(
      fc.property(bundle, (document) => {
        const text = JSON.stringify(document);
        const same = JSON.parse(text) as unknown;
        expect(parseBundle(text)).toMatchObject({ ok: true, document: same });
        expect(parseBundle(stringify(same), { format: 'yaml' })).toMatchObject({ ok: true, document: same });
      }),
    );
  });

  it('never shows a secret in its diff', () => {
    fc.assert(
      fc.property(bundle, bundle, (before, after) => {
        const live = resolved(before);
        const text = JSON.stringify(diffBundles(live, resolved(after, live), libraryDescriptor));
        expect(text).not.toMatch(/"secret":"s\d"|"(?:old|new)":"s\d"/);
      }),
    );
  });
});

/** The same bundle from back to front; plugins keep their order, which pairs them. */
const reversed = (document: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(document)
      .toReversed()
      .map(([key, list]) => [key, Array.isArray(list) && key !== 'plugins' ? list.toReversed() : list]),
  );

function updatesOf(diff: ReturnType<typeof diffBundles>) {
  return diff.changes.filter(({ action }) => action === 'update').sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Carries changes out naively; a redacted value is taken from `desired`, as whoever applies a diff has to. */
function applyAll(
  live: BundleState,
  desired: BundleState,
  changes: ReturnType<typeof diffBundles>['changes'],
): BundleState {
  const state = JSON.parse(JSON.stringify(live)) as Record<string, Record<string, unknown>[]>;
  for (const change of changes) {
    const list = (state[change.resource_type] ??= []);
    const wanted = (desired[change.resource_type] ?? []).find(({ id }) => id === change.id);
    let target = list.find(({ id }) => id === change.id);
    if (!target) list.push((target = { id: change.id }));
    for (const field of change.fields) applyOne(target, wanted, field);
  }
  return state;
}

function applyOne(target: Record<string, unknown>, wanted: unknown, { path, op }: FieldChange): void {
  const steps = stepsOf(path);
  const last = steps.pop() ?? '';
  const walk = (from: unknown) => steps.reduce((at, step) => (at as Record<string, unknown>)[step], from);
  const parent = walk(target) as Record<string, unknown> | unknown[];
  if (op !== 'remove')
    (parent as Record<string, unknown>)[last] = structuredClone((walk(wanted) as Record<string, unknown>)[last]);
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
}
