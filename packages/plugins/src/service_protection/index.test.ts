import type { ExchangeState } from '@portcullis/plugin-runtime';
import { FakeClock } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { PluginBench, problemOf, type TestRequest } from '../testing/plugin-bench.ts';
import { serviceProtection } from './index.ts';
import { Service, opensAtTwo } from './service-bench.test-support.ts';

describe('the bound of requests at once', () => {
  it('refuses one too many, and lets one in for each that is over', async () => {
    const service = new Service({ max_concurrent_requests: 2, status_code: 429, message: 'too much' });
    const [first] = [await service.begin(), await service.begin()];
    const refused = await service.begin();
    expect(refused.response.status).toBe(429);
    expect(problemOf(refused)).toMatchObject({ code: 'too_many_concurrent_requests', detail: 'too much' });
    expect(refused.response.headers.get('retry-after')).toBe('1');
    refused.end({ status: 429, isComplete: true });
    expect((await service.begin()).hasResponse).toBe(true);
    first.end({ status: 200, isComplete: true });
    expect((await service.begin()).hasResponse).toBe(false);
    expect((await service.begin()).hasResponse).toBe(true);
  });

  it.each<[string, (service: Service, exchange: ExchangeState) => void | Promise<unknown>]>([
    ['is answered', (service, exchange) => service.answer(exchange, 200)],
    ['is answered by a later plugin', (service, exchange) => service.answer(exchange, 403, 'plugin')],
    ['fails', (service, exchange) => service.fail(exchange, 'upstream_timeout')],
    ['is cut', (_service, exchange) => exchange.end({ status: 200, isComplete: false })],
    ['is left by its client', (_service, exchange) => exchange.end({ status: undefined, isComplete: false })],
    [
      'is over twice',
      (_service, exchange) => {
        exchange.end({ status: 200, isComplete: true });
        exchange.end({ status: 200, isComplete: true });
      },
    ],
  ])('gives the place of a request that %s back once', async (_name, finish) => {
    const service = new Service({ max_concurrent_requests: 1 });
    await finish(service, await service.begin());
    expect((await service.begin()).hasResponse).toBe(false);
    expect((await service.begin()).response.status).toBe(503);
  });
});

describe('the circuit', () => {
  it('opens at the threshold, says for how long, and lets one probe through after it', async () => {
    const service = new Service(opensAtTwo);
    expect(await service.send([500, 200, 503, 200])).toEqual([500, 200, 503, 599]);
    service.bench.clock.advance(1500);
    const refused = await service.begin();
    expect(problemOf(refused)).toMatchObject({ code: 'circuit_open', status: 599 });
    expect(refused.response.headers.get('retry-after')).toBe('4');
    service.bench.clock.advance(3499);
    expect(await service.send([200])).toEqual([599]);
    service.bench.clock.advance(1);
    const probe = await service.begin();
    expect([probe.hasResponse, ...(await service.send([200]))]).toEqual([false, 599]);
    await service.answer(probe, 200);
    expect(await service.send([500, 200])).toEqual([500, 200]);
  });

  it('opens anew, for the whole time, when the probe fails', async () => {
    const service = new Service(opensAtTwo);
    await service.send([500, 500]);
    service.bench.clock.advance(5000);
    expect(await service.send([502, 200])).toEqual([502, 599]);
    service.bench.clock.advance(4999);
    expect(await service.send([200])).toEqual([599]);
    service.bench.clock.advance(1);
    expect(await service.send([200, 200])).toEqual([200, 200]);
  });

  it.each<[string, (service: Service, probe: ExchangeState) => void | Promise<unknown>]>([
    ['the client of the probe leaves', (_service, probe) => probe.end({ status: undefined, isComplete: false })],
    ['a later plugin answers the probe', (service, probe) => service.answer(probe, 403, 'plugin')],
    ["the probe's client breaks its body off", (service, probe) => service.fail(probe, 'request_body_failed')],
    ['a plugin fails the probe', (service, probe) => service.fail(probe, 'plugin_failed')],
  ])('lets the next request probe when %s', async (_name, lose) => {
    const service = new Service(opensAtTwo);
    await service.send([500, 500]);
    service.bench.clock.advance(5000);
    await lose(service, await service.begin());
    expect(await service.send([200, 200])).toEqual([200, 200]);
  });

  it('lets another request probe when the probe takes longer than the cooldown, and hears no more of the first', async () => {
    const service = new Service(opensAtTwo);
    await service.send([500, 500]);
    service.bench.clock.advance(5000);
    const trickling = await service.begin();
    service.bench.clock.advance(4999);
    expect(await service.send([200])).toEqual([599]);
    service.bench.clock.advance(1);
    expect(await service.send([200, 200])).toEqual([200, 200]);
    await service.answer(trickling, 500);
    expect(await service.send([500, 200])).toEqual([500, 200]);
  });

  it('hears nothing in connections that the service closes on requests with a body', async () => {
    const service = new Service(opensAtTwo);
    for (const body of ['a', 'b', 'c']) await service.fail(await service.begin({ body }), 'upstream_reset');
    expect(await service.send([200])).toEqual([200]);
  });

  it.each([
    ['upstream_connect_failed', 599],
    ['upstream_timeout', 599],
    ['no_target', 599],
    ['upstream_reset', 599],
    ['request_body_failed', 200],
    ['request_body_timeout', 200],
    ['plugin_failed', 200],
    ['held_bodies_full', 200],
  ])('after failures with code %s answers %i', async (code, status) => {
    const service = new Service(opensAtTwo);
    await service.fail(await service.begin(), code);
    await service.fail(await service.begin(), code);
    expect(await service.send([200])).toEqual([status]);
  });

  it('counts no failure longer than the window', async () => {
    const service = new Service(opensAtTwo);
    await service.send([500]);
    service.bench.clock.advance(10_000);
    expect(await service.send([500, 200])).toEqual([500, 200]);
    service.bench.clock.advance(8000);
    expect(await service.send([500, 200])).toEqual([500, 599]);
  });

  it('counts neither its own refusals nor what other plugins answer', async () => {
    const service = new Service({ ...opensAtTwo, max_concurrent_requests: 1, status_code: 500 });
    const running = await service.begin();
    await service.send([0, 0, 0]);
    await service.answer(running, 500, 'plugin');
    await service.answer(await service.begin(), 500, 'plugin');
    await service.answer(await service.begin(), 500, 'plugin');
    expect(await service.send([200])).toEqual([200]);
  });

  it('takes no word of requests that began before it changed', async () => {
    const service = new Service(opensAtTwo);
    const [old, older] = [await service.begin(), await service.begin()];
    await service.send([500, 500]);
    service.bench.clock.advance(5000);
    const probe = await service.begin();
    await service.answer(old, 200);
    expect(await service.send([200])).toEqual([599]);
    await service.answer(probe, 200);
    await service.answer(older, 500);
    expect(await service.send([500, 200])).toEqual([500, 200]);
  });

  it.each([
    ['a ratio', { failure_rate_threshold: 0.5, minimum_requests: 4 }, [500, 200, 500, 200, 0], 503],
    ['percent', { failure_rate_threshold: 50, minimum_requests: 4 }, [500, 200, 500, 200, 0], 503],
    ['too few requests', { failure_rate_threshold: 0.5, minimum_requests: 6 }, [500, 500, 500, 200], 200],
    [
      'a rate that is not reached',
      { failure_rate_threshold: 0.6, minimum_requests: 4 },
      [500, 200, 500, 200, 200],
      200,
    ],
    ['the default rate', {}, [...Array<number>(20).fill(500), 0], 503],
    ['no default rate beside a threshold', { failure_threshold: 100 }, [...Array<number>(30).fill(500), 200], 200],
    ['other statuses', { failure_threshold: 1, failure_status_codes: [429] }, [500, 429, 200], 503],
  ])('judges by %s', async (_name, config, statuses, last) => {
    expect((await new Service(config).send(statuses)).at(-1)).toBe(last);
  });

  it.each([
    ['text', 'come back later', 'text/plain; charset=utf-8', 'come back later'],
    ['JSON text', '{"a":1}', 'application/json', '{"a":1}'],
    ['an object', { error: 'open' }, 'application/json', '{"error":"open"}'],
  ])('answers with the configured body: %s', async (_name, body, type, text) => {
    const service = new Service({ failure_threshold: 1, open_circuit_body: body, open_circuit_status: 200 });
    await service.send([500]);
    const { response } = await service.begin();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    expect(new TextDecoder().decode(response.body)).toBe(text);
    expect(response.headers.get('retry-after')).toBe('30');
  });
});

describe('who shares a state', () => {
  const service = (id: string): TestRequest => ({ facts: { service: { id, name: id }, route: { id, name: id } } });
  const tenant = (tenantId: string): TestRequest => ({ facts: { tenantId } });
  it.each([
    ['one service', {}, service('a'), service('a'), 599],
    ['two services', {}, service('a'), service('b'), 200],
    ['two routes', { service_key: 'route' }, service('a'), service('b'), 200],
    ['one gateway', { service_key: 'gateway' }, service('a'), service('b'), 599],
    ['one name for all', { service_key: 'orders' }, service('a'), service('b'), 599],
    ['one name, two tenants', { service_key: 'orders' }, tenant('t1'), tenant('t2'), 200],
  ])('%s', async (_name, config, failing, asked, status) => {
    const bench = new Service({ ...opensAtTwo, ...config });
    await bench.send([500, 500], failing);
    expect(await bench.send([200], asked)).toEqual([status]);
  });

  it.each([
    ['one namespace', { namespace: 'n' }, { namespace: 'n' }, 599],
    ['two namespaces', { namespace: 'n' }, { namespace: 'm' }, 200],
    [
      'one namespace with windows of two lengths',
      { namespace: 'n' },
      { namespace: 'n', failure_window_seconds: 9 },
      200,
    ],
    ['an edit of the same instance', {}, { message: 'another' }, 599],
  ])('instances with %s', async (_name, first, second, status) => {
    const clock = new FakeClock();
    const [failing, asked] = [first, second].map((more) => new Service({ ...opensAtTwo, ...more }, clock));
    await failing?.send([500, 500]);
    expect(await asked?.send([200])).toEqual([status]);
  });
});

describe('the headers', () => {
  it('say the state on answers and refusals when asked to', async () => {
    const service = new Service({ ...opensAtTwo, max_concurrent_requests: 1, include_headers: true });
    const said = ({ response: { headers } }: ExchangeState) =>
      ['State', 'Concurrency', 'Limit'].map((name) => headers.get(`X-Service-Protection-${name}`));
    const running = await service.begin();
    expect(said(await service.begin())).toEqual(['closed', '1', '1']);
    expect(said(await service.answer(running, 500))).toEqual(['closed', '1', '1']);
    await service.send([500]);
    expect(said(await service.begin())).toEqual(['open', '0', '1']);
    service.bench.clock.advance(5000);
    expect(said(await service.answer(await service.begin(), 200))).toEqual(['half_open', '1', '1']);
  });

  it('are left out otherwise', async () => {
    const service = new Service({});
    expect((await service.answer(await service.begin(), 200)).response.headers.toPairs()).toEqual([]);
  });
});

it('says in the log when a circuit opens and closes, and with which request', async () => {
  const lines: unknown[] = [];
  const log = {
    warn: (message: string, details?: object) => void lines.push([message, details]),
    error: () => undefined,
  };
  const bench = new PluginBench(serviceProtection, opensAtTwo, { log });
  const service = new Service(opensAtTwo, bench.clock, bench);
  await service.send([500, 500, 500, 200]);
  bench.clock.advance(5000);
  await service.send([200, 200]);
  const said = (circuit: string) => [
    'the circuit of a service changed',
    expect.objectContaining({ circuit, service: '', route: '', request_id: 'r1' }),
  ];
  expect(lines).toEqual([said('open'), said('closed')]);
});

it.each([
  ['no request at once', { max_concurrent_requests: 0 }, '/max_concurrent_requests'],
  ['a status that is no refusal', { status_code: 200 }, '/status_code'],
  ['an empty message', { message: '' }, '/message'],
  ['no failure', { failure_threshold: 0 }, '/failure_threshold'],
  ['half a failure', { failure_threshold: 1.5 }, '/failure_threshold'],
  ['a rate of nothing', { failure_rate_threshold: 0 }, '/failure_rate_threshold'],
  ['a rate above all', { failure_rate_threshold: 101 }, '/failure_rate_threshold'],
  ['no minimum', { minimum_requests: 0 }, '/minimum_requests'],
  ['a window without length', { failure_window_seconds: 0 }, '/failure_window_seconds'],
  ['no failing status', { failure_status_codes: [] }, '/failure_status_codes'],
  ['a failing status that is a success', { failure_status_codes: [500, 200] }, '/failure_status_codes/1'],
  ['no cooldown', { cooldown_seconds: 0 }, '/cooldown_seconds'],
  ['a body that is a list', { open_circuit_body: [1] }, '/open_circuit_body'],
  ['a status that is not final', { open_circuit_status: 100 }, '/open_circuit_status'],
  ['an empty key', { service_key: '' }, '/service_key'],
  ['an empty namespace', { namespace: '' }, '/namespace'],
  ['headers that are text', { include_headers: 'yes' }, '/include_headers'],
  ['an unknown field', { threshold: 1 }, '/threshold'],
])('refuses a config with %s, naming the place', (_name, config, pointer) => {
  const compiled = serviceProtection.plugin.compile(config);
  expect(compiled.ok ? 'accepted' : compiled.issues.map((issue) => issue.pointer)).toContain(pointer);
});
