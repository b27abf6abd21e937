import { networkInterfaces } from 'node:os';
import { expect, it } from 'vitest';
import { createEgress, type Egress } from './egress.ts';
import { listenOn } from '@portcullis/testkit';
import { privateSpellings } from '@portcullis/testkit';

/** What any name stands for: names are no way around the rule. */
const lookup = async (): Promise<readonly string[]> => ['127.0.0.1', '::1', '0.0.0.0', '::ffff:127.0.0.1'];

/** Every address of this machine at once. */
const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'));
const everywhere = hasIpv6 ? '::' : '0.0.0.0';

/** What came of calling something: the code of its error. */
async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => 'called',
    (error: unknown) => (error as { code?: unknown }).code,
  );
}

function request(egress: Egress, url: string): Promise<unknown> {
  return egress.request({ url, timeoutMs: 30_000, responseBytesMax: 1000 });
}

it('no spelling of a private address is called or resolved', async () => {
  await using listener = await listenOn([everywhere]);
  const egress = createEgress({ lookup });
  const spellings = privateSpellings(listener.port);
  expect(spellings.length).toBeGreaterThan(900);
  const outcomes: (readonly [string, unknown])[] = [];
  for (const { url, host } of spellings) {
    outcomes.push([url, await outcomeOf(request(egress, url))]);
    if (host !== undefined) outcomes.push([host, await outcomeOf(egress.resolve(host, listener.port))]);
  }
  expect(outcomes.filter(([, code]) => code !== 'refused')).toEqual([]);
  expect(listener.accepted(everywhere)).toBe(0);
  await egress.close();
});

it('the same spellings arrive where the operator allows it, so that the listener of the first test is one', async () => {
  await using listener = await listenOn([everywhere]);
  const allowed = [{ address: '127.0.0.0', bits: 8 }, { address: '0.0.0.0' }, { address: '::1' }, { address: '::' }];
  const egress = createEgress({ lookup, allowed });
  const arrived: string[] = [];
  for (const { url, host } of privateSpellings(listener.port)) {
    if (host !== undefined && (await outcomeOf(request(egress, url))) === 'called') arrived.push(host);
  }
  expect(arrived).toEqual(
    expect.arrayContaining(['2130706433', '0x7f.0x0.0x0.0x1', '①②⑦.⓪.⓪.①', '127。0。0。1', 'localhost.']),
  );
  expect(listener.accepted(everywhere)).toBe(arrived.length);
  expect(arrived.filter((host) => /64:ff9b|2002|5efe|2001|169|168/i.test(host))).toEqual([]);
  await egress.close();
});

it.each([
  ['', 80],
  ['a b', 80],
  ['a/b', 80],
  ['name.test:81', 80],
  ['user@name.test', 80],
  ['.', 80],
  ['a..b', 80],
  [`${'a'.repeat(64)}.test`, 80],
  ['a'.repeat(9000), 80],
])('resolves no host that is none (%s)', async (host, port) => {
  expect(await outcomeOf(createEgress({ lookup, allowed: [{ address: '127.0.0.1' }] }).resolve(host, port))).toBe(
    'refused',
  );
});

it('takes no port that is none', async () => {
  await expect(createEgress().resolve('name.test', 0)).rejects.toThrow('port must be a whole number from 1 to 65535');
});
