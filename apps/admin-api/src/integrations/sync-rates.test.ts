import { FakeClock } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import { SyncRates, syncsPerMinute } from './sync-rates.ts';

it('lets a few syncs of each integration begin, and then one after the other', () => {
  const clock = new FakeClock();
  const rates = new SyncRates(clock.monotonicMs);
  const one = { tenantId: 'acme', id: 'one' };
  const refused = expect.objectContaining({ code: 'rate_limited', headers: { 'retry-after': '10' } }) as Error;
  for (let count = 0; count < syncsPerMinute; count += 1) rates.take(one);
  expect(() => rates.take(one)).toThrow(refused);
  // Another integration, and another tenant's of the same ID.
  rates.take({ tenantId: 'acme', id: 'two' });
  rates.take({ tenantId: 'globex', id: 'one' });
  clock.advance(9999);
  expect(() => rates.take(one)).toThrow(expect.objectContaining({ headers: { 'retry-after': '1' } }) as Error);
  clock.advance(1);
  rates.take(one);
  expect(() => rates.take(one)).toThrow(refused);
  clock.advance(3_600_000);
  for (let count = 0; count < syncsPerMinute; count += 1) rates.take(one);
  expect(() => rates.take(one)).toThrow(refused);
});
