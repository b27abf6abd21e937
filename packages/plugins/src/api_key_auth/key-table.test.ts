import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { compileKeys, findKey } from './key-table.ts';

it('finds keys by their digests and keeps none of them, so that the time of a look-up tells nothing of a key', () => {
  const table = compileKeys(['first-key-0123456789', { key: 'second-key-0123456789', consumer: 'ann' }]);
  expect([findKey(table, 'first-key-0123456789'), findKey(table, 'second-key-0123456789')]).toEqual([
    { consumer: undefined },
    { consumer: 'ann' },
  ]);
  expect(findKey(table, 'first-key-012345678')).toBeUndefined();
  expect(inspect(table, { depth: null })).not.toMatch(/first-key|second-key/);
  // Whoever saw the table has nothing to present.
  expect([...table.keys()].map((digest) => findKey(table, digest))).toEqual([undefined, undefined]);
});
