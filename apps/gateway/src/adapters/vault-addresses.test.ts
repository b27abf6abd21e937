import { networkInterfaces } from 'node:os';
import { createEgress, type Egress } from '@portcullis/egress';
import { listenOn, privateSpellings } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import { createProcessVaults } from './process-vaults.ts';

/** Every address of this machine at once. */
const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'));
const everywhere = hasIpv6 ? '::' : '0.0.0.0';

/** Stands for the public internet, which tests have none of: the operator lists it. */
const open = '127.0.0.2';
/** What must never be called. */
const closed = '127.0.0.1';

/** @returns the code of the failure to read a secret of a vault at each address, in their order */
async function codesOf(egress: Egress, addresses: readonly string[]): Promise<readonly string[]> {
  const vaults = createProcessVaults({
    envAllow: new Map(),
    fileVaultDir: undefined,
    monotonicMs: () => performance.now(),
    outbound: egress,
    log: { warn: () => undefined },
  });
  const config = { token: 't', mount: 'secret', kv_version: 2, ttl_seconds: 60 } as const;
  const prefixes = addresses.map((_, index) => `v${index}`);
  vaults.put(
    'acme',
    addresses.map((address, index) => ({
      prefix: prefixes[index] ?? '',
      driver: 'hashicorp',
      config: { ...config, address },
    })),
  );
  const codes: string[] = [];
  for (const prefix of prefixes) {
    try {
      // One after the other: so many reads at a time are refused.
      // oxlint-disable-next-line no-await-in-loop -- see above
      await vaults.read(`vault://${prefix}/s`);
    } catch (error) {
      codes.push((error as { code: string }).code);
    }
  }
  await egress.close();
  return codes;
}

it.each(['https:', 'http:'])('a vault leads to no private address over %s, however it is spelt', async (scheme) => {
  await using listener = await listenOn([everywhere]);
  const egress = createEgress({ lookup: async () => ['127.0.0.1', '::1', '::ffff:127.0.0.1'] });
  const addresses = privateSpellings(listener.port).map(({ url }) => url.replace(/^http:/i, scheme));
  expect(new Set(await codesOf(egress, addresses))).toEqual(new Set(['denied']));
  expect(listener.accepted(everywhere)).toBe(0);
});

it('a vault is called where the operator lists it, so that the test before is one', async () => {
  await using listener = await listenOn([open]);
  const egress = createEgress({ lookup: async () => [open], allowed: [{ address: open }] });
  expect(await codesOf(egress, [`http://vault.test:${listener.port}`])).toEqual(['unavailable']);
  expect(listener.accepted(open)).toBe(1);
});

it('a vault whose name changes its mind leads to no private address', async () => {
  await using listener = await listenOn([open, closed]);
  const answers = [[open], [closed], [closed, open], [open, closed]];
  let asked = 0;
  const lookup = async (): Promise<readonly string[]> => answers[asked++ % answers.length] ?? [];
  const egress = createEgress({ lookup, allowed: [{ address: open }] });
  const names = Array.from({ length: 100 }, (_, index) => `http://vault${index}.test:${listener.port}`);
  expect(new Set(await codesOf(egress, names))).toEqual(new Set(['unavailable', 'denied']));
  expect([listener.accepted(open) > 0, listener.accepted(closed)]).toEqual([true, 0]);
});

it.each([301, 302, 303, 307, 308])('a vault that redirects with %i is not followed', async (status) => {
  await using listener = await listenOn([open, closed], ({ socket }, response) => {
    response.writeHead(status, { location: `http://${closed}:${socket.localPort}/`, connection: 'close' }).end();
  });
  const egress = createEgress({ lookup: async () => [open], allowed: [{ address: open }] });
  expect(await codesOf(egress, [`http://vault.test:${listener.port}`])).toEqual(['unavailable']);
  expect([listener.accepted(open), listener.accepted(closed)]).toEqual([1, 0]);
});
