import { describe, expect, it } from 'vitest';
import { diffBundles, resolveBundle } from './index.ts';
import { libraryDescriptor } from './testdata/library-descriptor.ts';

const bundle = (path: string) => ({
  tenant_id: 'acme',
  routes: [{ name: 'r', gateway_name: 'elsewhere', service_name: 's', path }],
});

describe('references that leave both documents', () => {
  it('are refused', () => {
    const { errors } = resolveBundle(bundle('/a'), libraryDescriptor, {}, { newId: () => 'n' });
    expect(errors.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/routes/0/gateway_name', 'reference_not_found'],
    ]);
  });

  it('are kept where that is asked for: the same words mean the same record', () => {
    const resolve = (path: string, live = {}) =>
      resolveBundle(bundle(path), libraryDescriptor, live, { newId: () => 'n', outside: 'keep' });
    const live = resolve('/a').desired;
    const { desired, errors } = resolve('/b', live);
    expect(errors).toEqual([]);
    expect(diffBundles(live, desired, libraryDescriptor).changes).toEqual([
      {
        action: 'update',
        resource_type: 'routes',
        id: 'n',
        name: 'r',
        fields: [{ path: '/path', op: 'replace', old: '/a', new: '/b' }],
      },
    ]);
  });
});
