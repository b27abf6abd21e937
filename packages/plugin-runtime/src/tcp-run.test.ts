import { describe, expect, it } from 'vitest';
import {
  TcpConnectionState,
  createRuntime,
  type ExecutionPolicy,
  type HookFault,
  type PluginCategory,
  type PluginHooks,
  type TcpEvent,
  type TcpOutcome,
} from './index.ts';
import { gateway, handClock, pluginOf } from './testing/fixtures.ts';

type TcpHook = NonNullable<PluginHooks['tcp']>;

const route = { id: 'r1', name: 'db' };
const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (outcome: TcpOutcome) => (typeof outcome === 'string' ? outcome : new TextDecoder().decode(outcome));
const inbound = (text: string): TcpEvent => ({ type: 'data', direction: 'inbound', bytes: bytesOf(text) });
const outbound = (text: string): TcpEvent => ({ type: 'data', direction: 'outbound', bytes: bytesOf(text) });
const broken = (): never => {
  throw new Error('broken');
};

function connectionOf(recordSteps = false): TcpConnectionState {
  return new TcpConnectionState({
    facts: { connectionId: 'k1', tenantId: 't1', gateway, route },
    clientIp: '192.0.2.1',
    sni: 'db.test',
    recordSteps,
  });
}

function benchOf(hook: TcpHook, execution: ExecutionPolicy = {}, category: PluginCategory = 'access_control') {
  const { clock, timers } = handClock();
  const faults: HookFault[] = [];
  const logged: unknown[] = [];
  const plugin = pluginOf('subject', () => ({ tcp: hook }), { category, triggers: ['tcp'] });
  const runtime = createRuntime({
    plugins: [plugin],
    instances: [{ id: 'i', name: 'subject', execution }],
    clock,
    timers,
    log: { warn: () => undefined, error: (_message, details) => logged.push(details) },
    events: { onHookFault: (_instance, _stage, fault) => void faults.push(fault) },
  });
  const chain = runtime.chainFor({ gateway });
  const run = (event: TcpEvent, connection = connectionOf()) => chain.runTcp(connection, event);
  return { chain, clock, faults, logged, runtime, run };
}

describe('tcp hooks', () => {
  const log: string[] = [];
  const noting = pluginOf(
    'noting',
    (_config, { instance }) => ({
      tcp: (_connection, event) => {
        log.push(`${instance.id} ${event.type === 'data' ? event.direction : event.type}`);
        return event.type === 'data' ? { bytes: bytesOf(textOf(event.bytes) + instance.id.at(-1)) } : undefined;
      },
    }),
    { triggers: ['tcp'] },
  );

  it('run in the order of requests towards the upstream, and in that of responses towards the client', async () => {
    const instances = [
      { id: 'b', name: 'noting', priority: 1 },
      { id: 'a', name: 'noting', priority: 2, trigger: 'all' as const },
    ];
    const inline = [{ id: 'x', name: 'noting', trigger: 'tcp' as const, priority: 99 }];
    const chain = createRuntime({ plugins: [noting], instances }).chainFor({ gateway, route, inline });
    const connection = connectionOf();
    const events: TcpEvent[] = [{ type: 'open' }, inbound('-'), outbound('-'), { type: 'close' }];
    const outcomes: string[] = [];
    for (const event of events) outcomes.push(textOf(await chain.runTcp(connection, event)));
    expect(outcomes).toEqual(['continue', '-abx', '-xab', 'continue']);
    expect(log.map((line) => line.replace('r1/', ''))).toEqual([
      ...['a open', 'b open', 'x open', 'a inbound', 'b inbound', 'x inbound'],
      ...['x outbound', 'a outbound', 'b outbound', 'x close', 'a close', 'b close'],
    ]);
    expect(chain.hasTcpHooks).toBe(true);
  });

  it('see the connection: its facts, client, server name and state, and nobody as consumer', () => {
    let seen: unknown;
    const bench = benchOf(({ facts, clientIp, sni, consumer, state }, { type }) => {
      state.set('subject.calls', Number(state.get('subject.calls') ?? 0) + 1);
      seen = [facts.connectionId, facts.route?.name, clientIp, sni, consumer, type, state.get('subject.calls')];
    });
    const connection = connectionOf();
    void bench.run({ type: 'open' }, connection);
    void bench.run({ type: 'close' }, connection);
    expect(seen).toEqual(['k1', 'db', '192.0.2.1', 'db.test', undefined, 'close', 2]);
  });

  it('of instances for consumers never run, and a chain of only those has none', () => {
    const instances = [
      { id: 'a', name: 'noting', scope: 'consumer' as const, consumer_id: 'c1' },
      { id: 'b', name: 'noting', scope: 'consumer_group' as const, consumer_group: 'gold' },
    ];
    expect(createRuntime({ plugins: [noting], instances }).chainFor({ gateway }).hasTcpHooks).toBe(false);
  });

  it('close a connection when they want to, which is no failure of the plugin', () => {
    const bench = benchOf(() => ({ close: true }), { failure_threshold: 1 });
    const connection = connectionOf();
    expect([bench.run({ type: 'open' }, connection), bench.faults]).toEqual(['close', []]);
    expect(connection.failure).toMatchObject({ code: 'plugin_closed', plugin: 'subject' });
    expect([bench.run(inbound('a')), bench.run({ type: 'close' })]).toEqual(['close', 'continue']);
  });

  it('may wait in both directions at once, each with a signal of its own', async () => {
    const waits: { direction: string; signal: AbortSignal; go: () => void }[] = [];
    const bench = benchOf(
      (connection, event) => {
        const signal = connection.signal();
        return new Promise((resolve) =>
          waits.push({
            direction: event.type === 'data' ? event.direction : '',
            signal,
            go: () => resolve(undefined),
          }),
        );
      },
      { timeout_ms: 100 },
    );
    const connection = connectionOf();
    const first = bench.run(inbound('in'), connection);
    bench.clock.advance(60);
    const second = bench.run(outbound('out'), connection);
    bench.clock.advance(40);
    expect(waits.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    waits[1]?.go();
    expect([textOf(await first), textOf(await second)]).toEqual(['failed', 'out']);
    const third = bench.run(outbound('x'), connection);
    connection.abort();
    expect(waits[2]?.signal.aborted).toBe(true);
    waits[2]?.go();
    await third;
  });

  it('leave one step per hook, whatever passes and whichever way', async () => {
    const bench = benchOf((_connection, event) => (event.type === 'data' ? { bytes: event.bytes } : undefined));
    const connection = connectionOf(true);
    for (const event of [{ type: 'open' } as const, inbound('a'), outbound('b'), { type: 'close' } as const]) {
      await bench.run(event, connection);
    }
    expect(connection.steps).toEqual([expect.objectContaining({ name: 'subject', stage: 'tcp', outcome: 'continue' })]);
  });
});

describe('a tcp hook that fails', () => {
  it.each<[string, TcpHook, HookFault]>([
    ['throws', broken, 'threw'],
    ['rejects', () => Promise.reject(new Error('late')), 'threw'],
    ['returns a text', () => 'x' as never, 'bad_result'],
    ['wants something else than to close', () => ({ close: false }) as never, 'bad_result'],
    ['assigns to the event', (_connection, event) => void ((event as { type: string }).type = 'open'), 'threw'],
    ['assigns to the connection', (connection) => void ((connection as { consumer: unknown }).consumer = {}), 'threw'],
  ])('because it %s ends the connection when it is fail-closed, else all goes on', async (_name, hook, why) => {
    const closed = benchOf(hook);
    const connection = connectionOf();
    expect(await closed.run(inbound('abc'), connection)).toBe('failed');
    expect([connection.failure.code, closed.faults]).toEqual(['plugin_failed', [why]]);
    expect(closed.logged).toEqual([expect.objectContaining({ connection_id: 'k1', stage: 'tcp', reason: why })]);
    const open = benchOf(hook, {}, 'observability');
    expect([textOf(await open.run(inbound('abc'))), await open.run({ type: 'open' })]).toEqual(['abc', 'continue']);
  });

  it('because it gives bytes where there are none to replace is isolated', () => {
    const bench = benchOf(() => ({ bytes: bytesOf('hello') }));
    expect([bench.run({ type: 'open' }), bench.run({ type: 'close' }), bench.faults]).toEqual([
      'failed',
      'continue',
      ['bad_result', 'bad_result'],
    ]);
  });

  it('on close keeps nobody else from being told', async () => {
    const told: string[] = [];
    const plugins = [
      pluginOf('first', () => ({ tcp: broken }), { triggers: ['tcp'], category: 'enforcement' }),
      pluginOf('second', () => ({ tcp: (_connection, { type }) => void told.push(type) }), { triggers: ['tcp'] }),
    ];
    const instances = plugins.map(({ name }) => ({ id: name, name }));
    const chain = createRuntime({ plugins, instances }).chainFor({ gateway });
    expect([await chain.runTcp(connectionOf(), { type: 'close' }), told]).toEqual(['continue', ['close']]);
  });

  it('is given up at hook_timeouts_ms.tcp', async () => {
    const bench = benchOf(() => new Promise(() => undefined), { hook_timeouts_ms: { tcp: 15 } }, 'traffic');
    const outcome = bench.run(outbound('abc'));
    bench.clock.advance(15);
    expect([textOf(await outcome), bench.faults]).toEqual(['abc', ['timed_out']]);
  });
});
