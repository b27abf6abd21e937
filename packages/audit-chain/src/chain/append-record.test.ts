import { expect, it } from 'vitest';
import { appendRecord, chainBatch, contentHash, GENESIS, verifyChain } from '../index.ts';

const first = appendRecord(null, { id: 'a', tenant_id: 'acme', after: { name: 'x' } });
const second = appendRecord(first, { id: 'b', tenant_id: 'acme' });
const third = appendRecord({ sequence: 2, hash: second.audit_hash }, { id: 'c', tenant_id: 'acme' });

it('chains records and finds the first one that does not fit', () => {
  const log = [first, second, third];
  expect(log.map((record) => record.tenant_sequence)).toEqual([1, 2, 3]);
  expect(first.previous_hash).toBe('0'.repeat(64));
  expect(verifyChain(log)).toEqual({ valid: true, checked: 3 });
  expect(verifyChain([])).toEqual({ valid: true, checked: 0 });
  expect(verifyChain([third], second)).toEqual({ valid: true, checked: 1 });
  expect(verifyChain([first, { ...second, id: 'x' }, third])).toEqual({ valid: false, checked: 1, first_invalid: 2 });
  expect(verifyChain([first, third])).toEqual({ valid: false, checked: 1, first_invalid: 2 });
  expect(verifyChain([second, first])).toEqual({ valid: false, checked: 0, first_invalid: 1 });
  expect(verifyChain([first, second, second])).toEqual({ valid: false, checked: 2, first_invalid: 3 });
  const rehashed = appendRecord(first, { id: 'x', tenant_id: 'acme' });
  expect(verifyChain([first, rehashed, third])).toEqual({ valid: false, checked: 2, first_invalid: 3 });
  const foreign = appendRecord(first, { id: 'x', tenant_id: 'globex' });
  expect(verifyChain([first, foreign])).toEqual({ valid: false, checked: 1, first_invalid: 2 });
  expect(verifyChain([first, null as never])).toEqual({ valid: false, checked: 1, first_invalid: 2 });
  expect(verifyChain([{ ...first, note: undefined }])).toEqual({ valid: false, checked: 0, first_invalid: 1 });
});

it('chains as a batch does', () => {
  const canonical = '{"after":{"name":"x"},"id":"a","tenant_id":"acme"}';
  const heads = { global: GENESIS, tenants: new Map() };
  const { links } = chainBatch(heads, [{ tenantId: 'acme', contentHash: contentHash(canonical) }]);
  expect(links[0]?.audit_hash).toBe(first.audit_hash);
  // A value of another implementation: nobody changes the framing unseen.
  expect(contentHash('{}')).toBe('8dcc2b30926ee2e666c4c0f6c7aace850d213d7abc36a191fa00222ce8c5b115');
});
