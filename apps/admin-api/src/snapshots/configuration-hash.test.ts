import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigurationSum, emptyConfiguration } from './configuration-hash.ts';
import type { HashedRecord } from './configuration-hash.ts';

const body = fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });

function record(id: string, fields: HashedRecord['body']): HashedRecord {
  return { family: 'consumers', id, gatewayId: null, name: id, enabled: true, body: fields };
}

function naive(records: Iterable<HashedRecord>) {
  const sum = new ConfigurationSum();
  for (const one of records) sum.add(one);
  return sum.totals();
}

describe('the hash of a configuration', () => {
  it('kept through random writes it is the one of all records together, whatever their order', () => {
    const write = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), fields: fc.option(body) });
    fc.assert(
      fc.property(fc.array(write, { maxLength: 30 }), (writes) => {
        const live = new Map<string, HashedRecord>();
        let totals = emptyConfiguration;
        for (const { id, fields } of writes) {
          // Each write goes on from the stored totals, as one session after the other does.
          const sum = new ConfigurationSum(totals);
          const before = live.get(id);
          if (before) sum.remove(before);
          live.delete(id);
          if (fields !== null) {
            live.set(id, record(id, fields));
            sum.add(record(id, fields));
          }
          totals = sum.totals();
        }
        expect(totals).toEqual(naive([...live.values()].toReversed()));
      }),
    );
  });

  it('does not depend on the order of fields, and depends on everything that is configuration', () => {
    const one = record('a', { x: 1, y: { p: 1, q: [1, 2] } });
    expect(naive([record('a', { y: { q: [1, 2], p: 1 }, x: 1 })])).toEqual(naive([one]));
    const others: HashedRecord[] = [
      { ...one, family: 'vaults' },
      { ...one, id: 'b' },
      { ...one, gatewayId: 'g' },
      { ...one, name: null },
      { ...one, enabled: false },
      { ...one, body: { x: 1, y: { p: 1, q: [2, 1] } } },
      { ...one, body: { x: 1 } },
      { ...one, body: { x: '1', y: { p: 1, q: [1, 2] } } },
    ];
    expect(new Set([one, ...others].map((each) => naive([each]).hash)).size).toBe(others.length + 1);
  });

  it('fields of any name count, and the same record twice is not the same as none', () => {
    const odd = JSON.parse('{"__proto__":{"a":1},"constructor":2}') as HashedRecord['body'];
    expect(naive([record('a', odd)]).hash).not.toBe(naive([record('a', {})]).hash);
    expect(naive([record('a', {}), record('a', {})]).hash).not.toBe(emptyConfiguration.hash);
  });

  it('records of families that bundles do not hold are no part of it', () => {
    expect(naive([{ ...record('u', {}), family: 'users' }])).toEqual(emptyConfiguration);
    expect(emptyConfiguration.hash).toBe('0'.repeat(64));
  });
});
