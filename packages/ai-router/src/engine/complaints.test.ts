import {
  chatAnswer,
  chatFrames,
  eventually,
  gate,
  messageStream,
  openAiError,
  overloadedFrame,
} from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { compileGuard } from '../guards/guardrails.ts';
import type { Transport } from '../transport.ts';
import { nodeTransport } from './node-transport.test-support.ts';
import type { JsonObject } from '../json.ts';
import { readPolicy } from '../policy/read-policy.ts';
import { isStream, routeOver, saidIn, startTestRouter } from './router.test-support.ts';

/*
 * What users of other AI gateways complain about, as far as it is the engine's. Source: ai, Twenty complaints.
 */

const [role = '', hello = '', there = '', ...ending] = chatFrames();

describe('1: a truncated stream', () => {
  it('does not end as if it were whole', async () => {
    await using test = await startTestRouter({ providers: { first: {} } });
    test.providers['first']?.plan({ kind: 'stream', parts: [role, hello], ending: 'cut' });
    const { text } = await test.ask({ stream: true });
    expect(text).toContain('provider_stream_error');
    expect(text).not.toContain('[DONE]');
  });
});

describe('2: one bad line', () => {
  it('ends no stream: it is left out and counted', async () => {
    await using test = await startTestRouter({ providers: { first: {} } });
    test.providers['first']?.plan({ kind: 'stream', parts: [role, hello, 'data: {"oops\n\n', there, ...ending] });
    const answer = await test.ask({ stream: true });
    expect(saidIn(answer.text)).toBe('Hello there');
    expect(answer.text).toMatch(/\[DONE\]\n\n$/);
    expect(test.records).toMatchObject([{ outcome: 'success', unreadable_events: 1 }]);
  });
});

describe('3: a silent provider', () => {
  it('is left after the time for a first byte, not after that for an answer', async () => {
    const timeoutMs = 600_000;
    await using test = await startTestRouter({
      providers: { first: { timeoutMs, firstByteTimeoutMs: 200 }, second: {} },
      answerDeadlineMs: timeoutMs,
    });
    test.providers['first']?.plan({ kind: 'silent' });
    expect((await test.ask({ stream: true })).attempts.map(({ outcome }) => outcome)).toEqual(['timeout', 'success']);
  });
});

describe('4: a client that left', () => {
  it.each([false, true])('ends the call of the provider, and no other target is tried (stream %s)', async (stream) => {
    await using test = await startTestRouter();
    test.providers['first']?.plan({ kind: 'silent' });
    const leaving = new AbortController();
    const answer = test.begin({ stream }, leaving.signal);
    await eventually(() => expect(test.providers['first']?.requests).toHaveLength(1));
    leaving.abort();
    expect((await answer).status).toBe(499);
    await eventually(() => expect(test.providers['first']?.requests[0]?.isAborted).toBe(true));
    expect(test.providers['second']?.requests).toEqual([]);
    // The provider has the prompt, and may count it.
    const usage = { input_tokens: 2, output_tokens: 0, estimated: true };
    const attempts = [{ outcome: 'client_closed' }];
    expect(test.records).toMatchObject([{ outcome: 'client_closed', usage, attempts }]);
  });

  it('of an answer that is held for guards is charged what came of it', async () => {
    const guard = compileGuard({ action: 'block', terms: ['never'] });
    const guards = { request: [], response: guard === undefined ? [] : [guard], status: 400, message: 'x' };
    const leaving = new AbortController();
    let read = 0;
    const transport: Transport = {
      open: (request, listener) =>
        nodeTransport.open(request, {
          onHead: (...head) => listener.onHead(...head),
          onData: (bytes) => ((read += bytes.byteLength), listener.onData(bytes)),
          onEnd: () => listener.onEnd(),
          onFailure: (error) => listener.onFailure(error),
        }),
    };
    await using watched = await startTestRouter({ providers: { first: {} }, guards, transport });
    watched.providers['first']?.plan({ kind: 'stream', parts: [role, hello], ending: 'silence' });
    const answer = watched.begin({ stream: true }, leaving.signal);
    await eventually(() => expect(read).toBe(role.length + hello.length));
    leaving.abort();
    expect((await answer).status).toBe(499);
    const usage = { input_tokens: 2, output_tokens: 2, estimated: true };
    expect(watched.records).toMatchObject([{ outcome: 'client_closed', usage }]);
  });

  it('in the middle of a stream ends it at the provider, too, and is charged what it saw', async () => {
    await using test = await startTestRouter({ providers: { first: {} } });
    test.providers['first']?.plan({ kind: 'stream', parts: [role, hello], ending: 'silence' });
    const { body } = await test.begin({ stream: true });
    if (!isStream(body)) throw new Error('no stream');
    let seen = '';
    body.start({
      write: (bytes) => ((seen += new TextDecoder().decode(bytes)), true),
      end: () => undefined,
      fail: () => undefined,
    });
    await eventually(() => expect(seen).toContain('Hello'));
    body.cancel();
    await eventually(() => expect(test.providers['first']?.requests[0]?.isAborted).toBe(true));
    const usage = { input_tokens: 2, output_tokens: 2, estimated: true };
    expect(test.records).toMatchObject([{ outcome: 'client_closed', usage }]);
  });

  it('before anything was asked costs no attempt', async () => {
    await using test = await startTestRouter();
    expect((await test.begin({}, AbortSignal.abort())).status).toBe(499);
    expect(test.providers['first']?.requests).toEqual([]);
  });
});

describe('5: overloaded within a stream of status 200', () => {
  it.each(['openai', 'anthropic'] as const)('goes to the next target (%s)', async (type) => {
    await using test = await startTestRouter({ providers: { first: { type }, second: {} } });
    test.providers['first']?.plan({ kind: 'stream', parts: [overloadedFrame] });
    const answer = await test.ask({ stream: true });
    expect(answer.attempts).toMatchObject([{ error_class: 'overloaded_error' }, { outcome: 'success' }]);
    expect(saidIn(answer.text)).toBe('Hello there');
  });
});

describe('6: fallback of streams and of whole answers', () => {
  it('is one: the same attempts for the same faults', async () => {
    await using test = await startTestRouter({ providers: { first: {}, second: {}, third: {} } });
    const lists = [];
    for (const stream of [false, true]) {
      test.providers['first']?.plan(openAiError(500, 'server_error'));
      test.providers['second']?.plan({ kind: 'bytes', contentType: 'text/html', body: '<p>' });
      const { attempts } = await test.ask({ stream });
      lists.push(
        attempts.map(({ provider, outcome, status, error_class: error }) => ({ provider, outcome, status, error })),
      );
    }
    expect(lists[0]).toHaveLength(3);
    expect(lists[0]).toEqual(lists[1]);
  });
});

describe('14: when all targets failed', () => {
  it('the next request tries them again', async () => {
    await using test = await startTestRouter();
    for (const provider of Object.values(test.providers)) provider.plan(openAiError(503, 'down'));
    expect((await test.ask()).status).toBe(503);
    for (const provider of Object.values(test.providers)) provider.plan(chatAnswer());
    expect((await test.ask()).status).toBe(200);
  });
});

describe('17: streams', () => {
  it('reach the client piece by piece, before the provider has said all', async () => {
    await using test = await startTestRouter({ providers: { first: {} } });
    const held = gate();
    test.providers['first']?.plan({ kind: 'stream', parts: [role, hello, held, there, ...ending] });
    const { body, headers } = await test.begin({ stream: true });
    if (!isStream(body)) throw new Error('no stream');
    let seen = '';
    const ended = new Promise<void>((resolve) => {
      body.start({ write: (bytes) => ((seen += new TextDecoder().decode(bytes)), true), end: resolve, fail: resolve });
    });
    await eventually(() => expect(seen).toBe(role + hello));
    held.open();
    await ended;
    expect(seen).toContain('[DONE]');
    expect(headers.join(' ')).toContain(
      'text/event-stream; charset=utf-8 cache-control no-cache, no-transform x-accel-buffering no',
    );
    expect(test.providers['first']?.requests[0]?.headers['accept-encoding']).toBe('identity');
  });
});

describe('comments of a provider', () => {
  it('keep the client from giving up once the answer has begun, and are no beginning themselves', async () => {
    await using test = await startTestRouter({ providers: { first: { firstByteTimeoutMs: 300 }, second: {} } });
    test.providers['first']?.plan({ kind: 'stream', parts: [': alive\n\n'], ending: 'silence' });
    expect((await test.ask({ stream: true })).attempts).toMatchObject([{ outcome: 'timeout' }, { outcome: 'success' }]);
    test.providers['first']?.plan({ kind: 'stream', parts: [role, ': alive\n\n', hello, there, ...ending] });
    expect((await test.ask({ stream: true })).text).toContain(`${role}: alive\n\n${hello}`);
  });
});

describe('18: limits and bodies', () => {
  it('take prompts of megabytes, and say where the end is', async () => {
    await using test = await startTestRouter({ providers: { first: {} } });
    const content = 'x'.repeat(4 * 1024 * 1024);
    expect((await test.ask({ messages: [{ role: 'user', content }] })).status).toBe(200);
    const body = new Uint8Array(64 * 1024 * 1024 + 1);
    expect(await test.ask({}, { body })).toMatchObject({ status: 413, body: { error: { code: 'request_too_large' } } });
  });

  it('tell a rate limit by status, code, Retry-After and headers', async () => {
    const policies = [readPolicy('default', { rate_limit: 1, rate_window_seconds: 3600 })];
    await using test = await startTestRouter({ policies });
    expect((await test.ask()).header('x-ratelimit-remaining-requests')).toBe('0');
    const answer = await test.ask();
    expect([answer.status, answer.body]).toMatchObject([429, { error: { code: 'rate_limit_exceeded' } }]);
    expect(Number(answer.header('retry-after'))).toBeGreaterThan(0);
    expect(answer.header('x-ratelimit-limit-requests')).toBe('1');
  });
});

describe('19: time-outs of several targets', () => {
  it('do not add up beyond the time that a request has for its answer', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const providers = Object.fromEntries(names.map((name) => [name, { timeoutMs: 400 }]));
    await using test = await startTestRouter({ providers, answerDeadlineMs: 600 });
    for (const provider of Object.values(test.providers)) provider.plan({ kind: 'silent' });
    const { status, attempts } = await test.ask();
    expect([status, new Set(attempts.map(({ outcome }) => outcome))]).toEqual([502, new Set(['timeout'])]);
    expect(attempts.length).toBeLessThanOrEqual(2);
  });
});

describe('20: whose error it is', () => {
  it('is told: a provider passes on its own, the gateway says what it could not reach', async () => {
    await using test = await startTestRouter({ providers: { first: {} } });
    test.providers['first']?.plan(openAiError(400, 'invalid_request_error'), { kind: 'cut' });
    const own = await test.ask();
    expect([own.status, own.source, own.attempts]).toMatchObject([400, 'provider', [{ retryable: false }]]);
    const ours = await test.ask();
    expect([ours.status, ours.source, ours.body['attempts']]).toMatchObject([
      502,
      'router',
      [{ outcome: 'transport_error' }],
    ]);
  });

  it('is the last attempt that decides, with its Retry-After', async () => {
    await using test = await startTestRouter();
    test.providers['first']?.plan({ kind: 'cut' });
    test.providers['second']?.plan(openAiError(429, 'rate_limit_error', { 'retry-after': '7' }));
    const answer = await test.ask();
    expect([answer.status, answer.header('retry-after'), answer.source]).toEqual([429, '7', 'provider']);
    expect(answer.body).toEqual({
      error: { message: 'fake rate_limit_error', type: 'rate_limit_error', param: null, code: 'rate_limit_error' },
    });
  });

  it('is in the form of the client, for messages too', async () => {
    await using test = await startTestRouter({ providers: { first: {} } });
    test.providers['first']?.plan(openAiError(400, 'invalid_request_error'), messageStream());
    const ask = async (body: JsonObject) => await test.ask(body, { operation: 'messages' });
    const encode = (body: JsonObject) => new TextEncoder().encode(JSON.stringify(body));
    const unknown = await test.ask({}, { operation: 'messages', body: encode({ model: 'nothing', messages: [{}] }) });
    expect([unknown.status, unknown.body]).toMatchObject([404, { type: 'error', error: { type: 'not_found_error' } }]);
    const own = await ask({ max_tokens: 5 }).catch(() => undefined);
    expect(own === undefined || own.status).toBe(400);
    expect(own?.body).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
  });
});

describe('an explanation', () => {
  it('is of the order that the next request has, and calls nobody', async () => {
    const routes = [routeOver('public', ['first', 'second'], { strategy: 'weighted' })];
    await using test = await startTestRouter({ routes });
    await test.ask();
    const body = { model: 'public', messages: [] };
    const { outcome, targets } = test.router.explain('chat', body, undefined);
    expect([outcome, targets[0]?.target.provider]).toEqual(['routed', 'second']);
    expect((await test.ask()).attempts).toMatchObject([{ provider: 'second' }]);
    expect(test.records).toHaveLength(2);
  });
});

describe('routes', () => {
  it('over a provider that is off leave it out, and its share too', async () => {
    const routes = [routeOver('public', ['gone', 'first'], { strategy: 'weighted' })];
    await using test = await startTestRouter({ routes, providers: { first: {} } });
    for (let turn = 0; turn < 4; turn += 1) {
      const { attempts } = await test.ask();
      expect(attempts.map(({ provider }) => provider)).toEqual(['first']);
    }
  });
});
