import { chatAnswer, chatStream, openAiError } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { compileGuard } from '../guards/guardrails.ts';
import { createLocalLimits } from '../policy/local-limits.ts';
import type { JsonObject } from '../json.ts';
import { readPolicy } from '../policy/read-policy.ts';
import type { Provider } from '../providers/provider.ts';
import { startCached } from './cached.test-support.ts';
import { routeOver, startTestRouter, systemClock } from './router.test-support.ts';

const question = (content: string) => ({ messages: [{ role: 'user', content }] });

describe('a request that was asked before', () => {
  it('is answered from the cache: the same body, no attempt, and it says so', async () => {
    await using test = await startCached();
    const [first, second] = [await test.ask(), await test.ask()];
    expect([first.status, first.header('x-gateway-ai-cache'), first.source]).toEqual([200, 'miss', 'provider']);
    expect([second.status, second.header('x-gateway-ai-cache'), second.source]).toEqual([200, 'hit', 'router']);
    expect(second.text).toBe(first.text);
    expect(second.attempts).toEqual([]);
    expect(second.header('x-gateway-ai-cache-type')).toBe('exact');
    expect(second.header('x-gateway-ai-cache-similarity')).toBeUndefined();
    expect(second.header('age')).toMatch(/^\d+$/);
    expect(second.header('x-gateway-ai-provider')).toBe('first');
    expect(second.header('x-gateway-ai-model')).toBe('model-of-first');
    expect(test.calls()).toBe(1);
    expect(test.records).toMatchObject([
      { cache: 'miss', provider: 'first', usage: { input_tokens: 9 } },
      { cache: 'hit', cache_type: 'exact', outcome: 'success', provider: null, usage: null, cost: null, attempts: [] },
    ]);
  });

  it('says in its age how long the answer was kept, and is asked anew when its time is over', async () => {
    let ms = systemClock.nowMs();
    const clock = { nowMs: () => ms, monotonicMs: systemClock.monotonicMs };
    await using test = await startCached({ clock, config: { ttl_seconds: 60 } });
    await test.ask();
    ms += 59_999;
    expect((await test.ask()).header('age')).toBe('59');
    ms += 1;
    expect((await test.ask()).header('x-gateway-ai-cache')).toBe('miss');
    expect(test.calls()).toBe(2);
  });

  it('is asked anew when the settings of today would not keep it so long', async () => {
    let ms = systemClock.nowMs();
    const clock = { nowMs: () => ms, monotonicMs: systemClock.monotonicMs };
    for (const mode of ['exact', 'semantic']) {
      await using long = await startCached({ clock, config: { mode, ttl_seconds: 3600 } });
      await long.ask(question('How tall is it?'));
      ms += 2000;
      const shared = { clock, store: long.answers.options.store };
      const providers = { first: { baseUrl: `${long.providers['first']?.url}/v1` } };
      await using short = await startCached({ ...shared, providers, config: { mode, ttl_seconds: 1 } });
      const states = [await long.ask(question('How tall is it?')), await short.ask(question('How tall is it?'))].map(
        (answer) => answer.header('x-gateway-ai-cache'),
      );
      expect([mode, ...states]).toEqual([mode, 'hit', 'miss']);
    }
  });

  it('charges no tokens, and counts against the rate limit', async () => {
    const policy = readPolicy('default', { token_budget: 100, rate_limit: 3, rate_window_seconds: 3600 });
    await using test = await startCached({ policies: [policy], limits: createLocalLimits({ clock: systemClock }) });
    const answers = [await test.ask(), await test.ask(), await test.ask(), await test.ask()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    const used = 100 - 21;
    expect(answers.slice(1).map((answer) => answer.header('x-ratelimit-remaining-tokens'))).toEqual(
      // The estimate is held back while a request is looked at.
      [String(used - 2), String(used - 2), String(used)],
    );
  });

  it('is judged by guards as a new answer is', async () => {
    const terms = compileGuard({ action: 'block', terms: ['there'] });
    const guards = { request: [], response: terms === undefined ? [] : [terms], status: 451, message: 'no' };
    await using open = await startCached();
    await open.ask();
    const { store } = open.answers.options;
    await using judged = await startCached({
      store,
      guards,
      providers: { first: { baseUrl: `${open.providers['first']?.url}/v1` } },
    });
    const answer = await judged.ask();
    expect([answer.status, answer.header('x-gateway-ai-cache')]).toEqual([451, 'hit']);
    expect(answer.text).not.toContain('there');
    expect(judged.records).toMatchObject([{ outcome: 'refused', error_class: 'content_blocked', cache: 'hit' }]);
  });

  it('is not kept where a guard masked it: whoever shares the cache would read words of another guard', async () => {
    const mask = compileGuard({ action: 'mask', mask: '[pay me]', terms: ['there'] });
    const guards = { request: [], response: mask === undefined ? [] : [mask], status: 400, message: 'no' };
    await using masked = await startCached({ guards });
    expect((await masked.ask()).text).toContain('Hello [pay me]');
    await using open = await startCached({
      store: masked.answers.options.store,
      providers: { first: { baseUrl: `${masked.providers['first']?.url}/v1` } },
    });
    const [first, second] = [await open.ask(), await masked.ask()];
    expect([first.header('x-gateway-ai-cache'), second.header('x-gateway-ai-cache')]).toEqual(['miss', 'hit']);
    expect([first.text.includes('[pay me]'), second.text.includes('[pay me]')]).toEqual([false, true]);
  });

  it('tells of the hit in its body, and what it tells is not kept', async () => {
    await using test = await startCached();
    await test.ask({}, { isToldInBody: true });
    const plain = await test.ask();
    const told = await test.ask({}, { isToldInBody: true, keptLength: 5 });
    expect([plain.body['gateway_ai'], plain.header('x-gateway-ai-cache')]).toEqual([undefined, 'hit']);
    const gateway_ai = {
      attempts: [],
      provider: 'first',
      model: 'model-of-first',
      cache: 'hit',
      request_id: 'request-1',
    };
    expect(told.body).toMatchObject({ object: 'chat.completion', gateway_ai });
    expect(test.records.at(-1)).toMatchObject({ prompt: 'Hello', response: 'Hello' });
  });

  it('in the words of another form is another request, and its answer is kept in them', async () => {
    await using test = await startCached();
    const sent = { max_tokens: 5, messages: [{ role: 'user', content: 'Hello?' }] };
    const [first, second] = [
      await test.ask(sent, { operation: 'messages' }),
      await test.ask(sent, { operation: 'messages' }),
    ];
    expect([first.body['type'], second.text]).toEqual(['message', first.text]);
    expect(second.header('x-gateway-ai-cache')).toBe('hit');
    expect((await test.ask(sent)).header('x-gateway-ai-cache')).toBe('miss');
  });

  it('of another consumer is asked anew, where consumers vary', async () => {
    for (const [config, state] of [
      [{}, 'miss'],
      [{ vary_by_consumer: false }, 'hit'],
    ] as const) {
      await using test = await startCached({ config });
      await test.ask({}, { consumer: { id: 'ann', groups: [] } });
      const other = await test.ask({}, { consumer: { id: 'bob', groups: [] } });
      expect(other.header('x-gateway-ai-cache')).toBe(state);
    }
  });

  it('a policy that does not allow the model refuses it, cached or not', async () => {
    const policies = [readPolicy('bob', { denied_models: ['*'] })];
    await using test = await startCached({ policies, config: { vary_by_consumer: false } });
    await test.ask();
    const refused = await test.ask({}, { consumer: { id: 'bob', groups: [] } });
    expect([refused.status, refused.header('x-gateway-ai-cache')]).toEqual([403, 'bypass']);
  });
});

describe('what is not kept', () => {
  it.each([
    ['calls of tools', chatAnswer({ toolCall: { name: 'f', arguments: '{}' } })],
    ['an error', openAiError(400, 'invalid_request_error')],
    [
      'what was cut off',
      { kind: 'json', body: { choices: [{ message: { content: 'Hi' }, finish_reason: 'length' }] } },
    ],
  ] as const)('%s', async (_, plan) => {
    await using test = await startCached();
    test.providers['first']?.plan(plan);
    const states = [await test.ask(), await test.ask()].map((answer) => answer.header('x-gateway-ai-cache'));
    expect([states, test.calls()]).toEqual([['miss', 'miss'], 2]);
  });

  it('streams: they bypass the cache, and so do clients who say so', async () => {
    await using test = await startCached();
    test.providers['first']?.plan(chatStream());
    for (const sent of [1, 2]) {
      const answer = await test.ask({ stream: true });
      expect([answer.header('x-gateway-ai-cache'), test.calls()]).toEqual(['bypass', sent]);
    }
    test.providers['first']?.plan(chatAnswer());
    const state = async (cacheControl: string): Promise<unknown> =>
      (await test.ask({}, { cacheControl })).header('x-gateway-ai-cache');
    expect(await state('no-store')).toBe('bypass');
    // Nothing was kept by that. What no-cache brings is.
    expect(await state('max-age=0, No-Cache')).toBe('bypass');
    expect(await state('public')).toBe('hit');
    expect(await state('no-cache')).toBe('bypass');
    expect(await state('max-age=0')).toBe('bypass');
    expect(await state('max-age=10')).toBe('hit');
    expect(test.calls()).toBe(6);
  });

  it('without a cache nothing is', async () => {
    await using test = await startTestRouter();
    expect((await test.ask()).header('x-gateway-ai-cache')).toBe('disabled');
    expect(test.records).toMatchObject([{ cache: 'disabled' }]);
  });

  it('what a name that stands twice would say: what was looked for is sent', async () => {
    await using test = await startCached({ config: { vary_by_consumer: false } });
    const evil = JSON.stringify(question('evil').messages);
    const good = JSON.stringify(question('good').messages);
    const body = new TextEncoder().encode(`{"model":"public","messages":${evil},"messages":${good}}`);
    await test.ask({}, { body });
    expect(test.providers['first']?.requests[0]?.text).not.toContain('evil');
  });
});

describe('what changes the answer of a route', () => {
  it('makes what was kept unfindable: its targets, what they set, and where their provider is', async () => {
    await using test = await startCached();
    await test.ask();
    const { store } = test.answers.options;
    const url = test.providers['first']?.url ?? '';
    const baseUrl = `${url}/v1`;
    const target = { provider: 'first', model: 'model-of-first' };
    const stateOf = async (first: Partial<Provider>, changes: JsonObject): Promise<unknown> => {
      const routes = [routeOver('public', ['first'], changes)];
      await using other = await startCached({ store, routes, providers: { first: { baseUrl, ...first } } });
      return (await other.ask()).header('x-gateway-ai-cache');
    };
    expect(await stateOf({}, {})).toBe('hit');
    // In which order they are tried, and how long they may take, shapes no answer.
    expect(await stateOf({ timeoutMs: 9999 }, { strategy: 'weighted', aliases: ['other'] })).toBe('hit');
    expect(await stateOf({}, { targets: [{ ...target, params: { temperature: 0 } }] })).toBe('miss');
    expect(await stateOf({}, { targets: [{ ...target, model: 'larger' }] })).toBe('miss');
    expect(await stateOf({ modelMap: new Map([['model-of-first', 'another']]) }, {})).toBe('miss');
    expect(await stateOf({ baseUrl: baseUrl.replace('127.0.0.1', 'localhost') }, {})).toBe('miss');
    expect(await stateOf({ headers: ['x-version', '2'] }, {})).toBe('miss');
  });
});
