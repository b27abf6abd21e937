import { createSocket } from 'node:dgram';
import type { RequestListener } from 'node:http';
import { networkInterfaces } from 'node:os';
import { createEgress, type EgressOptions } from '@portcullis/egress';
import { createRuntime, type Outbound } from '@portcullis/plugin-runtime';
import { eventually, listenOn } from '@portcullis/testkit';
import { builtInPlugins } from '../plugin-catalogue.ts';
import type { CalledField } from './address-fields.ts';
import { exchangeOf } from './plugin-bench.ts';

/** What came of the calls of many configs. */
export interface Called {
  /** Configs that were refused. */
  refusedConfigs: number;
  /** Calls that instances asked the way out for, by their outcome. */
  readonly outcomes: Record<string, number>;
}

/** Every address of this machine at once. */
const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'));
const everywhere = hasIpv6 ? '::' : '0.0.0.0';

/** Counts what arrives at one port of this machine, at whichever of its addresses. */
export async function listenEverywhere(isDatagram: boolean) {
  const { arrivedAt, ...listener } = await listenAt([everywhere], isDatagram);
  return { ...listener, arrived: () => arrivedAt(everywhere) };
}

/**
 * Counts what arrives at one port of some addresses, at each by itself.
 * @param answer what connections get where they speak HTTP
 */
export async function listenAt(addresses: readonly string[], isDatagram: boolean, answer?: RequestListener) {
  if (!isDatagram) {
    const listener = await listenOn(addresses, answer);
    return {
      port: listener.port,
      arrivedAt: (address: string) => Promise.resolve(listener.accepted(address)),
      [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
    };
  }
  const counts = new Map<string, Awaited<ReturnType<typeof countDatagrams>>>();
  let port = 0;
  for (const address of addresses) {
    // Of one port: the second address takes that of the first.
    // oxlint-disable-next-line no-await-in-loop -- see above
    const count = await countDatagrams(address, port);
    counts.set(address, count);
    port = count.port;
  }
  return {
    port,
    arrivedAt: async (address: string) => (await counts.get(address)?.arrived()) ?? 0,
    [Symbol.asyncDispose]: async () => void (await Promise.all([...counts.values()].map(({ close }) => close()))),
  };
}

async function countDatagrams(address: string, atPort: number) {
  const isIpv6 = address.includes(':');
  const socket = createSocket(isIpv6 ? 'udp6' : 'udp4');
  const last = 'what was sent last';
  let [count, isLast] = [0, false];
  socket.on('message', (text) => (text.toString() === last ? (isLast = true) : (count += 1)));
  await new Promise<void>((resolve) => socket.bind(atPort, address, resolve));
  const { port } = socket.address();
  return {
    port,
    /** Datagrams of one machine come in their order: what is not there when the last one is will not come. */
    arrived: async () => {
      await eventually(() => {
        socket.send(last, port, address === everywhere ? (isIpv6 ? '::1' : '127.0.0.1') : address);
        return isLast;
      });
      return count;
    },
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}

/** The real way out, with a note of what it answered. */
export function notedEgress(options: EgressOptions) {
  const egress = createEgress(options);
  const called: Called = { refusedConfigs: 0, outcomes: {} };
  const note = (outcome: string): void => void (called.outcomes[outcome] = (called.outcomes[outcome] ?? 0) + 1);
  const pending = new Set<Promise<unknown>>();
  const noted = async <T>(call: Promise<T>): Promise<T> => {
    pending.add(call);
    void call.then(
      () => note('done'),
      ({ code }: { code?: string }) => note(code ?? 'failed'),
    );
    return await call.finally(() => pending.delete(call));
  };
  const outbound: Outbound = {
    request: (request) => noted(egress.request(request)),
    resolve: (host, port, signal) => noted(egress.resolve(host, port, signal)),
    open: (request, listener) =>
      egress.open(request, {
        ...listener,
        onHead: (...head) => {
          note('done');
          return listener.onHead(...head);
        },
        onFailure: (error) => {
          note((error as { code?: string }).code ?? 'failed');
          listener.onFailure(error);
        },
      }),
  };
  /** Resolves when no call is under way that began before. */
  const idle = async (): Promise<void> => void (await Promise.allSettled(pending));
  return { outbound, called, idle, close: () => egress.close() };
}

const chat = JSON.stringify({ model: 'p/m', messages: [{ role: 'user', content: 'Hello?' }] });
const answer = JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'Hello.' } }] });
const bearer = 'eyJhbGciOiJFUzI1NiIsImtpZCI6ImsifQ.eyJzdWIiOiJ1IiwiZXhwIjo0MTAyNDQ0ODAwfQ.c2ln';

/**
 * Sets an instance up, sends one request through all of its hooks, and lets it go.
 * @returns whether its config was taken
 */
export async function callOnce(of: CalledField, config: object, way: ReturnType<typeof notedEgress>): Promise<boolean> {
  const plugin = builtInPlugins.find(({ name }) => name === of.plugin);
  if (plugin === undefined) throw new Error(`no plugin ${of.plugin}`);
  const compiled = plugin.compile(config);
  if (!compiled.ok) return false;
  const inline = [{ name: of.plugin, config, trigger: of.trigger ?? 'both' }] as const;
  const runtime = createRuntime({ plugins: [plugin], inline, outbound: way.outbound, tenantId: 't1' });
  const chain = runtime.chainFor({ gateway: { id: 'g1', name: 'edge' } });
  const sign = of.plugin === 'ldap_auth' ? `Basic ${btoa('jane:word')}` : `Bearer ${bearer}`;
  const headers = ['authorization', sign, 'content-type', 'application/json', 'content-length', `${chat.length}`];
  const exchange = exchangeOf({ headers, path: '/v1/chat/completions', body: chat });
  await chain.runRequest(exchange);
  const signal = AbortSignal.timeout(60_000);
  const responded = await exchange.request.responder?.respond({ exchange, signal, observe: () => undefined });
  if (responded === undefined && !exchange.hasResponse) {
    const bytes = Buffer.from(answer);
    const readBody = () => Promise.resolve(bytes);
    exchange.setResponse({ status: 200, headers: ['content-type', 'application/json'], source: 'upstream', readBody });
  }
  if (exchange.hasResponse) await chain.runResponse(exchange);
  exchange.end({ status: 200, isComplete: true });
  await way.idle();
  runtime.dispose();
  await runtime.settled();
  return true;
}
