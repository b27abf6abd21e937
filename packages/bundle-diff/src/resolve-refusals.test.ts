import { describe, expect, it } from 'vitest';
import { describeFamilies, resolveBundle } from './index.ts';
import type { BundleState } from './index.ts';

const base = {
  readOnlyFields: {},
  references: [],
  keys: [{ fields: ['name'], scope: 'tenant', addressable: true }],
} as const;
const families = [
  { ...base, name: 'gateways', scope: 'tenant', fields: { name: {} }, bundle: { key: 'gateways', level: 1 } },
  { ...base, name: 'services', scope: 'gateway', fields: { name: {} }, bundle: { key: 'services', level: 2 } },
  { ...base, name: 'keys', scope: 'tenant', fields: { name: {}, key: {} }, bundle: { key: 'keys', level: 2 } },
] as const;
const descriptor = describeFamilies<(typeof families)[number]>(families, {
  parent: { family: 'gateways', field: 'gateway_id', nameField: 'gateway_name' },
  check: (_, record) => ({ ok: true, values: record }),
  isRequired: () => false,
  immutable: () => [],
  writeOnly: (family) => (family.name === 'keys' ? ['key'] : []),
  requiredWhenNew: (family) => (family.name === 'keys' ? ['key'] : []),
});
const live: BundleState = {
  gateways: [
    { id: 'g1', name: 'one' },
    { id: 'g2', name: 'two' },
  ],
  services: [{ id: 'sx', name: 'old', gateway_id: 'g1' }],
  keys: [{ id: 'k1', name: 'known' }],
};
const errorsOf = (bundle: object) =>
  resolveBundle({ tenant_id: 'acme', ...bundle }, descriptor, live, { newId: () => 'new' }).errors;

describe('what a bundle cannot ask of live records', () => {
  it.each([{ gateway_id: 'g2' }, { gateway_name: 'two' }])('a record does not move to another gateway: %o', (place) => {
    expect(errorsOf({ services: [{ id: 'sx', name: 'old', ...place }] })).toMatchObject([
      { pointer: '/services/0/gateway_id', code: 'immutable' },
    ]);
    expect(errorsOf({ services: [{ id: 'sx', name: 'old', gateway_id: 'g1' }] })).toEqual([]);
  });

  it('a secret that would be made up and shown to nobody must be given; a live one may be left out', () => {
    expect(errorsOf({ keys: [{ name: 'fresh' }] })).toMatchObject([
      { pointer: '/keys/0/key', code: 'secret_required' },
    ]);
    expect(errorsOf({ keys: [{ name: 'fresh', key: 'given' }, { name: 'known' }] })).toEqual([]);
  });
});
