/**
 * What `api_key_auth` costs among few and among very many credentials, in one process: the same requests by turns, so that both are
 * disturbed alike.
 */
import { randomBytes } from 'node:crypto';
import { builtInPlugins } from '@portcullis/plugins';
import { median } from '../figures/quantile.ts';
import { caseRun, checkCase, type CaseRun } from './case-run.ts';
import { apiKey, gatewayDirectory, type Credential } from './gateway-directory.ts';
import { emptyPlugin } from './plugin-cases.ts';

const sizes = [10, 1_000_000] as const;
const rounds = 31;
const roundRequests = 20_000;
/** Requests that are asked again and again. Each has a key text of its own, as the HTTP parser makes them. */
const requests = 10_000;

/** Flat text that shares no memory with another. */
const flat = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

function* keysOf(count: number, kept: string[]): Generator<Credential> {
  const every = Math.max(1, Math.floor(count / requests));
  for (let made = 0; made < count; made += 1) {
    const key = randomBytes(24).toString('base64url');
    if (made % every === 0) kept.push(key);
    yield apiKey(key);
  }
}

/** Requests in random order, each for a key that is drawn. */
function headersOf(keys: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: requests }, () => [
    'x-api-key',
    flat(keys[Math.floor(Math.random() * keys.length)] ?? ''),
  ]);
}

async function contender(size: number): Promise<{ run: CaseRun; headers: readonly (readonly string[])[] }> {
  const keys: string[] = [];
  const consumers = await gatewayDirectory(keysOf(size, keys));
  const plugin = builtInPlugins.find(({ name }) => name === 'api_key_auth');
  if (plugin === undefined) throw new Error('there is no api_key_auth');
  const headers = headersOf(keys);
  const one = { plugin, config: { valid_keys: [] }, consumers, headers: headers[0] ?? [] };
  const run = caseRun(one);
  await checkCase(one, run);
  return { run, headers };
}

function timeOf({ run, headers }: { run: CaseRun; headers: readonly (readonly string[])[] }): number {
  const before = process.cpuUsage();
  for (let done = 0; done < roundRequests; done += 1) void run(headers[done % requests]);
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1000) / roundRequests;
}

const few = await contender(sizes[0]);
const empty = { run: caseRun({ plugin: emptyPlugin, config: {}, headers: [] }), headers: few.headers };
const many = await contender(sizes[1]);
const contenders = { empty, few, many };
const times = { empty: [] as number[], few: [] as number[], many: [] as number[] };
const names = ['empty', 'few', 'many'] as const;
globalThis.gc?.();
for (let round = -3; round < rounds; round += 1) {
  for (const name of round % 2 === 0 ? names : names.toReversed()) {
    const time = timeOf(contenders[name]);
    if (round >= 0) times[name].push(time);
  }
}
console.log(JSON.stringify({ empty: median(times.empty), few: median(times.few), many: median(times.many) }));
