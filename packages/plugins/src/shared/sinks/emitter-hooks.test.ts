import {
  definePlugin,
  createRuntime,
  type ExecutionPolicy,
  type Plugin,
  type PluginHooks,
  type Trigger,
} from '@portcullis/plugin-runtime';
import { describe, expect, it } from 'vitest';
import { exchangeOf, problemOf } from '../../testing/plugin-bench.ts';
import type { LogRecord } from '../records/log-record.ts';
import { recordSettings } from '../records/record-fields.ts';
import { emitterHooks } from './emitter-hooks.ts';
import { noteSampled } from './sampling-decision.ts';

const anything = {
  '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value: value as object }) },
} as const;

/** How a chain is made. */
interface ChainSettings {
  readonly failsOnError?: boolean;
  readonly refuses?: boolean | 'once' | 'never answers';
  readonly trigger?: Trigger;
  readonly before?: PluginHooks;
  readonly emitters?: number;
  readonly execution?: ExecutionPolicy;
}

/** Records that a sink was sent, and a chain of an emitter behind another plugin. */
function setUp({
  failsOnError = false,
  refuses = false,
  trigger = 'both',
  before = {},
  emitters = 1,
  execution = {},
}: ChainSettings = {}) {
  const sent: LogRecord[] = [];
  let calls = 0;
  const emitter = definePlugin({
    name: 'emitter',
    version: '1.0.0',
    category: 'observability',
    triggers: ['both'],
    config: anything,
    setup: (_config, services) =>
      emitterHooks<LogRecord>(
        {
          settings: recordSettings({ include_headers: false }),
          failsOnError,
          encode: (record) => ({ entry: record, bytes: 1 }),
          sender: {
            send: (batch) => {
              if (refuses === true || (refuses === 'once' && (calls += 1) === 1))
                return Promise.reject(new Error('no'));
              if (refuses === 'never answers') return new Promise<void>(() => undefined);
              return Promise.resolve(void sent.push(...batch));
            },
          },
          timeoutMs: 60_000,
          limits: { outageMsMax: 0 },
        },
        services,
      ),
  });
  const other: Plugin = definePlugin({
    name: 'before',
    version: '1.0.0',
    category: 'traffic',
    triggers: ['both'],
    config: anything,
    setup: () => before,
  });
  const runtime = createRuntime({
    plugins: [emitter, other],
    inline: [
      { name: 'before', trigger: 'all', priority: 1 },
      ...Array.from({ length: emitters }, () => ({ name: 'emitter', trigger, execution })),
    ],
  });
  const end = async (): Promise<readonly LogRecord[]> => {
    runtime.dispose();
    await runtime.settled();
    return sent;
  };
  return { chain: runtime.chainFor({ gateway: { id: 'g1', name: 'edge' } }), sent, end };
}

const whole = { status: 200, isComplete: true } as const;

describe('an emitter', () => {
  it('sends one record for a request, however many of its hooks ran, and only when the request is over', async () => {
    const { chain, end } = setUp({ trigger: 'all' });
    const exchange = exchangeOf({});
    await chain.runRequest(exchange);
    exchange.setResponse({ status: 201, headers: [], source: 'upstream' });
    await chain.runResponse(exchange);
    exchange.end({ status: 201, isComplete: false });
    expect(await end()).toMatchObject([{ status: 201, complete: false, status_source: 'upstream' }]);
  });

  it('sends a record of a request that another plugin refused before', async () => {
    const { chain, end } = setUp({ before: { request: () => ({ status: 401 }) } });
    const exchange = exchangeOf({});
    await chain.runRequest(exchange);
    await chain.runResponse(exchange);
    exchange.end({ status: 401, isComplete: true });
    expect(await end()).toMatchObject([{ status: 401, status_source: 'plugin' }]);
  });

  it('sends a record of a request that failed on its way, without a hook for errors', async () => {
    const { chain, end } = setUp();
    const exchange = exchangeOf({});
    await chain.runRequest(exchange);
    exchange.fail({ code: 'upstream_timeout', message: 'late' }, { status: 504, headers: [] });
    await chain.runError(exchange);
    exchange.end({ status: 504, isComplete: true });
    expect(await end()).toMatchObject([{ status: 504, failure: { code: 'upstream_timeout', plugin: null } }]);
  });

  it('sends a record of a client that left before there was an answer', async () => {
    const { chain, end } = setUp();
    const exchange = exchangeOf({});
    await chain.runRequest(exchange);
    exchange.end({ status: undefined, isComplete: false });
    expect(await end()).toMatchObject([{ status: null, complete: false }]);
  });

  it.each([false, true])('sends no record that sampling left out, waiting or not: %s', async (failsOnError) => {
    const { chain, end } = setUp({
      failsOnError,
      refuses: true,
      before: { request: (exchange) => noteSampled(exchange, false) },
    });
    const exchange = exchangeOf({});
    await chain.runRequest(exchange);
    exchange.setResponse({ status: 200, headers: [], source: 'upstream' });
    await chain.runResponse(exchange);
    exchange.end(whole);
    expect([await end(), exchange.response.status]).toEqual([[], 200]);
  });

  it('sends a record for each of its instances', async () => {
    const { chain, end } = setUp({ emitters: 2 });
    const exchange = exchangeOf({});
    await chain.runRequest(exchange);
    exchange.end(whole);
    expect(await end()).toHaveLength(2);
  });
});

describe('an emitter whose records are waited for', () => {
  it('sends the record before the answer leaves, and not again', async () => {
    const { chain, sent, end } = setUp({ failsOnError: true });
    const exchange = exchangeOf({});
    await chain.runRequest(exchange);
    exchange.setResponse({ status: 200, headers: [], source: 'upstream' });
    await chain.runResponse(exchange);
    expect(sent).toMatchObject([{ status: 200, complete: null }]);
    exchange.end(whole);
    expect(await end()).toHaveLength(1);
  });

  it('answers 502 when the sink does not take it', async () => {
    const { chain } = setUp({ failsOnError: true, refuses: true });
    const exchange = exchangeOf({});
    await chain.runRequest(exchange);
    exchange.setResponse({ status: 200, headers: ['x-secret', 'of the service'], source: 'upstream' });
    await chain.runResponse(exchange);
    expect([exchange.response.status, exchange.response.headers.get('x-secret')]).toEqual([502, undefined]);
    expect(problemOf(exchange)).toMatchObject({ code: 'unavailable', request_id: 'r1' });
  });

  it.each(['all', 'both'] as const)(
    'tells a sink that did not take it what was answered instead, with the trigger %s',
    async (trigger) => {
      const { chain, end } = setUp({ failsOnError: true, refuses: 'once', trigger });
      const exchange = exchangeOf({});
      await chain.runRequest(exchange);
      exchange.setResponse({ status: 200, headers: [], source: 'upstream' });
      await chain.runResponse(exchange);
      exchange.end({ status: exchange.response.status, isComplete: true });
      expect(await end()).toMatchObject([
        { status: 502, status_source: 'plugin', complete: true, failure: { code: 'unavailable', plugin: 'emitter' } },
      ]);
    },
  );

  it('sends in the background the record of a client that left while the sink was asked', async () => {
    const { chain, sent, end } = setUp({ failsOnError: true, refuses: 'once' });
    const exchange = exchangeOf({});
    await chain.runRequest(exchange);
    exchange.setResponse({ status: 200, headers: [], source: 'upstream' });
    const running = chain.runResponse(exchange);
    exchange.abort();
    await running;
    exchange.end({ status: undefined, isComplete: false });
    expect(await end()).toMatchObject([{ complete: false, failure: null }]);
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['inherit', 'failed', 'plugin_failed'],
    ['fail_open', 'continue', undefined],
  ] as const)(
    'lets no answer pass that there is no room to wait for, with failure_mode %s: %s',
    async (mode, result, code) => {
      const execution = { max_concurrency: 1, failure_mode: mode };
      const { chain } = setUp({ failsOnError: true, refuses: 'never answers', execution });
      const [waiting, other] = [exchangeOf({}), exchangeOf({})];
      for (const exchange of [waiting, other]) {
        await chain.runRequest(exchange);
        exchange.setResponse({ status: 200, headers: [], source: 'upstream' });
      }
      void chain.runResponse(waiting);
      expect([await chain.runResponse(other), other.trouble?.code]).toEqual([result, code]);
      waiting.abort();
    },
  );

  it('sends in the background what never came to an answer', async () => {
    const { chain, end } = setUp({ failsOnError: true });
    const exchange = exchangeOf({});
    await chain.runRequest(exchange);
    exchange.end({ status: undefined, isComplete: false });
    expect(await end()).toMatchObject([{ status: null }]);
  });
});
