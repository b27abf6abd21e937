import { networkInterfaces } from 'node:os';
import { createEgress } from '@portcullis/egress';
import { listenOn, privateSpellings } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { driverCases } from './testing/driver-cases.test-support.ts';
import { startFakeSystem } from './testing/fake-system.ts';
import { endless, failing, redirecting } from './testing/faults.ts';
import { guardedFetch } from './testing/guarded-fetch.test-support.ts';
import { failureOf, stillClock } from './testing/sync.test-support.ts';

/** Every address of this machine at once. */
const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'));
const everywhere = hasIpv6 ? '::' : '0.0.0.0';

describe.each(driverCases)('$name over the guarded way out', ({ driver, behaviour, config, secrets }) => {
  it('works where the operator lists the address, and reads failures alike', async () => {
    await using system = await startFakeSystem(behaviour);
    const egress = createEgress({ allowed: [{ address: '127.0.0.1' }] });
    const input = { config: config(system.url), secrets, fetch: guardedFetch(egress), clock: stillClock() };
    try {
      expect(await driver.sync(input)).toEqual(await driver.sync({ ...input, fetch }));
      system.fault = failing(429, { 'retry-after': '30' });
      const limited = await failureOf(driver.sync(input));
      system.fault = redirecting('http://127.0.0.1/');
      const redirected = await failureOf(driver.sync(input));
      system.fault = endless();
      const long = await failureOf(driver.sync(input));
      expect([limited, redirected, long].map(({ code }) => code)).toEqual(['rate_limited', 'redirected', 'too_large']);
      expect(limited.metadata.retry_after_seconds).toBe(30);
    } finally {
      await egress.close();
    }
  });

  it('reaches no private address, however its config spells it', async () => {
    await using listener = await listenOn([everywhere]);
    const egress = createEgress({ lookup: async () => ['127.0.0.1', '::1', '::ffff:127.0.0.1'] });
    const codes = new Set<string>();
    const spellings = privateSpellings(listener.port);
    try {
      for (const { url } of spellings) {
        const secure = url.replace(/^http:/i, 'https:');
        const input = { config: config(secure), secrets, fetch: guardedFetch(egress), clock: stillClock() };
        const { code, message } = await failureOf(driver.sync(input));
        codes.add(code);
        expect(message).not.toContain('127');
      }
    } finally {
      await egress.close();
    }
    expect([spellings.length > 500, codes, listener.accepted(everywhere)]).toEqual([
      true,
      new Set(['refused', 'invalid_input']),
      0,
    ]);
  });
});
