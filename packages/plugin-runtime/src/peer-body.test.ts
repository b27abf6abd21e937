import { describe, expect, it } from 'vitest';
import {
  createRuntime,
  type BodyReader,
  type ExecutionPolicy,
  type PluginCategory,
  type PluginHooks,
} from './index.ts';
import { exchangeOf, gateway, handClock, pluginOf } from './testing/fixtures.ts';

const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

/** One instance with these hooks, time that is moved by hand, and what became of its circuit. */
function benchOf(hooks: PluginHooks, execution: ExecutionPolicy = {}, category: PluginCategory = 'traffic') {
  const { clock, timers } = handClock();
  const told: string[] = [];
  const runtime = createRuntime({
    plugins: [pluginOf('subject', () => hooks, { category, triggers: ['all'] })],
    instances: [{ id: 'i', name: 'subject', execution: { failure_threshold: 1, timeout_ms: 100, ...execution } }],
    clock,
    timers,
    bodyTimeoutMs: 1000,
    events: {
      onHookFault: (_instance, _stage, fault) => void told.push(fault),
      onCircuitChange: (_instance, from, to) => void told.push(`${from} ${to}`),
    },
  });
  return { clock, told, chain: runtime.chainFor({ gateway }) };
}

/** A body that arrives when the test says so. */
function arriving() {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array | undefined>();
  const read: BodyReader = () => promise;
  return {
    read,
    arrive: (body: string) => resolve(new TextEncoder().encode(body)),
    fail: () => reject(new Error('x')),
  };
}

/** Lets everything that is ready go on. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Reads the body and refuses what it must not let through. */
const filter: PluginHooks = {
  async request({ request }) {
    if (text(await request.readBody(100)).includes('evil')) return { status: 403 };
  },
};

describe('the time in which a body arrives', () => {
  it.each<PluginCategory>(['traffic', 'request_protection'])('is not the hook’s own (%s)', async (category) => {
    const { chain, clock, told } = benchOf(filter, {}, category);
    const body = arriving();
    const running = chain.runRequest(exchangeOf({ readBody: body.read }));
    clock.advance(900);
    body.arrive('evil');
    expect([await running, told]).toEqual(['respond', []]);
  });

  it('stops the clock of the hook and not more: what it does besides counts', async () => {
    const body = arriving();
    const { chain, clock, told } = benchOf({
      async request({ request }) {
        await settled();
        await request.readBody(100);
        await new Promise(() => undefined);
      },
    });
    let end: unknown;
    void Promise.resolve(chain.runRequest(exchangeOf({ readBody: body.read }))).then((result) => (end = result));
    clock.advance(60);
    await settled();
    await settled();
    clock.advance(500);
    body.arrive('good');
    await settled();
    clock.advance(39);
    await settled();
    expect([end, told]).toEqual([undefined, []]);
    clock.advance(1);
    await settled();
    expect([end, told]).toEqual(['continue', ['closed open', 'timed_out']]);
  });

  it('fills no place below the cap', async () => {
    const { chain } = benchOf(filter, { max_concurrency: 1 }, 'contract');
    const [slow, quick] = [arriving(), arriving()];
    const waiting = chain.runRequest(exchangeOf({ readBody: slow.read }));
    quick.arrive('good');
    expect(await chain.runRequest(exchangeOf({ readBody: quick.read }))).toBe('continue');
    slow.arrive('good');
    expect(await waiting).toBe('continue');
  });

  it('does not keep a circuit half-open: another call may probe meanwhile', async () => {
    let isBroken = true;
    const { chain, clock, told } = benchOf(
      {
        request(exchange, place) {
          if (isBroken) throw new Error('x');
          return filter.request?.(exchange, place);
        },
      },
      { recovery_timeout_ms: 500 },
    );
    void chain.runRequest(exchangeOf());
    isBroken = false;
    clock.advance(500);
    const [slow, quick] = [arriving(), arriving()];
    const waiting = chain.runRequest(exchangeOf({ readBody: slow.read }));
    quick.arrive('evil');
    expect(await chain.runRequest(exchangeOf({ readBody: quick.read }))).toBe('respond');
    expect(told.at(-1)).toBe('half_open closed');
    slow.arrive('evil');
    expect(await waiting).toBe('respond');
  });

  it('has a bound: then the request is over, its hook told, and the circuit as it was', async () => {
    let isGivenUp = false;
    const { chain, clock, told } = benchOf({
      async request(exchange) {
        exchange.signal().addEventListener('abort', () => (isGivenUp = true));
        await exchange.request.readBody(100);
      },
    });
    const exchange = exchangeOf({ readBody: arriving().read });
    const running = chain.runRequest(exchange);
    clock.advance(999);
    await settled();
    expect(told).toEqual([]);
    clock.advance(1);
    expect([await running, exchange.failure.code, told, isGivenUp]).toEqual([
      'failed',
      'request_body_timeout',
      ['given_up'],
      true,
    ]);
  });
});

describe('a body that breaks off while a hook reads it', () => {
  const hooks: readonly [string, PluginHooks][] = [
    ['is not caught', { request: async ({ request }) => void (await request.readBody(100)) }],
    ['is caught', { request: async ({ request }) => void (await request.readBody(100).catch(() => undefined)) }],
    [
      'is made an error of its own',
      { request: ({ request }) => request.readBody(1).catch(() => ({ status: 200 })) as never },
    ],
  ];
  it.each(hooks)('ends the request as the client’s failure when it %s', async (_how, hook) => {
    const { chain, told } = benchOf(hook, { failure_mode: 'fail_open' });
    const body = arriving();
    const exchange = exchangeOf({ readBody: body.read });
    const running = chain.runRequest(exchange);
    body.fail();
    expect([await running, exchange.failure.code, exchange.hasResponse]).toEqual([
      'failed',
      'request_body_failed',
      false,
    ]);
    expect(told).toEqual(['given_up']);
    exchange.fail(exchange.failure, { status: 400, headers: [] });
    expect(await chain.runError(exchange)).toBe('continue');
  });

  it('is the upstream’s failure in the response stage, and error hooks run over what is said of it', async () => {
    const { chain, told } = benchOf({
      response: async ({ response }) => void (await response.readBody(100)),
      error: async ({ failure }) => ({ headers: [{ op: 'set', name: 'x-failed', value: failure.code }] }),
    });
    const body = arriving();
    const exchange = exchangeOf();
    exchange.setResponse({ status: 200, headers: [], source: 'upstream', readBody: body.read });
    const running = chain.runResponse(exchange);
    body.fail();
    expect([await running, exchange.failure.code]).toEqual(['failed', 'upstream_body_failed']);
    exchange.fail(exchange.failure, { status: 502, headers: [] });
    await chain.runError(exchange);
    expect([exchange.response.headers.get('x-failed'), told]).toEqual(['upstream_body_failed', ['given_up']]);
  });
});

describe('bytes that a plugin holds', () => {
  const fill = (bytes: Uint8Array | undefined) => void bytes?.fill(0x42);

  it('are copies: of the host’s body, of one that was replaced, and of what it returned', async () => {
    const sent = new TextEncoder().encode('AAAA');
    let seen = '';
    const { chain } = benchOf({
      async request({ request }) {
        fill(await request.readBody(100));
        seen = text(await request.readBody(100));
        const body = new TextEncoder().encode('CCCC');
        queueMicrotask(() => queueMicrotask(() => fill(body)));
        return { body };
      },
      response: async ({ request, response }) => {
        fill(await request.readBody(100));
        fill(await response.readBody(100));
      },
    });
    const exchange = exchangeOf({ readBody: async () => sent });
    await chain.runRequest(exchange);
    exchange.setResponse({ status: 200, headers: [], source: 'upstream', body: sent });
    await chain.runResponse(exchange);
    expect([seen, text(sent), text(exchange.request.body), text(exchange.response.body)]).toEqual([
      'AAAA',
      'AAAA',
      'CCCC',
      'AAAA',
    ]);
  });

  it('are not what goes on once the hook waits: a hook that was given up changes nothing', async () => {
    let held: Uint8Array | undefined;
    const { chain, clock } = benchOf({
      stream: (_exchange, { bytes }) => ((held = bytes), new Promise<undefined>(() => undefined)),
    });
    const running = chain.runStream(exchangeOf(), { bytes: new TextEncoder().encode('AAAA'), index: 0, last: true });
    clock.advance(100);
    const outcome = await running;
    fill(held);
    expect(text(outcome as Uint8Array)).toBe('AAAA');
  });
});
