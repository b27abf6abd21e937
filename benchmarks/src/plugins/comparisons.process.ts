/**
 * Limiters and lists of addresses beside those that others use, in one process: the same clients by turns, so that all are disturbed alike.
 */
import { BlockList } from 'node:net';
import { NetworkSet, readNetwork } from '@portcullis/egress/networks';
import { builtInPlugins } from '@portcullis/plugins';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { median } from '../figures/quantile.ts';
import { bodyContenders } from './body-contenders.ts';
import { caseRun } from './case-run.ts';
import type { Contender } from './contender.ts';
import { emptyPlugin } from './plugin-cases.ts';
import { redisContenders } from './redis-contenders.ts';
import { listedAddresses, manyNetworks } from './traffic-cases.ts';

const rounds = 15;
const warmUpRounds = 3;
const limit = 100_000_000;

const addresses = listedAddresses(10_000);

function plugin(name: string, config: unknown): Contender {
  const found = builtInPlugins.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no plugin ${name}`);
  const run = caseRun({ plugin: found, config, headers: [] });
  return { run: (address) => mustPass(run([], address)), requests: 10_000 };
}

function mustPass(result: unknown): unknown {
  if (result !== 'continue' && !(result instanceof Promise)) throw new Error(`a request ends with ${String(result)}`);
  return result;
}

/** The sets alone, without a request around them. */
function networkSet(list: readonly string[]): Contender {
  const set = new NetworkSet(list.map((one) => readNetwork(one)).filter((one) => typeof one !== 'string'));
  return { run: (address) => mustHold(set.has(address)), requests: 10_000 };
}

function blockList(list: readonly string[], requests: number): Contender {
  const set = new BlockList();
  for (const one of list) set.addSubnet(one.split('/')[0] ?? '', Number(one.split('/')[1]), 'ipv4');
  return { run: (address) => mustHold(set.check(address, 'ipv4')), requests };
}

function mustHold(isHeld: boolean): void {
  if (!isHeld) throw new Error('a list does not hold an address of it');
}

const rateLimiterFlexible = new RateLimiterMemory({ points: limit, duration: 3600 });
const one = ['10.0.0.0/8'];
const wide = { limit, window_seconds: 3600, limit_by: 'ip' };
const redis = await redisContenders();
const contenders: ReadonlyMap<string, Contender> = new Map([
  ['empty', { run: caseRunOfEmpty(), requests: 10_000 }],
  ['rate_limiter', plugin('rate_limiter', wide)],
  ['rate_limiter_no_headers', plugin('rate_limiter', { ...wide, hide_client_headers: true })],
  ['rate_limiter_sliding', plugin('rate_limiter', { ...wide, strategy: 'sliding' })],
  ['advanced_rate_limiter', plugin('advanced_rate_limiter', wide)],
  ['rate_limiter_flexible', { run: (address: string) => rateLimiterFlexible.consume(address), requests: 10_000 }],
  ['ip_whitelist_1', plugin('ip_whitelist', { allowed_ips: one })],
  ['ip_whitelist_10000', plugin('ip_whitelist', { allowed_ips: manyNetworks })],
  ['set_1', networkSet(one)],
  ['set_10000', networkSet(manyNetworks)],
  ['block_list_1', blockList(one, 10_000)],
  ['block_list_10000', blockList(manyNetworks, 200)],
  ...bodyContenders(),
  ...redis.contenders,
]);

function caseRunOfEmpty(): Contender['run'] {
  const run = caseRun({ plugin: emptyPlugin, config: {}, headers: [] });
  return (address) => run([], address);
}

/** Nanoseconds of one request. */
async function timeOf({ run, requests, isWaiting = false }: Contender): Promise<number> {
  const [cpuBefore, clockBefore] = [process.cpuUsage(), process.hrtime.bigint()];
  for (let done = 0; done < requests; done += 1) {
    const result = run(addresses[done] ?? '');
    if (result instanceof Promise) await result;
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  const ns = isWaiting ? Number(process.hrtime.bigint() - clockBefore) : (user + system) * 1000;
  return ns / requests;
}

const times = new Map([...contenders.keys()].map((name) => [name, [] as number[]]));
globalThis.gc?.();
for (let round = -warmUpRounds; round < rounds; round += 1) {
  const order = [...contenders];
  for (const [name, contender] of round % 2 === 0 ? order : order.toReversed()) {
    const time = await timeOf(contender);
    if (round >= 0) times.get(name)?.push(time);
  }
}
console.log(JSON.stringify(Object.fromEntries([...times].map(([name, found]) => [name, median(found)]))));
await redis.close();
