import { createEgress, type Egress, type EgressOptions } from '@portcullis/egress';
import { defineDriver, drivers, IntegrationError, type SyncLimits } from '@portcullis/integrations';
import { fakeLogAnalytics, silent, stalling, startFakeSystem } from '@portcullis/integrations/testing';
import { FakeClock, listenOn } from '@portcullis/testkit';
import { makeCertificate } from '@portcullis/testkit/certificates';
import * as v from 'valibot';
import { afterEach, expect, it } from 'vitest';
import { egressFetch } from './egress-fetch.ts';

/** Stands for the public internet, which tests have none of: the operator lists it. */
const open = '127.0.0.2';
/** What must never be called. */
const closed = '127.0.0.1';

const token = 'some-token-of-a-system';
/** The sync's own timer stands still: what ends one is a time of the way out. */
const clock = new FakeClock();

const opened: Egress[] = [];
afterEach(async () => void (await Promise.all(opened.splice(0).map((egress) => egress.close()))));

function fetchOver(options: EgressOptions) {
  const egress = createEgress(options);
  opened.push(egress);
  return egressFetch(egress);
}

/** How looking at a log analytics system ends: a success, or the code and the request that failed. */
async function outcomeOf(base_url: string, options: EgressOptions): Promise<unknown> {
  const sync = drivers.log_analytics.sync({
    config: { base_url },
    secrets: { token },
    fetch: fetchOver(options),
    clock,
  });
  return await endOf(sync);
}

async function endOf(sync: Promise<unknown>): Promise<unknown> {
  try {
    await sync;
    return 'success';
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    return [error.code, error.metadata.request];
  }
}

/** A driver that asks once, with times of its own. */
const hasty = (limits: Omit<SyncLimits, 'responseBytesMax'>) =>
  defineDriver({
    name: 'hasty',
    title: 'Hasty',
    description: 'Asks once',
    setup: 'none',
    configSchema: v.strictObject({ url: v.pipe(v.string(), v.title('Address'), v.metadata({ 'x-address': true })) }),
    secretsSchema: v.strictObject({}),
    limits: { ...limits, responseBytesMax: 1000 },
    known: () => ({}),
    read: ({ config, ask }) => ask({ request: 'all', url: config.url, headers: {} }),
  });

it('a name that changes its mind leads to no private address', async () => {
  await using listener = await listenOn([open, closed]);
  const answers = [[open], [closed], [closed, open], [open, closed]];
  let asked = 0;
  const options = { lookup: async () => answers[asked++ % answers.length] ?? [], allowed: [{ address: open }] };
  const fetch = fetchOver(options);
  const ends = new Map<string, number>();
  for (let name = 0; name < 100; name += 1) {
    const config = { base_url: `http://name${name}.test:${listener.port}` };
    const end = String(await endOf(drivers.log_analytics.sync({ config, secrets: { token }, fetch, clock })));
    ends.set(end, (ends.get(end) ?? 0) + 1);
  }
  // What is there says something else than a log analytics system does.
  expect(Object.fromEntries(ends)).toEqual({ 'unexpected_answer,server_info': 75, 'refused,server_info': 25 });
  expect([listener.accepted(open), listener.accepted(closed)]).toEqual([75, 0]);
});

it('a name that has turned between two requests of a sync is judged again', async () => {
  let isTurned = false;
  await using listener = await listenOn([open, closed], (_request, response) => {
    isTurned = true;
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
    response.end('{"entry":[{"content":{"serverName":"s"}}]}');
  });
  const lookup = async (): Promise<readonly string[]> => [isTurned ? closed : open];
  const base = `http://name.test:${listener.port}`;
  expect(await outcomeOf(base, { lookup, allowed: [{ address: open }] })).toEqual(['refused', 'saved_searches']);
  expect([listener.accepted(open), listener.accepted(closed)]).toEqual([1, 0]);
});

it.each([
  ['no first byte', silent()],
  ['no more than a part', stalling()],
])('a system of which %s comes is not waited for longer than the sync has', async (_what, fault) => {
  await using system = await startFakeSystem(() => ({ status: 500 }));
  system.fault = fault;
  const fetch = fetchOver({ allowed: [{ address: '127.0.0.1' }] });
  const sync = hasty({ timeoutMs: 100 }).sync({ config: { url: system.url }, secrets: {}, fetch, clock });
  expect([await endOf(sync), system.requests.length]).toEqual([['timeout', 'all'], 1]);
});

it('no longer is waited for a connection than the driver says, its name included', async () => {
  const fetch = fetchOver({ lookup: () => new Promise(() => undefined) });
  const driver = hasty({ timeoutMs: 600_000, connectTimeoutMs: 50 });
  const sync = driver.sync({ config: { url: 'https://name.test' }, secrets: {}, fetch, clock });
  expect(await endOf(sync)).toEqual(['timeout', 'all']);
});

it('an authority that the host does not know is not trusted, and one that it does is', async () => {
  const { pem, keyPem } = makeCertificate({ subject: 'name.test' });
  await using system = await startFakeSystem(fakeLogAnalytics({ token }), { tls: { cert: pem, key: keyPem } });
  const options = { lookup: async () => ['127.0.0.1'], allowed: [{ address: '127.0.0.1' }] };
  const base = (name: string): string => `https://${name}:${system.port}`;
  expect(await outcomeOf(base('name.test'), options)).toEqual(['unreachable', 'server_info']);
  const trusting = { ...options, certificates: [pem] };
  expect(await outcomeOf(base('other.test'), trusting)).toEqual(['unreachable', 'server_info']);
  expect(system.requests).toEqual([]);
  expect(await outcomeOf(base('name.test'), trusting)).toBe('success');
});
