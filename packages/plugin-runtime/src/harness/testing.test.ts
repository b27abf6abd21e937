import { describe, expect, it } from 'vitest';
import type { PluginHooks } from '../index.ts';
import { PluginConfigurationError, definePlugin } from '../index.ts';
import { HandClock, testPlugin, type PluginTestOptions } from '../testing.ts';
import { pluginOf } from './../testing/fixtures.ts';
import * as v from 'valibot';

const never = () => new Promise<void>(() => undefined);

function under(hooks: PluginHooks, options: PluginTestOptions = {}) {
  return testPlugin(
    pluginOf('subject', () => hooks, { triggers: ['all'] }),
    options,
  );
}

describe('testPlugin', () => {
  it('sends a request through all hooks and back', async () => {
    const test = under({
      request: ({ request }) => ({
        path: `/v2${request.path}`,
        headers: [{ op: 'set', name: 'x-ip', value: request.clientIp }],
        consumer: { id: 'c1', groups: [] },
      }),
      response: () => ({ replaceStatus: 201 }),
      stream: (_exchange, { bytes, last }) => ({ bytes: last ? new TextEncoder().encode('!') : bytes }),
    });
    const answer = await test.send(
      { method: 'POST', url: 'https://a.test:1/x?y=1', headers: { 'X-Many': ['a', 'b'] }, body: 'hello' },
      ({ body }) => ({ headers: { 'x-up': 'u' }, body: [body, '+'] }),
    );
    expect(answer).toMatchObject({ status: 201, body: 'hello+!', headers: { 'x-up': 'u' }, consumer: { id: 'c1' } });
    expect([answer.isCut, answer.failure, answer.chunks.length]).toEqual([false, undefined, 3]);
    expect(answer.forwarded).toEqual({
      method: 'POST',
      url: 'https://a.test:1/v2/x?y=1',
      path: '/v2/x',
      query: 'y=1',
      headers: { 'x-many': 'a, b', 'x-ip': '192.0.2.1' },
      body: 'hello',
    });
  });

  it('says that a plugin answered, that nothing reached the upstream, and who came', async () => {
    const test = under({ request: ({ consumer }) => ({ status: 403, body: `not ${consumer?.id}` }) });
    const answer = await test.send({ consumer: { id: 'eve', groups: [] } });
    expect(answer).toMatchObject({ status: 403, body: 'not eve', forwarded: undefined, failure: undefined });
  });

  it('says that the upstream failed, through the error hook', async () => {
    const test = under({ error: ({ failure }) => ({ status: 500, body: failure.code }) });
    const answer = await test.send({}, () => Promise.reject(new Error('gone')));
    expect(answer).toMatchObject({ status: 500, body: 'upstream_failed', failure: { code: 'upstream_failed' } });
  });

  it('says that a hook cut the response', async () => {
    const test = under({ stream: (_exchange, { index }) => (index === 1 ? { cut: 'enough' } : undefined) });
    expect(await test.send({}, { body: ['a', 'b', 'c'] })).toMatchObject({
      body: 'a',
      isCut: true,
      failure: { code: 'plugin_cut', message: 'enough' },
    });
  });

  it('lets a hook time out when the clock says so, and tells log and events', async () => {
    const test = under({ request: never }, { execution: { timeout_ms: 1000, failure_mode: 'strict' } });
    const answer = test.send();
    expect(test.clock.pendingTimers).toBe(1);
    test.clock.advance(1000);
    expect(await answer).toMatchObject({ status: 503, failure: { code: 'plugin_failed' } });
    expect(test.log).toMatchObject([{ level: 'error', details: { reason: 'timed_out' } }]);
    expect(test.events).toMatchObject([
      { type: 'hook_fault', fault: 'timed_out' },
      { type: 'hook_end', durationMs: 1000 },
    ]);
  });

  it('opens the circuit when told, which recovers with the clock', async () => {
    let calls = 0;
    const test = under({ request: () => void (calls += 1) }, { execution: { recovery_timeout_ms: 500 } });
    test.openCircuit();
    await test.send();
    expect([test.circuit, calls]).toEqual(['open', 0]);
    test.clock.advance(500);
    await test.send();
    expect([test.circuit, calls]).toEqual(['closed', 1]);
  });

  it('tells a waiting hook that the client left', async () => {
    const client = new AbortController();
    let isTold = false;
    const test = under({
      request: (exchange) => {
        const signal = exchange.signal();
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve(void (isTold = true))));
      },
    });
    const answer = test.send({}, {}, client.signal);
    client.abort();
    await answer;
    expect(isTold).toBe(true);
  });

  it('gives the same numbers for the same seed, and IDs that count', async () => {
    const drawn = (seed: number) => {
      const numbers: (number | string)[] = [];
      const plugin = pluginOf('subject', (_config, { random, newId }) => ({
        request: () => void numbers.push(random(), random(), newId()),
      }));
      return testPlugin(plugin, { seed, trigger: 'before_request' })
        .send()
        .then(() => numbers);
    };
    const [one, again, other] = [await drawn(1), await drawn(1), await drawn(2)];
    expect(one).toEqual(again);
    expect(one.slice(0, 2)).not.toEqual(other.slice(0, 2));
    expect(one.slice(0, 2).every((number) => Number(number) >= 0 && Number(number) < 1)).toBe(true);
    expect(one[2]).toMatch(/^id-\d+$/);
  });

  it('refuses a config that the plugin does not take, and disposes the plugin', () => {
    let isDisposed = false;
    const plugin = definePlugin({
      name: 'strict',
      version: '1.0.0',
      category: 'traffic',
      triggers: ['before_request'],
      config: v.strictObject({ limit: v.number() }),
      setup: () => ({ dispose: () => void (isDisposed = true) }),
    });
    expect(() => testPlugin(plugin, { config: { limit: 'many' } })).toThrow(PluginConfigurationError);
    testPlugin(plugin, { config: { limit: 1 } }).dispose();
    expect(isDisposed).toBe(true);
  });
});

describe('HandClock', () => {
  it('fires timers in their order, also those that timers set, and steps the wall clock alone', () => {
    const clock = new HandClock(1000);
    const fired: string[] = [];
    clock.set(() => fired.push(`late ${clock.nowMs()}`), 20);
    clock.set(() => {
      fired.push(`early ${clock.nowMs()}`);
      clock.set(() => fired.push(`next ${clock.monotonicMs()}`), 5);
    }, 10);
    clock.clear(clock.set(() => fired.push('never'), 1));
    clock.advance(20);
    clock.setWall(5);
    expect([fired, clock.nowMs(), clock.monotonicMs()]).toEqual([['early 1010', 'next 15', 'late 1020'], 5, 20]);
    expect(() => clock.advance(-1)).toThrow(RangeError);
  });
});
