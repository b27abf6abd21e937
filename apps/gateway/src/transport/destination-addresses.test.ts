import { createEgress, type EgressOptions } from '@portcullis/egress';
import { createRuntime, ExchangeState } from '@portcullis/plugin-runtime';
import { builtInPlugins } from '@portcullis/plugins';
import { listenOn, privateSpellings } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { DestinationPools } from './destination-pools.ts';

/** What any name stands for: names are no way around the rule. */
const lookup = async (): Promise<readonly string[]> => ['127.0.0.1', '::1', '0.0.0.0', '::ffff:127.0.0.1'];

const silent = { debug: () => undefined, warn: () => undefined, error: () => undefined };
const gateway = { id: 'g', name: 'g' };

/** Sends a request by a plugin with this config, and waits for what its copies do. @returns how it ended */
async function outcomeOf(name: string, config: object, options: EgressOptions): Promise<string> {
  const egress = createEgress(options);
  const pools = new DestinationPools({ egress, log: silent, monotonicMs: () => 0 });
  const plugin = builtInPlugins.find((one) => one.name === name);
  if (plugin?.compile(config).ok !== true) return 'invalid';
  const copied: Promise<unknown>[] = [];
  const outbound = {
    resolve: egress.resolve,
    open: egress.open,
    request: (...call: Parameters<typeof egress.request>) => {
      const copy = egress.request(...call);
      copied.push(
        copy.then(
          () => 'whole',
          ({ code }: { code: string }) => code,
        ),
      );
      return copy;
    },
  };
  const chain = createRuntime({ plugins: [plugin], inline: [{ name, config }], log: silent, outbound }).chainFor({
    gateway,
  });
  const request = {
    method: 'GET',
    scheme: 'http',
    host: 'a',
    path: '/',
    query: '',
    headers: [],
    clientIp: '192.0.2.1',
  } as const;
  const exchange = new ExchangeState({
    facts: { requestId: 'r', tenantId: 't', gateway },
    request: { ...request, headers: [] },
  });
  await chain.runRequest(exchange);
  const origin = exchange.request.destination?.origin;
  const outcome = origin === undefined ? String(await copied[0]) : await sent(pools, origin);
  pools.close();
  await egress.close();
  return outcome;
}

function sent(pools: DestinationPools, origin: string): Promise<string> {
  return new Promise((resolve) => {
    const times = { readTimeoutMs: 60_000, writeTimeoutMs: 60_000 };
    const request = { method: 'GET', path: '/', headers: ['host', 'a'], body: undefined, ...times };
    pools.clientOf(origin, 60_000).send(request, {
      onResponse: () => undefined,
      onChunk: () => undefined,
      onEnd: () => resolve('whole'),
      onFailure: ({ code }) => resolve(code),
    });
  });
}

const fields: readonly (readonly [string, string, (url: string) => object])[] = [
  ['forward_proxy', 'http:', (url) => ({ forward_url: url })],
  ['canary_shadow_traffic', 'https:', (url) => ({ canary_percentage: 100, canary_upstream_url: url })],
  ['canary_shadow_traffic', 'https:', (url) => ({ canary_percentage: 100, canary_forward_url: url })],
];

const harmless = new Set(['invalid', 'refused', 'upstream_refused']);

describe('addresses that tenants write down', () => {
  it.each(fields)(
    'in %s (%s) lead to no private address, in no spelling',
    { timeout: 120_000 },
    async (name, scheme, configOf) => {
      await using listener = await listenOn(['0.0.0.0']);
      const spellings = privateSpellings(listener.port).map(({ url }) => url.replace(/^http:/, scheme));
      expect(spellings.length).toBeGreaterThan(900);
      const reached: [string, string][] = [];
      let refused = 0;
      for (const url of spellings) {
        // oxlint-disable-next-line no-await-in-loop -- so many at once would be another test
        const outcome = await outcomeOf(name, configOf(url), { lookup });
        if (!harmless.has(outcome)) reached.push([url, outcome]);
        if (outcome !== 'invalid') refused += 1;
      }
      expect(reached).toEqual([]);
      expect([listener.accepted('0.0.0.0'), refused > 500]).toEqual([0, true]);
    },
  );

  it('arrive where the operator allows them, so that the listener is one', async () => {
    await using listener = await listenOn(['0.0.0.0']);
    const allowed = [{ address: '127.0.0.0', bits: 8 }, { address: '0.0.0.0' }];
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '①②⑦.⓪.⓪.①', 'localhost.', '[::ffff:7f00:1]']) {
      const config = { forward_url: `http://${host}:${listener.port}` };
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect([host, await outcomeOf('forward_proxy', config, { lookup, allowed })]).toEqual([host, 'whole']);
    }
    expect(listener.accepted('0.0.0.0')).toBe(6);
  });
});
