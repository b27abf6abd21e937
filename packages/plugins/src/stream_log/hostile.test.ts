import type { Socket } from 'node:net';
import { createEgress } from '@portcullis/egress';
import { eventually } from '@portcullis/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { EmitterBench } from '../testing/emitter-bench.ts';
import {
  frame,
  int32,
  metadataAnswer,
  producedAnswer,
  startFakeBroker,
  versionsAnswer,
  type BrokerRequest,
} from '../testing/fake-broker.ts';
import { streamLog } from './index.ts';
import { BROKERS_MAX } from './kafka/guarded-connections.ts';
import { ANSWER_BYTES_MAX } from './kafka/guarded-socket.ts';

const TOPIC = 'logs';
const METADATA = 3;
const PRODUCE = 0;

type Serve = (request: BrokerRequest, socket: Socket, port: number) => Uint8Array | undefined;

/** A broker that does right, but where `wrong` says something. */
function mostlyRight(wrong: Serve): Serve {
  return (request, socket, port) => {
    const said = wrong(request, socket, port);
    if (said !== undefined || socket.destroyed) return said;
    if (request.api === METADATA) return metadataAnswer(request, { ports: [port], topic: TOPIC });
    return request.api === PRODUCE ? producedAnswer(request, TOPIC, 0) : versionsAnswer(request);
  };
}

const benchFor = (port: number, more: object = {}) =>
  new EmitterBench(streamLog, {
    bootstrap_servers: `127.0.0.1:${port}`,
    topic: TOPIC,
    timeout: 4,
    fail_on_error: true,
    ...more,
  });

describe('stream_log with brokers that are none', () => {
  // A slow machine takes longer for it than a request waits.
  beforeAll(() => import('@platformatic/kafka'));

  it('takes one that does right', async () => {
    await using broker = await startFakeBroker(mostlyRight(() => undefined));
    const bench = benchFor(broker.port);
    expect((await bench.send()).response.status).toBe(200);
    await bench.dispose();
    await eventually(() => broker.open() === 0);
    expect(broker.requests().map(({ api }) => api)).toContain(PRODUCE);
  });

  const wrongs: readonly (readonly [string, (request: BrokerRequest, port: number) => Uint8Array | 'close'])[] = [
    ['a length of 2 GiB', () => int32(0x7fffffff)],
    ['a length above the bound', () => int32(ANSWER_BYTES_MAX + 1)],
    ['a negative length', () => int32(-5)],
    ['a length of nothing', () => Buffer.concat([int32(0), int32(0), int32(0)])],
    ['an answer to another question', () => Buffer.concat([int32(8), int32(424_242), int32(0)])],
    ['an answer that is empty', (request) => frame(request)],
    ['an answer of zeros', (request) => frame(request, Buffer.alloc(64))],
    ['an answer of ones', (request) => frame(request, Buffer.alloc(64, 0xff))],
    ['HTTP', () => Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['the beginning of TLS', () => Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])],
    ['goodbye', () => 'close'],
  ];

  it.each(wrongs.flatMap(([name, say]) => [18, METADATA, PRODUCE].map((api) => [name, api, say] as const)))(
    'survives %s in the place of answer %i, and takes the next broker that does right',
    async (_name, api, say) => {
      let isWrong = true;
      await using broker = await startFakeBroker(
        mostlyRight((request, socket, port) => {
          if (!isWrong || request.api !== api) return undefined;
          const said = say(request, port);
          if (said !== 'close') return said;
          socket.destroy();
          return undefined;
        }),
      );
      const bench = benchFor(broker.port);
      expect((await bench.send()).response.status).toBe(502);
      isWrong = false;
      await eventually(async () => (await bench.send()).response.status === 200);
      await bench.dispose();
      await eventually(() => broker.open() === 0);
    },
  );

  const clusters: readonly (readonly [string, (request: BrokerRequest, port: number) => Buffer])[] = [
    ['knows no topic', (request, port) => metadataAnswer(request, { ports: [port], topic: '' })],
    ['knows another topic only', (request, port) => metadataAnswer(request, { ports: [port], topic: 'other' })],
    ['has no broker', (request) => metadataAnswer(request, { ports: [], topic: TOPIC })],
    ['is led by nobody', (request, port) => metadataAnswer(request, { ports: [port], topic: TOPIC, leaders: [7] })],
    ['says a port that is none', (request) => metadataAnswer(request, { ports: [-1], topic: TOPIC })],
    ['says a port above all', (request) => metadataAnswer(request, { ports: [70_000], topic: TOPIC })],
    [
      'says a host that is none',
      (request, port) => metadataAnswer(request, { ports: [port], hosts: ['a b/c'], topic: TOPIC }),
    ],
    [
      'has a topic without partitions',
      (request, port) => metadataAnswer(request, { ports: [port], topic: TOPIC, leaders: [] }),
    ],
  ];

  it.each(clusters)('survives a cluster that %s, and one that is right later', async (_name, metadata) => {
    let isWrong = true;
    await using broker = await startFakeBroker(
      mostlyRight((request, _socket, port) =>
        isWrong && request.api === METADATA ? metadata(request, port) : undefined,
      ),
    );
    const bench = benchFor(broker.port);
    expect((await bench.send()).response.status).toBe(502);
    isWrong = false;
    await eventually(async () => (await bench.send()).response.status === 200);
    await bench.dispose();
  });

  it.each(['127.0.0.1', 'inner.test', 'localhost', '::ffff:127.0.0.1', '2130706433', '0', '127.1'])(
    'calls no broker at %s that a cluster names and the operator does not allow',
    async (host) => {
      await using inner = await startFakeBroker(
        mostlyRight(() => undefined),
        '0.0.0.0',
      );
      await using outer = await startFakeBroker(
        mostlyRight((request) => {
          if (request.api !== METADATA) return undefined;
          return metadataAnswer(request, { ports: [inner.port], hosts: [host], topic: TOPIC });
        }),
        '127.0.0.2',
      );
      const outbound = createEgress({
        allowed: [{ address: '127.0.0.2', bits: 32 }],
        lookup: () => Promise.resolve(['127.0.0.1']),
      });
      const config = { bootstrap_servers: `127.0.0.2:${outer.port}`, topic: TOPIC, fail_on_error: true };
      const bench = new EmitterBench(streamLog, config, { outbound });
      expect((await bench.send()).response.status).toBe(502);
      expect((await bench.send()).response.status).toBe(502);
      await bench.dispose();
      expect([outer.accepted() > 0, inner.accepted()]).toEqual([true, 0]);
    },
  );

  it('says which answers are final, and tries those again that are not', async () => {
    let code = 10;
    await using broker = await startFakeBroker(
      mostlyRight((request) => (request.api === PRODUCE ? producedAnswer(request, TOPIC, code) : undefined)),
    );
    const refused = benchFor(broker.port, { fail_on_error: false });
    await refused.send();
    await eventually(() => refused.count('records_failed') === 1);
    expect(JSON.stringify(refused.warnings)).toContain('MESSAGE_TOO_LARGE');
    await refused.dispose();
    // NOT_ENOUGH_REPLICAS
    code = 19;
    const waiting = benchFor(broker.port, { fail_on_error: false });
    const before = broker.requests().length;
    await waiting.send();
    await eventually(() =>
      broker
        .requests()
        .slice(before)
        .some(({ api }) => api === PRODUCE),
    );
    code = 0;
    await eventually(() => waiting.count('records_sent') === 1);
    expect(waiting.count('records_failed')).toBe(0);
    await waiting.dispose();
  });

  it('uses no cluster of more brokers than are connected to at once', async () => {
    const leaders = Array.from({ length: BROKERS_MAX + 20 }, (_, id) => id);
    const hosts = leaders.map((id) => `127.0.0.${id + 2}`);
    await using broker = await startFakeBroker(
      mostlyRight((request, _socket, port) => {
        if (request.api !== METADATA) return undefined;
        return metadataAnswer(request, { ports: leaders.map(() => port), hosts, topic: TOPIC, leaders });
      }),
      '0.0.0.0',
    );
    const bench = benchFor(broker.port, { fail_on_error: false });
    for (const id of leaders) await bench.send({ path: `/${id}` });
    // The second question is asked after the first answer was judged.
    await eventually(() => broker.requests().filter(({ api }) => api === METADATA).length >= 2);
    await bench.dispose();
    await eventually(() => broker.open() === 0);
    expect(broker.mostOpen()).toBeLessThanOrEqual(BROKERS_MAX);
    expect(broker.requests().map(({ api }) => api)).not.toContain(PRODUCE);
  });
});
