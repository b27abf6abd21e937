import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { egressLimits } from '../egress-limits.ts';
import { AddressPolicy } from './address-policy.ts';
import { VettedAddresses } from './vetted-addresses.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'found',
    (error: unknown) => error,
  );

it('a look-up that nobody waits for any more counts until it settles', async () => {
  const open: ((addresses: readonly string[]) => void)[] = [];
  const lookup = (): Promise<readonly string[]> => new Promise((resolve) => open.push(resolve));
  const addresses = new VettedAddresses(new AddressPolicy(), lookup);
  const ask = (name: string) => codeOf(addresses.of(name, 443));
  const first = Array.from({ length: egressLimits.lookupsMax }, (_, index) => ask(`slow${index}.test`));
  await vi.advanceTimersByTimeAsync(egressLimits.lookupTimeoutMs);
  for (const error of await Promise.all(first)) expect(error).toMatchObject({ code: 'timeout' });
  expect(await ask('other.test')).toMatchObject({ code: 'unreachable', message: expect.stringContaining('too many') });
  expect(open).toHaveLength(egressLimits.lookupsMax);
  open[0]?.(['192.0.2.1']);
  await vi.advanceTimersByTimeAsync(0);
  const next = ask('other.test');
  open.at(-1)?.(['8.8.8.8']);
  expect(await next).toBe('found');
});
