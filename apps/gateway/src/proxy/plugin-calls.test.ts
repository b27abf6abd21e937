import { definePlugin, outboundFailure } from '@portcullis/plugin-runtime';
import { eventually, startUpstream, TestDnsServer } from '@portcullis/testkit';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { everythingTo, startTestGateway, type TestGateway } from '../testing/test-gateway.test-support.ts';

/** Calls what a request names, and answers with what came of it. */
const caller = definePlugin({
  name: 'test_caller',
  version: '1.0.0',
  category: 'enforcement',
  triggers: ['all'],
  config: v.object({}),
  setup: (_config, { outbound }) => ({
    request: async (exchange) => {
      const url = exchange.request.headers.get('x-url') ?? '';
      const bounds = { timeoutMs: 30_000, responseBytesMax: 1000, signal: exchange.signal() };
      const outcome = await outbound.request({ url, ...bounds }).then(
        ({ status }) => `${status}`,
        (error: unknown) => outboundFailure(error) ?? 'no failure of a call',
      );
      return { status: 200, body: outcome };
    },
  }),
});

const policy = { timeout_ms: 30_000 };
const resources = {
  ...everythingTo('http://192.0.2.1'),
  plugins: [{ id: 'p', name: 'test_caller', scope: 'tenant', trigger: 'all', config: {}, execution: policy }],
};

function start(env: Readonly<Record<string, string>> = {}): Promise<TestGateway> {
  return startTestGateway(resources, env, {}, { plugins: [caller] });
}

async function call(gateway: TestGateway, url: string): Promise<string> {
  return await (await fetch(gateway.url, { headers: { 'x-url': url } })).text();
}

describe('a plugin that calls a configured address', () => {
  it('reaches nothing private, unless the operator lists it', async () => {
    await using server = await startUpstream();
    await using closed = await start();
    await using open = await start({ PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' });
    expect([await call(closed, server.url), server.connections()]).toEqual(['refused', 0]);
    expect(await call(open, server.url)).toBe('200');
  });

  it('never reaches the control plane, the status port, or what the operator refuses', async () => {
    await using database = await startUpstream();
    await using gateway = await start({
      PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: '0.0.0.0/0,::/0',
      PORTCULLIS_REFUSED_ADDRESSES: `127.0.0.1:${database.port}`,
    });
    for (const url of [gateway.statusUrl, gateway.controlPlane.url, database.url, 'http://169.254.169.254/']) {
      expect([url, await call(gateway, url)]).toEqual([url, 'refused']);
      const other = url.replace('127.0.0.1', '[::ffff:127.0.0.1]');
      expect([other, await call(gateway, other)]).toEqual([other, 'refused']);
    }
    expect(database.connections()).toBe(0);
  });

  it('asks the name servers of the settings for each connection, and follows none of their lies', async () => {
    await using dns = await TestDnsServer.start();
    await using server = await startUpstream((_req, res) => void res.setHeader('connection', 'close').end());
    await using gateway = await start({
      PORTCULLIS_DNS_SERVERS: dns.address,
      PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1',
    });
    const url = `http://flips.test:${server.port}/`;
    const outcomes: string[] = [];
    for (let flip = 0; flip < 50; flip += 1) {
      dns.set('flips.test', [flip % 2 === 0 ? '127.0.0.1' : '127.0.0.2'], 0);
      outcomes.push(await call(gateway, url));
    }
    expect(outcomes).toEqual(Array.from({ length: 50 }, (_, flip) => (flip % 2 === 0 ? '200' : 'refused')));
    expect(server.connections()).toBe(25);
  });

  it('holds no gateway up that stops', async () => {
    await using server = await startUpstream(() => undefined);
    const gateway = await start({ PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1', PORTCULLIS_DRAIN_SECONDS: '0' });
    const cut = call(gateway, server.url).catch(() => 'cut');
    await eventually(() => server.requests.length === 1);
    await gateway[Symbol.asyncDispose]();
    expect(await cut).toBe('cut');
  });
});
