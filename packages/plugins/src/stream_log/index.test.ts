import { createEgress } from '@portcullis/egress';
import { eventually, hasKafka, startKafka, type KafkaServer } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EmitterBench, loopback } from '../testing/emitter-bench.ts';
import { startRelay } from '../testing/relay.ts';
import { streamLog } from './index.ts';

describe.skipIf(!hasKafka)('stream_log with brokers (needs kcat)', () => {
  let kafka: KafkaServer;
  let topics = 0;
  const configOf = (more: object = {}) => ({
    bootstrap_servers: kafka.brokers.join(','),
    topic: `logs-${(topics += 1)}`,
    ...more,
  });

  beforeAll(async () => {
    kafka = await startKafka(3);
    // A slow machine takes longer for it than a request waits.
    await import('@platformatic/kafka');
  });
  afterAll(() => kafka[Symbol.asyncDispose]());

  it.each([
    ...['none', 'gzip', 'snappy', 'lz4', 'zstd'].map((compression_type) => ({ compression_type })),
    ...['all', -1, 1, 0, '1'].map((acks) => ({ acks })),
    { client_id: 'edge-1', timeout: 10 },
  ])('sends one message for each request: %j', async (more) => {
    const config = configOf(more);
    const bench = new EmitterBench(streamLog, config);
    for (const path of ['/a', '/ü', '/c']) await bench.send({ path, status: 201 });
    await eventually(() => bench.count('records_sent') === 3);
    const messages = await eventually(async () => {
      const found = await kafka.messages(config.topic);
      return found.length === 3 && found;
    });
    const records = messages.map(({ payload }) => JSON.parse(payload) as { path: string });
    expect(records.map(({ path }) => path).toSorted()).toEqual(['/a', '/c', '/ü']);
    expect(records[0]).toMatchObject({ request_id: 'r1', status: 201, tenant_id: 't1' });
    expect(messages.map(({ key, headers }) => [key, headers])).toEqual([0, 1, 2].map(() => [null, []]));
    await bench.dispose();
  });

  it('gives messages their key and headers, and keeps the order of those with one key', async () => {
    const config = configOf({ key_field: 'route.name', kafka_headers: { source: 'edge', 'x-ü': 'ü' } });
    const bench = new EmitterBench(streamLog, { ...config, bootstrap_servers: [...kafka.brokers] });
    for (let index = 0; index < 40; index += 1) {
      const route = { id: `r${index % 2}`, name: `route-${index % 2}` };
      await bench.send({ path: `/${index}`, facts: { route } });
    }
    await bench.send({ path: '/none' });
    await bench.dispose();
    const messages = await kafka.messages(config.topic);
    expect(messages).toHaveLength(41);
    for (const name of ['route-0', 'route-1']) {
      const own = messages.filter(({ key }) => key === name);
      const numbers = own.map(({ payload }) => Number((JSON.parse(payload) as { path: string }).path.slice(1)));
      expect([new Set(own.map(({ partition }) => partition)).size, numbers]).toEqual([
        1,
        numbers.toSorted((a, b) => a - b),
      ]);
    }
    expect(messages.filter(({ key }) => key === null)).toHaveLength(1);
    expect(messages[0]?.headers).toEqual(['source', 'edge', 'x-ü', 'ü']);
  });

  it('reads headers that are references with each batch', async () => {
    let reads = 0;
    const secrets = { read: () => `key-${(reads += 1)}` };
    const config = configOf({ kafka_headers: { 'x-key': 'env://KAFKA_KEY', source: 'edge' } });
    const bench = new EmitterBench(streamLog, config, { secrets });
    for (const sent of [1, 2]) {
      await bench.send();
      await eventually(() => bench.count('records_sent') === sent);
    }
    await bench.dispose();
    const headers = (await kafka.messages(config.topic)).map((message) => message.headers.join(' '));
    expect(headers).toHaveLength(2);
    expect(headers.every((text) => /^x-key key-\d+ source edge$/.test(text))).toBe(true);
    expect(new Set(headers).size).toBe(2);
  });

  it('asks for an address before it calls any broker, also those that the cluster names', async () => {
    const outside = kafka.brokers[0] ?? '';
    const [, port = ''] = outside.split(':');
    // The operator allows the first broker under its outer address; the cluster names its inner ones.
    await using relay = await startRelay({ host: '127.0.0.2', to: Number(port) });
    const outbound = createEgress({ allowed: [{ address: '127.0.0.2', bits: 32 }] });
    const config = configOf({ bootstrap_servers: `127.0.0.2:${relay.port}`, fail_on_error: true });
    const bench = new EmitterBench(streamLog, config, { outbound });
    expect((await bench.send()).response.status).toBe(502);
    await bench.dispose();
    expect(relay.accepted()).toBeGreaterThan(0);
    expect(await kafka.messages(config.topic)).toEqual([]);
    expect(JSON.stringify(bench.warnings)).not.toMatch(/127\.0/);
  });

  it('with fail_on_error answers only what the brokers took', async () => {
    const config = configOf({ fail_on_error: true, key_field: 'consumer.id', timeout: 4 });
    const bench = new EmitterBench(streamLog, config);
    const sent = await Promise.all(['/a', '/b', '/c'].map((path) => bench.send({ path })));
    expect(sent.map(({ response }) => response.status)).toEqual([200, 200, 200]);
    expect(await kafka.messages(config.topic)).toHaveLength(3);
    await bench.dispose();
  });

  it('holds what brokers that hang cannot take, and makes no request wait', async () => {
    const config = configOf({ timeout: 0.3 });
    const bench = new EmitterBench(streamLog, config);
    await bench.send({ path: '/before' });
    await eventually(() => bench.count('records_sent') === 1);
    kafka.freeze();
    await bench.send({ path: '/meanwhile' });
    const hung = new EmitterBench(streamLog, { ...config, fail_on_error: true });
    expect((await hung.send({ path: '/refused' })).response.status).toBe(502);
    kafka.thaw();
    await eventually(() => bench.count('records_sent') === 2);
    const paths = (await kafka.messages(config.topic)).map(
      ({ payload }) => (JSON.parse(payload) as { path: string }).path,
    );
    expect(paths).toEqual(expect.arrayContaining(['/before', '/meanwhile']));
    await bench.dispose();
    await hung.dispose();
  });

  it('goes on after its connections were cut', async () => {
    // One broker: whoever is called through the relay leads all partitions.
    await using single = await startKafka();
    const [port = 0] = single.brokers.map((broker) => Number(broker.split(':')[1]));
    await using relay = await startRelay({ host: '127.0.0.1', to: port });
    const address = { address: '127.0.0.1', family: 4, port: relay.port } as const;
    const outbound = { ...loopback, resolve: () => Promise.resolve([address]) };
    const config = configOf();
    const bench = new EmitterBench(streamLog, config, { outbound });
    await bench.send({ path: '/first' });
    await eventually(() => bench.count('records_sent') === 1);
    relay.cut();
    await bench.send({ path: '/second' });
    await eventually(() => bench.count('records_sent') === 2);
    expect(await single.messages(config.topic)).toHaveLength(2);
    await bench.dispose();
  });
});
