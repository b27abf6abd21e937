import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSampled } from '../shared/sinks/sampling-decision.ts';
import { exchangeOf, PluginBench, type TestRequest } from '../testing/plugin-bench.ts';
import { sampling } from './index.ts';
import { samplerOf } from './sampler.ts';

const defaults = { strategy: 'consistent', rate: 0.5 } as const;

/** Decisions on requests with these IDs. */
function decisions(config: object, requests: readonly TestRequest[], random = () => 0.5): readonly boolean[] {
  const isKept = samplerOf({ ...defaults, ...config }, random);
  return requests.map((request) => isKept(exchangeOf(request)));
}

function requestsOf(count: number, more: (index: number) => TestRequest = () => ({})): readonly TestRequest[] {
  return Array.from({ length: count }, (_one, index) => ({ facts: { requestId: `request-${index}` }, ...more(index) }));
}

const kept = (all: readonly boolean[]): number => all.filter(Boolean).length;

describe('a decision', () => {
  it.each([0.01, 0.1, 0.5, 0.9])('keeps about the part %d of requests', (rate) => {
    const count = 20_000;
    const deviation = Math.sqrt(count * rate * (1 - rate));
    expect(Math.abs(kept(decisions({ rate, seed: 7 }, requestsOf(count))) - count * rate)).toBeLessThan(5 * deviation);
  });

  it.each(['consistent', 'random'])('keeps all at rate 1 and none at rate 0, with %s', (strategy) => {
    for (const seed of [undefined, 7]) {
      for (const draw of [0, 0.999999]) {
        const all = decisions({ strategy, seed, rate: 1 }, requestsOf(500), () => draw);
        const none = decisions({ strategy, seed, rate: 0 }, requestsOf(500), () => draw);
        expect([kept(all), kept(none)]).toEqual([500, 0]);
      }
    }
  });

  it('is the same in every gateway of one seed, and independent with another', () => {
    const requests = requestsOf(2000);
    const [first, again, other] = [7, '7', 8].map((seed) => decisions({ seed }, requests));
    expect(again).toEqual(first);
    const alike = kept(requests.map((_one, index) => first?.[index] === other?.[index]));
    expect(Math.abs(alike - 1000)).toBeLessThan(5 * Math.sqrt(500));
  });

  it('keeps at a higher rate whoever was kept at a lower one', () => {
    const rate = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.string(), rate, rate, (requestId, one, two) => {
        const request = [{ facts: { requestId } }];
        const [low] = decisions({ rate: Math.min(one, two) }, request);
        const [high] = decisions({ rate: Math.max(one, two) }, request);
        expect(low === true && high === false).toBe(false);
      }),
    );
  });

  it.each([
    ['consistent', { header_name: 'X-Session' }, { headers: ['x-session', 's1'] }],
    ['consistent', {}, { headers: ['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'] }],
    ['trace_id', {}, { headers: ['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'] }],
    ['client_ip', {}, { clientIp: '192.0.2.9' }],
    ['header', { header_name: 'X-Session' }, { headers: ['X-SESSION', 's1'] }],
  ])('by %s is one for all requests of %j %j', (strategy, config, same) => {
    const all = decisions(
      { strategy, ...config },
      requestsOf(50, () => same),
    );
    expect(new Set(all).size).toBe(1);
  });

  it('by consumer is one for all requests of a consumer', () => {
    const isKept = samplerOf({ ...defaults, strategy: 'consumer' }, () => 0.5);
    const decide = (id: string, index: number): boolean => {
      const exchange = exchangeOf({ facts: { requestId: `request-${index}` } });
      exchange.applyRequestEdits({ consumer: { id, groups: [] } });
      return isKept(exchange);
    };
    const consumers = Array.from({ length: 40 }, (_one, index) => `consumer-${index}`);
    const perConsumer = consumers.map((id) => new Set([0, 1, 2, 3].map((index) => decide(id, index))).size);
    expect(perConsumer).toEqual(consumers.map(() => 1));
    expect(new Set(consumers.map((id) => decide(id, 0))).size).toBe(2);
  });

  it.each(['consistent', 'trace_id', 'consumer', 'header'])(
    'by %s is by the request where it has nothing of the kind',
    (strategy) => {
      const config = { strategy, ...(strategy === 'header' ? { header_name: 'X-Session' } : {}) };
      expect(decisions(config, requestsOf(100))).toEqual(decisions({ strategy: 'request_id' }, requestsOf(100)));
    },
  );

  it('by chance is what chance says; with a seed it is the same sequence each time', () => {
    const draws = [0.49, 0.5, 0.1];
    expect(decisions({ strategy: 'random' }, requestsOf(3), () => draws.shift() ?? 1)).toEqual([true, false, true]);
    const same = { facts: { requestId: 'one' } };
    const sequence = decisions(
      { strategy: 'random', seed: 'a' },
      Array.from({ length: 200 }, () => same),
    );
    expect(sequence).toEqual(decisions({ strategy: 'random', seed: 'a' }, requestsOf(200)));
    expect(new Set(sequence).size).toBe(2);
  });
});

describe('sampling', () => {
  it.each([
    [1, true],
    [0, false],
  ])('at rate %d tells emitters and the gateway: %s', async (rate, expected) => {
    const { exchange } = await new PluginBench(sampling, { rate }).request();
    expect([isSampled(exchange), exchange.observation]).toEqual([expected, { sampled: expected }]);
  });

  it.each([
    ['not unless asked', {}, 'of the client', undefined],
    ['when asked', { include_decision_header: true }, 'of the client', '1'],
    ['because the header has a name', { decision_header: 'X-Kept' }, 'of the client', undefined],
    [
      'not, though the header has a name',
      { decision_header: 'X-Sampling-Decision', include_decision_header: false },
      'of the client',
      undefined,
    ],
  ])('tells the upstream %s', async (_name, config, sent, told) => {
    const { exchange } = await new PluginBench(sampling, { rate: 1, ...config }).request({
      headers: ['x-sampling-decision', sent],
    });
    expect(exchange.request.headers.getAll('x-sampling-decision')).toEqual([told ?? sent]);
    expect(exchange.request.headers.get('x-kept')).toBe(
      'decision_header' in config && config.decision_header === 'X-Kept' ? '1' : undefined,
    );
  });

  it('says 0 to the upstream of what is left out', async () => {
    const { exchange } = await new PluginBench(sampling, { rate: 0, decision_header: 'X-Kept' }).request();
    expect(exchange.request.headers.get('X-Kept')).toBe('0');
  });

  it.each([
    ['no rate', {}, '/rate'],
    ['a rate below 0', { rate: -0.1 }, '/rate'],
    ['a rate above 1', { rate: 1.1 }, '/rate'],
    ['a rate in per cent', { rate: 10 }, '/rate'],
    ['a rate that is no number', { rate: Number.NaN }, '/rate'],
    ['an unknown strategy', { rate: 1, strategy: 'sometimes' }, '/strategy'],
    ['the strategy header without one', { rate: 1, strategy: 'header' }, '/header_name'],
    ['a header that nothing looks at', { rate: 1, strategy: 'random', header_name: 'X-A' }, '/header_name'],
    ['a decision header that is none', { rate: 1, decision_header: 'a\r\nb' }, '/decision_header'],
    ['a decision header of the connection', { rate: 1, decision_header: 'Host' }, '/decision_header'],
    ['a seed that is neither', { rate: 1, seed: true }, '/seed'],
    ['a seed with a fraction', { rate: 1, seed: 1.5 }, '/seed'],
  ])('may not have %s', (_name, config, pointer) => {
    expect(sampling.plugin.compile(config)).toMatchObject({ ok: false, issues: [{ pointer }] });
  });
});
