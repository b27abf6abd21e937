import { networkInterfaces } from 'node:os';
import { createEgress } from '@portcullis/egress';
import { type AnyDriver, driverNames, findDriver, IntegrationError } from '@portcullis/integrations';
import { endless, failing, redirecting, startFakeSystem } from '@portcullis/integrations/testing';
import { listenOn, privateSpellings } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { egressFetch } from './egress-fetch.ts';

const clock = { nowMs: () => Date.UTC(2026, 0, 1) };

/** Every address of this machine at once. */
const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'));
const everywhere = hasIpv6 ? '::' : '0.0.0.0';

/** Every field of every driver that holds an address; regions are no addresses, and have patterns. */
const addresses = driverNames.flatMap((name) => {
  const driver = findDriver(name);
  const fields = driver?.form.fields.filter(({ in: place, input }) => place === 'config' && input === 'url') ?? [];
  return driver === undefined ? [] : fields.map((field) => ({ name, field: field.name, driver }));
});

/** Whatever the driver requires. */
function inputOf(driver: AnyDriver, field: string, url: string) {
  const secrets = driver.form.fields
    .filter(({ in: place }) => place === 'secrets')
    .map((of) => [of.name, `s-${of.name}`]);
  const region = driver.form.fields.some(({ name, required }) => name === 'region' && required);
  const config = { ...(region && { region: 'eu-central-1' }), [field]: url };
  return { config, secrets: Object.fromEntries(secrets) as object, clock };
}

async function failureOf(sync: Promise<unknown>): Promise<IntegrationError> {
  const error = await sync.then(
    () => 'the sync succeeded',
    (failure: unknown) => failure,
  );
  if (!(error instanceof IntegrationError)) throw new Error(String(error));
  return error;
}

it('are those of all five drivers', () => {
  expect(addresses.map(({ name, field }) => `${name}.${field}`)).toEqual([
    'cloud_api_gateway.endpoint_url',
    'api_registry.base_url',
    'it_service_management.instance_url',
    'log_analytics.base_url',
    'incident_alerting.api_url',
  ]);
});

describe.each(addresses)('$name.$field', ({ driver, field }) => {
  it.each(['https:', 'http:'])('reaches no private address over %s, however it is spelt', async (scheme) => {
    await using listener = await listenOn([everywhere]);
    const egress = createEgress({ lookup: async () => ['127.0.0.1', '::1', '::ffff:127.0.0.1'] });
    const fetch = egressFetch(egress);
    const codes = new Set<string>();
    const spellings = privateSpellings(listener.port);
    try {
      for (const { url } of spellings) {
        const input = inputOf(driver, field, url.replace(/^http:/i, scheme));
        codes.add((await failureOf(driver.sync({ ...input, fetch }))).code);
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

  it('reaches one that the operator lists, and fails there as over any other fetch', async () => {
    await using system = await startFakeSystem(() => ({ status: 500 }));
    const egress = createEgress({ allowed: [{ address: '127.0.0.1' }] });
    const input = { ...inputOf(driver, field, system.url), fetch: egressFetch(egress) };
    const codes: string[] = [];
    try {
      for (const fault of [failing(429), redirecting(`${system.url}/elsewhere`), endless()]) {
        system.fault = fault;
        codes.push((await failureOf(driver.sync(input))).code);
      }
    } finally {
      await egress.close();
    }
    expect([codes, system.requests.length]).toEqual([['rate_limited', 'redirected', 'too_large'], 3]);
  });
});
