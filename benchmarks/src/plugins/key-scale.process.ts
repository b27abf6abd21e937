/**
 * What `api_key_auth` costs among few and among very many credentials, in one process: the same requests by turns, so that both are
 * disturbed alike.
 */
import { hash, randomBytes } from 'node:crypto';
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

/** Random keys; some of them are kept. */
function* keysOf(count: number, kept: string[]): Generator<string> {
  const every = Math.max(1, Math.floor(count / requests));
  for (let made = 0; made < count; made += 1) {
    const key = randomBytes(24).toString('base64url');
    if (made % every === 0) kept.push(key);
    yield key;
  }
}

function* credentialsOf(keys: Iterable<string>): Generator<Credential> {
  for (const key of keys) yield apiKey(key);
}

/** Requests in random order, each for a key that is drawn. */
function headersOf(keys: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: requests }, () => [
    'x-api-key',
    flat(keys[Math.floor(Math.random() * keys.length)] ?? ''),
  ]);
}

type Headers = readonly (readonly string[])[];

interface Contender {
  readonly run: (headers?: readonly string[]) => unknown;
  readonly headers: Headers;
}

/** The plugin among so many credentials: asked by ten clients, and by as many as there are requests. */
async function contenders(size: number): Promise<{ readonly ten: Contender; readonly all: Contender }> {
  const keys: string[] = [];
  const consumers = await gatewayDirectory(credentialsOf(keysOf(size, keys)));
  const plugin = builtInPlugins.find(({ name }) => name === 'api_key_auth');
  if (plugin === undefined) throw new Error('there is no api_key_auth');
  const [ten, all] = [headersOf(someOf(keys)), headersOf(keys)];
  const one = { plugin, config: { valid_keys: [] }, consumers, headers: all[0] ?? [] };
  const run: CaseRun = caseRun(one);
  await checkCase(one, run);
  return { ten: { run, headers: ten }, all: { run, headers: all } };
}

/** The floor: the digest of a key looked up in a plain `Map`, and what it leads to read. */
function plainMap(size: number): Contender {
  const keys: string[] = [];
  const digest = (key: string): string => hash('sha256', key, 'binary');
  const map = new Map([...keysOf(size, keys)].map((key, at) => [digest(key), { at }]));
  let read = 0;
  return { run: (headers) => (read += map.get(digest(headers?.[1] ?? ''))?.at ?? 0), headers: headersOf(keys) };
}

function someOf(keys: readonly string[]): readonly string[] {
  const every = Math.max(1, Math.floor(keys.length / sizes[0]));
  return keys.filter((_key, at) => at % every === 0);
}

function timeOf({ run, headers }: Contender): number {
  const before = process.cpuUsage();
  for (let done = 0; done < roundRequests; done += 1) void run(headers[done % requests]);
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1000) / roundRequests;
}

const [few, many] = [await contenders(sizes[0]), await contenders(sizes[1])];
const all: Readonly<Record<string, Contender>> = {
  empty: { run: caseRun({ plugin: emptyPlugin, config: {}, headers: [] }), headers: few.ten.headers },
  few: few.ten,
  same: many.ten,
  many: many.all,
  map_few: plainMap(sizes[0]),
  map_many: plainMap(sizes[1]),
};
const names = Object.keys(all);
const times = new Map(names.map((name) => [name, [] as number[]]));
globalThis.gc?.();
for (let round = -3; round < rounds; round += 1) {
  for (const name of round % 2 === 0 ? names : names.toReversed()) {
    const contender = all[name];
    const time = contender && timeOf(contender);
    if (round >= 0 && time !== undefined) times.get(name)?.push(time);
  }
}
console.log(JSON.stringify(Object.fromEntries([...times].map(([name, found]) => [name, median(found)]))));
