import { describe, expect, it } from 'vitest';
import { diffBundles } from './index.ts';
import { libraryDescriptor } from './testdata/library-descriptor.ts';

const gateway = (number: number, label = 'old') => ({ id: `g${number}`, name: `gateway-${number}`, labels: { label } });

describe('a diff of which little is shown', () => {
  const live = { gateways: [gateway(1), gateway(2)] };
  const desired = { gateways: [gateway(3), gateway(4), gateway(1, 'new')] };

  it('tells the fields of the first changes and of all updates; the summary counts all', () => {
    const { changes, summary } = diffBundles(live, desired, libraryDescriptor, { describedMax: 1 });
    expect(changes.map(({ id, name, action, fields }) => [id, name, action, fields.length])).toEqual([
      ['g3', 'gateway-3', 'create', 2],
      ['g4', 'gateway-4', 'create', 0],
      ['g1', 'gateway-1', 'update', 1],
    ]);
    expect(summary).toEqual({ create: 2, update: 1, unchanged: 0, unmanaged: 1, total: 4 });
  });

  it('lists so many unmanaged records as are asked for', () => {
    const { unmanaged, summary } = diffBundles(live, {}, libraryDescriptor, { unmanagedMax: 1 });
    expect(unmanaged).toEqual([{ resource_type: 'gateways', id: 'g1', name: 'gateway-1' }]);
    expect(summary.unmanaged).toBe(2);
  });
});
