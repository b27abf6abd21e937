import { describe, expect, it } from 'vitest';
import { describeFamilies, diffBundles, planChanges, resolveBundle, validateBundle } from './index.ts';
import type { BundleRecord, BundleState } from './index.ts';

/** Gateways hold certificates, which may lack a name; rings and chains list gateways, rings in no order. */
const plain = { readOnlyFields: {}, references: [] as const };
const listed = (name: string, sets: readonly string[]) => ({
  ...plain,
  name,
  scope: 'tenant',
  fields: { name: {}, gateway_ids: {} },
  keys: [{ fields: ['name'], scope: 'tenant', addressable: true }] as const,
  references: [{ field: 'gateway_ids', many: true, family: 'gateways', nameScope: 'tenant' }] as const,
  bundle: { key: name, level: 4, sets },
});
const families = [
  {
    ...plain,
    name: 'gateways',
    scope: 'tenant',
    fields: { name: {} },
    keys: [{ fields: ['name'], scope: 'tenant', addressable: true }] as const,
    bundle: { key: 'gateways', level: 1 },
  },
  {
    ...plain,
    name: 'certificates',
    scope: 'gateway',
    fields: { name: {}, cert: {} },
    keys: [{ fields: ['name'], scope: 'gateway', addressable: true }] as const,
    bundle: { key: 'certificates', level: 2 },
  },
  {
    ...listed('trusting', ['ids']),
    scope: 'gateway',
    fields: { name: {}, ids: {} },
    keys: [{ fields: ['name'], scope: 'gateway', addressable: true }] as const,
    references: [{ field: 'ids', many: true, family: 'certificates', nameScope: 'gateway' }] as const,
  },
  listed('rings', ['gateway_ids']),
  listed('chains', []),
];
const descriptor = describeFamilies(families, {
  parent: { family: 'gateways', field: 'gateway_id', nameField: 'gateway_name' },
  check: (_, values) => ({ ok: true, values }),
  isRequired: () => false,
  immutable: () => [],
  writeOnly: () => [],
});

const live: BundleState = {
  gateways: [
    { id: 'g1', name: 'one' },
    { id: 'g2', name: 'two' },
    // Its name is another's ID.
    { id: 'g3', name: 'g1' },
  ],
  certificates: [
    { id: 'c1', gateway_id: 'g1', cert: 'A' },
    { id: 'c2', gateway_id: 'g1', cert: 'B' },
    { id: 'c3', gateway_id: 'g1', name: 'named', cert: 'C' },
    { id: 'c4', gateway_id: 'g2', cert: 'D' },
  ],
};

function resolve(document: Record<string, readonly BundleRecord[]>, state: BundleState = live) {
  let made = 0;
  const bundle = { tenant_id: 'acme', ...document };
  return resolveBundle(bundle, descriptor, state, { newId: () => `new-${(made += 1)}` });
}

describe('lists of references', () => {
  it('mean records of the bundle and live ones, by ID or else by name', () => {
    const { desired, errors } = resolve({
      gateways: [{ name: 'three' }],
      rings: [{ name: 'r', gateway_ids: ['three', 'g1', 'two', 'g3'] }],
    });
    expect(errors).toEqual([]);
    expect(desired['rings']).toEqual([{ id: 'new-2', name: 'r', gateway_ids: ['new-1', 'g1', 'g2', 'g3'] }]);
  });

  it('follow a rename in the same bundle', () => {
    const renamed = [{ id: 'g1', name: 'uno' }];
    expect(resolve({ gateways: renamed, rings: [{ name: 'r', gateway_ids: ['uno'] }] }).desired['rings']).toMatchObject(
      [{ gateway_ids: ['g1'] }],
    );
    const { errors } = resolve({ gateways: renamed, rings: [{ name: 'r', gateway_ids: ['one'] }] });
    expect(errors).toMatchObject([{ pointer: '/rings/0/gateway_ids/0', code: 'reference_not_found' }]);
  });

  it('say every entry that leads nowhere or twice to one record, at its place', () => {
    const { desired, errors } = resolve({ rings: [{ name: 'r', gateway_ids: ['one', 'x', 'g1', 'a/b'] }] });
    expect(desired['rings']).toEqual([]);
    expect(errors.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/rings/0/gateway_ids/1', 'reference_not_found'],
      ['/rings/0/gateway_ids/2', 'duplicate'],
      ['/rings/0/gateway_ids/3', 'reference_not_found'],
    ]);
  });

  it('stay within what the record lies in', () => {
    const within = (gateway: string, ids: readonly string[]) =>
      resolve({ trusting: [{ name: 't', gateway_name: gateway, ids }] });
    expect(within('one', ['named', 'c1']).desired['trusting']).toMatchObject([{ ids: ['c3', 'c1'] }]);
    expect(within('two', ['named', 'c1', 'c4']).errors.map(({ pointer }) => pointer)).toEqual([
      '/trusting/0/ids/0',
      '/trusting/0/ids/1',
    ]);
  });

  it('are only warned of by a validation that knows no live state, and an error of a strict one', () => {
    const document = { tenant_id: 'acme', trusting: [{ name: 't', gateway_id: 'g1', ids: ['c1', 'c2'] }] };
    const { valid, warnings } = validateBundle(document, descriptor);
    expect(valid).toBe(true);
    expect(warnings.map(({ pointer }) => pointer)).toEqual([
      '/trusting/0/gateway_id',
      '/trusting/0/ids/0',
      '/trusting/0/ids/1',
    ]);
    expect(validateBundle(document, descriptor, { strict: true }).errors).toHaveLength(2);
  });

  it('compare as sets where the declaration says so, else in order', () => {
    const state: BundleState = {
      ...live,
      rings: [{ id: 'r', name: 'r', gateway_ids: ['g1', 'g2'] }],
      chains: [{ id: 'c', name: 'c', gateway_ids: ['g1', 'g2'] }],
    };
    const turned = ['two', 'one'];
    const { desired } = resolve(
      { rings: [{ name: 'r', gateway_ids: turned }], chains: [{ name: 'c', gateway_ids: turned }] },
      state,
    );
    const { changes } = diffBundles(state, desired, descriptor);
    expect(changes.map((change) => change.resource_type)).toEqual(['chains']);
    expect(planChanges(changes, descriptor)).toMatchObject([{ level: 4 }]);
  });
});

describe('records without the name that others of their kind have', () => {
  const identified = (certificates: readonly BundleRecord[]) =>
    resolve({ certificates }).desired['certificates']?.map(({ id }) => id);

  it('are paired in order among those that have none either, in the same place', () => {
    expect(
      identified([
        { gateway_name: 'one', cert: 'A' },
        { gateway_name: 'one', cert: 'B' },
      ]),
    ).toEqual(['c1', 'c2']);
    expect(identified([{ gateway_id: 'g2', cert: 'D' }])).toEqual(['c4']);
    const three = Array.from({ length: 3 }, () => ({ gateway_id: 'g1', cert: 'X' }));
    expect(identified(three)).toEqual(['c1', 'c2', 'new-1']);
  });

  it('keep the ID that they are given, which is then not up for pairing', () => {
    expect(
      identified([
        { gateway_id: 'g1', cert: 'X' },
        { id: 'c1', gateway_id: 'g1', cert: 'A' },
      ]),
    ).toEqual(['c2', 'c1']);
  });

  it('never take the place of one that has a name', () => {
    expect(identified([{ gateway_id: 'g1', name: 'named', cert: 'C' }])).toEqual(['c3']);
    expect(identified([{ gateway_id: 'g1', name: 'fresh', cert: 'A' }])).toEqual(['new-1']);
  });
});
