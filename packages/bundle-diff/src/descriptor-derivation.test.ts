import { describe, expect, it } from 'vitest';
import { diffBundles, planChanges, resolveBundle, validateBundle } from './index.ts';
import type { BundleRecord } from './index.ts';
import { libraryDescriptor } from './testdata/library-descriptor.ts';

const collection = (key: string) => libraryDescriptor.collections.find((candidate) => candidate.key === key);

describe('describeFamilies', () => {
  it('puts a record into its gateway and looks names up inside it', () => {
    expect(collection('routes')).toMatchObject({
      ownNameFields: ['gateway_name'],
      keys: [{ fields: ['name'], within: 'gateway_id', addressable: true }],
      references: [
        { field: 'gateway_id', nameField: 'gateway_name', collection: 'gateways', required: true, strict: false },
        { field: 'service_id', nameField: 'service_name', collection: 'services', within: 'gateway_id', strict: true },
      ],
    });
  });

  it('never compares what only the server sets, nor keys that are no field of a bundle', () => {
    expect(collection('credentials')?.serverFields).toEqual([
      'created_at',
      'updated_at',
      'revision',
      'key_prefix',
      'key_hash',
    ]);
    expect(collection('credentials')?.keys).toEqual([{ fields: ['type', 'name'], within: 'consumer_id' }]);
  });

  it('pairs records without a key by their name and references', () => {
    expect(collection('plugins')?.matchBy).toEqual(['name', 'gateway_id', 'consumer_id']);
  });
});

describe('strict validation', () => {
  it('insists on services and upstreams inside the bundle, not on gateways and consumers', () => {
    const document = {
      tenant_id: 'acme',
      services: [{ name: 's', gateway_id: 'g1', upstream_name: 'pool' }],
      routes: [{ name: 'r', gateway_id: 'g1', service_name: 'gone' }],
      credentials: [{ name: 'c', type: 'api_key', consumer_id: 'c1' }],
    };
    expect(validateBundle(document, libraryDescriptor).errors).toEqual([]);
    expect(validateBundle(document, libraryDescriptor).warnings).toHaveLength(5);
    const strict = validateBundle(document, libraryDescriptor, { strict: true });
    expect(strict.valid).toBe(false);
    expect(strict.errors.map(({ pointer }) => pointer)).toEqual([
      '/services/0/upstream_name',
      '/routes/0/service_name',
    ]);
  });
});

describe('resolveBundle', () => {
  it('leaves out what a check derived and only the server may set', () => {
    const collections = libraryDescriptor.collections.map((each) => ({
      ...each,
      check: (record: BundleRecord) => ({ ok: true, values: { ...record, revision: 1 } }) as const,
    }));
    const document = { tenant_id: 'acme', gateways: [{ name: 'edge' }] };
    const { desired } = resolveBundle(document, { collections }, {}, { newId: () => 'g1' });
    expect(desired['gateways']).toEqual([{ id: 'g1', name: 'edge' }]);
  });
});

describe('strict validation with live records', () => {
  it('lets references lead to live records as well', () => {
    const document = { tenant_id: 'acme', routes: [{ name: 'r', gateway_name: 'edge', service_name: 's' }] };
    const live = {
      gateways: [{ id: 'g1', name: 'edge' }],
      services: [{ id: 's1', gateway_id: 'g1', name: 's' }],
    };
    expect(validateBundle(document, libraryDescriptor, { strict: true }).valid).toBe(false);
    expect(validateBundle(document, libraryDescriptor, { strict: true, live })).toMatchObject({
      valid: true,
      warnings: [],
    });
  });
});

describe('bugs of a caller', () => {
  it('a live record without an ID and a change of an unknown collection throw', () => {
    expect(() => diffBundles({ gateways: [{ name: 'x' }] }, {}, libraryDescriptor)).toThrow(TypeError);
    const change = { action: 'create', resource_type: 'ships', id: 'x', name: null, fields: [] } as const;
    expect(() => planChanges([change], libraryDescriptor)).toThrow(RangeError);
  });
});
