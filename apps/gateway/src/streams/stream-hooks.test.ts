import { eventually } from '@portcullis/testkit';
import { definePlugin, type PluginCategory, type PluginHooks } from '@portcullis/plugin-runtime';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { ask, openClient, startRaw, startStreams, toPort, type StreamBench } from './streams.test-support.ts';

type TcpHook = NonNullable<PluginHooks['tcp']>;

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function pluginWith(tcp: TcpHook, category: PluginCategory = 'traffic', onDispose = (): void => undefined) {
  return definePlugin({
    name: 'subject',
    version: '1.0.0',
    category,
    triggers: ['tcp'],
    config: v.object({}),
    setup: () => ({ tcp, dispose: onDispose }),
  });
}

function benchOf(port: number, ...plugin: Parameters<typeof pluginWith>): Promise<StreamBench> {
  const records = toPort(port, { plugins: [{ name: 'subject', config: {} }] });
  return startStreams(records, { plugins: [pluginWith(...plugin)] });
}

const startEcho = () => startRaw((socket) => void socket.pipe(socket));

describe('tcp hooks of a route', () => {
  it('see the connection, and every event of it in order', async () => {
    await using upstream = await startEcho();
    const seen: string[] = [];
    const facts: unknown[] = [];
    await using bench = await benchOf(upstream.port, (connection, event) => {
      if (event.type === 'open') {
        const { route, service, tenantId, gateway } = connection.facts;
        facts.push([route?.name, service?.name, tenantId, gateway.name, connection.clientIp, connection.sni]);
      }
      seen.push(event.type === 'data' ? `${event.direction} ${textOf(event.bytes)}` : event.type);
    });
    expect(await ask(bench.port, 'hi')).toBe('hi');
    await eventually(() => bench.finished[0]);
    expect(seen).toEqual(['open', 'inbound hi', 'outbound hi', 'close']);
    expect(facts).toEqual([['db', 'db', 't', 'g', '127.0.0.1', undefined]]);
    expect(bench.finished[0]?.plugins).toEqual([expect.objectContaining({ name: 'subject', stage: 'tcp' })]);
  });

  it('change what passes, also when they take their time, and keep its order', async () => {
    await using upstream = await startEcho();
    await using bench = await benchOf(upstream.port, async (_connection, event) => {
      await Promise.resolve();
      if (event.type !== 'data' || event.direction === 'outbound') return;
      return { bytes: bytesOf(textOf(event.bytes).toUpperCase()) };
    });
    const { socket, received, ended } = openClient(bench.port);
    for (const part of ['one ', 'two ', 'three']) socket.write(part);
    socket.end();
    expect([await ended, received()]).toEqual(['end', 'ONE TWO THREE']);
  });

  it('that wait keep more from being read, in their direction alone', async () => {
    await using upstream = await startRaw((socket) => {
      socket.write('welcome');
      socket.on('data', () => undefined);
    });
    let calls = 0;
    const waits: (() => void)[] = [];
    await using bench = await benchOf(upstream.port, (_connection, event) => {
      if (event.type !== 'data' || event.direction === 'outbound') return;
      calls += 1;
      return new Promise((resolve) => waits.push(() => resolve(undefined)));
    });
    const { socket, received } = openClient(bench.port);
    const sent = 32 * 1024 * 1024;
    socket.end(Buffer.alloc(sent));
    await eventually(() => waits.length === 1);
    upstream.sockets[0]?.write(', and more');
    await eventually(() => received() === 'welcome, and more');
    expect([calls, bench.metrics.of('r1', 's1').receivedBytes < sent]).toEqual([1, true]);
    await eventually(() => {
      for (const go of waits.splice(0)) go();
      return upstream.sockets[0]?.bytesRead === sent;
    });
    socket.resetAndDestroy();
  });

  it('may refuse a connection before any upstream is called, and close one that is under way', async () => {
    await using upstream = await startEcho();
    let refuses = true;
    await using bench = await benchOf(upstream.port, (_connection, event) => {
      if (event.type === 'open' ? refuses : event.type === 'data' && textOf(event.bytes) === 'quit')
        return { close: true };
    });
    expect(await ask(bench.port, '')).toBe('');
    expect(upstream.sockets).toHaveLength(0);
    refuses = false;
    const client = openClient(bench.port);
    client.socket.write('stay');
    await eventually(() => client.received() === 'stay');
    client.socket.write('quit');
    expect(await client.ended).toBe('end');
    client.socket.end();
    await eventually(() => bench.finished.length === 2);
    expect(bench.finished.map(({ failure, figures }) => [figures.status, figures.statusSource, failure])).toEqual([
      [403, 'plugin', 'plugin_closed'],
      [200, 'upstream', 'plugin_closed'],
    ]);
  });

  it.each<[PluginCategory, string]>([
    ['access_control', 'ECONNRESET'],
    ['observability', 'end'],
  ])('of category %s that fail: the client sees %s', async (category, how) => {
    await using upstream = await startEcho();
    await using bench = await benchOf(
      upstream.port,
      () => {
        throw new Error('broken');
      },
      category,
    );
    const { socket, ended } = openClient(bench.port);
    socket.end('x');
    expect(await ended).toBe(how);
    await eventually(() => bench.finished[0]);
    expect(bench.finished[0]?.failure).toBe(how === 'end' ? undefined : 'plugin_failed');
  });

  it('are told that the client left while they wait, and their instance lives until they were', async () => {
    await using upstream = await startEcho();
    let signal: AbortSignal | undefined;
    const told: string[] = [];
    await using bench = await benchOf(
      upstream.port,
      (connection, event) => {
        if (event.type === 'close') told.push('close');
        if (event.type !== 'open') return;
        signal = connection.signal();
        return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(undefined)));
      },
      'traffic',
      () => void told.push('dispose'),
    );
    const { socket } = openClient(bench.port);
    await eventually(() => signal);
    await bench.publish(toPort(upstream.port));
    expect(told).toEqual([]);
    socket.resetAndDestroy();
    await eventually(() => told.length === 2);
    expect([told, signal?.aborted]).toEqual([['close', 'dispose'], true]);
    expect(bench.finished[0]).toMatchObject({ failure: 'client_left', figures: { status: 499 } });
  });
});

describe('a plugin of a route that guards requests and knows no connections', () => {
  const guard = definePlugin({
    name: 'guard',
    version: '1.0.0',
    category: 'access_control',
    triggers: ['before_request'],
    config: v.object({}),
    setup: () => ({ request: () => undefined }),
  });

  it('keeps its route from being served, which a switch turns off', async () => {
    await using upstream = await startEcho();
    const entry = { name: 'guard', config: {} };
    const other = { id: 'r2', name: 'other', service_id: 's1', protocols: ['tcp'], destinations: [{ port: 1 }] };
    const { services = [], routes = [] } = toPort(upstream.port, { plugins: [entry] });
    await using bench = await startStreams({ services, routes: [...routes, other] }, { plugins: [guard] });
    expect(await openClient(bench.port).ended).toBe('ECONNRESET');
    expect(upstream.sockets).toHaveLength(0);
    await bench.publish(toPort(upstream.port, { plugins: [{ ...entry, enabled: false }] }));
    expect(await ask(bench.port, 'x')).toBe('x');
  });
});
