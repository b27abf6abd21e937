import { chatAnswer, chatFrames, gate, openAiError, overloadedFrame } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { createLocalLimits } from '../policy/local-limits.ts';
import { readPolicy } from '../policy/read-policy.ts';
import { ANSWER_VALUES_MAX } from './body-bounds.ts';
import { isStream, startTestRouter, systemClock } from './router.test-support.ts';

const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a": oops' } };
const brokenCall = {
  kind: 'json',
  body: {
    choices: [
      { index: 0, message: { role: 'assistant', content: null, tool_calls: [call] }, finish_reason: 'tool_calls' },
    ],
  },
} as const;
const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('an answer that cannot be told in the form of the client', () => {
  const anthropic = { operation: 'messages' } as const;

  it('is none: the next target is asked', async () => {
    await using test = await startTestRouter();
    test.providers['first']?.plan(brokenCall);
    const answer = await test.ask({ max_tokens: 9 }, anthropic);
    expect(answer.status).toBe(200);
    expect(answer.attempts).toMatchObject([
      { outcome: 'provider_malformed_response', status: 200 },
      { outcome: 'success' },
    ]);
  });

  it('leaves no tokens held back when it was the last', async () => {
    const limits = createLocalLimits({ clock: systemClock });
    const policies = [readPolicy('default', { token_budget: 1000 })];
    await using test = await startTestRouter({ providers: { first: {} }, limits, policies });
    test.providers['first']?.plan(brokenCall, chatAnswer());
    expect((await test.ask({ max_tokens: 900 }, anthropic)).status).toBe(502);
    expect((await test.ask({ max_tokens: 900 }, anthropic)).status).toBe(200);
  });

  it.each([
    ['an answer', 200, `{"choices":[{"message":{"content":"x"}}],"deep":${deep(50_000)}}`, 502],
    ['an error', 400, `{"error":${deep(50_000)}}`, 400],
  ])('because %s is nested too deeply still gets a status', async (_name, status, body, told) => {
    await using test = await startTestRouter({ providers: { first: {} } });
    test.providers['first']?.plan({ kind: 'bytes', status, body });
    expect((await test.ask({}, { isToldInBody: true })).status).toBe(told);
    expect(test.records).toHaveLength(1);
  });
});

it('a target that is skipped leaves the last word, and its name, to the target before it', async () => {
  const supports = { streamUsage: true, tools: false, jsonSchema: true };
  await using test = await startTestRouter({ providers: { first: {}, second: { supports } } });
  test.providers['first']?.plan(openAiError(429, 'slow_down', { 'retry-after': '7' }));
  const answer = await test.ask({ tools: [{ type: 'function', function: { name: 'f' } }] });
  expect([answer.status, answer.body]).toMatchObject([429, { error: { type: 'slow_down' } }]);
  expect(answer.header('retry-after')).toBe('7');
  expect(answer.header('x-gateway-ai-provider')).toBe('first');
  expect(answer.header('x-gateway-ai-fallback')).toBeUndefined();
  expect(answer.attempts.map(({ outcome }) => outcome)).toEqual(['provider_error', 'skipped']);
  expect(test.records).toMatchObject([{ provider: 'first', fallback: false }]);
});

describe('an error within a stream', () => {
  const [role = '', hello = '', ...rest] = chatFrames();

  it('is followed by the next target where it came together with the first event, because nothing was sent yet', async () => {
    await using test = await startTestRouter();
    test.providers['first']?.plan({ kind: 'stream', parts: [role + hello + overloadedFrame] });
    const answer = await test.ask({ stream: true });
    expect(answer.text).toMatch(/\[DONE\]\n\n$/);
    expect(answer.text).not.toContain(hello + hello);
    expect(answer.attempts).toMatchObject([
      { outcome: 'provider_error', error_class: 'overloaded_error' },
      { outcome: 'success' },
    ]);
  });

  it('ends a stream that has begun', async () => {
    await using test = await startTestRouter();
    const held = gate();
    test.providers['first']?.plan({ kind: 'stream', parts: [role, hello, held, overloadedFrame, ...rest] });
    const { body } = await test.begin({ stream: true });
    if (!isStream(body)) throw new Error('no stream');
    held.open();
    const pieces: Uint8Array[] = [];
    await new Promise<void>((resolve) => {
      body.start({ write: (bytes) => pieces.push(bytes) > 0, end: resolve, fail: resolve });
    });
    expect(Buffer.concat(pieces).toString()).toMatch(/provider_stream_error"\}\}\n\n$/);
    expect(test.providers['second']?.requests).toEqual([]);
    expect(test.records).toMatchObject([
      { outcome: 'provider_stream_error', attempts: [{ error_class: 'overloaded_error' }] },
    ]);
  });
});

it('an answer of more values than are worth their memory is none', async () => {
  await using test = await startTestRouter({ providers: { first: { responseBytesMax: 64 * 1024 * 1024 } } });
  test.providers['first']?.plan({ kind: 'bytes', body: `{"choices":[${'{},'.repeat(ANSWER_VALUES_MAX / 2)}{}]}` });
  expect((await test.ask()).attempts).toMatchObject([{ outcome: 'provider_malformed_response', status: 200 }]);
});
