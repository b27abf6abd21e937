import { frame } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { compileGuard, type GuardConfig } from '../guards/guardrails.ts';
import type { TextGuard } from '../guards/text-guard.ts';
import type { JsonObject } from '../json.ts';
import type { AiOperation } from '../operation.ts';
import { JUDGED_LENGTH_MAX } from './judge-texts.ts';
import type { RouterGuards } from './router-options.ts';
import { startTestRouter } from './router.test-support.ts';
import { JUDGED_TEXTS_MAX } from './text-places.ts';

function guardOf(config: GuardConfig): TextGuard {
  const guard = compileGuard(config);
  if (guard === undefined) throw new Error('no guard');
  return guard;
}

const blocking = guardOf({ action: 'block', terms: ['bomb'] });
const masking = guardOf({ action: 'mask', mask: '#', pii: ['email', 'credit_card'] });
const guarded = (sides: Partial<Pick<RouterGuards, 'request' | 'response'>>): RouterGuards => ({
  ...{ request: [], response: [], status: 418, message: 'blocked', ...sides },
});
const user = (content: unknown): JsonObject => ({ messages: [{ role: 'user', content }] });
const text = (said: string): JsonObject => ({ type: 'text', text: said });
const toolUse = (input: JsonObject): JsonObject => user([{ type: 'tool_use', id: 't1', name: 'f', input }]);
const called = (args: string): JsonObject => ({
  messages: [
    { role: 'user', content: 'x' },
    { role: 'assistant', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: args } }] },
  ],
});
const tool = (changes: JsonObject): JsonObject => ({
  ...user('x'),
  tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' }, ...changes } }],
});

describe('a guard of requests sees', () => {
  it.each<[string, AiOperation, JsonObject]>([
    ['a message', 'chat', user('a bomb')],
    ['one of several parts', 'chat', user([text('a'), text('a bomb')])],
    ['a word in two parts of one message', 'chat', user([text('a bo'), text('mb')])],
    ['a part that ends where another begins', 'chat', user([text('a bomb'), text('er')])],
    [
      'a document',
      'messages',
      user([{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a bomb' } }]),
    ],
    ['what a tool was given, whatever its name', 'messages', toolUse({ name: 'a bomb', url: 'x' })],
    ['a word alone where forms have words of theirs', 'messages', toolUse({ type: 'bomb' })],
    ['names within what a tool was given', 'messages', toolUse({ bomb: 1 })],
    ['arguments', 'chat', called('{"q":"bomb"}')],
    ['arguments that are spelt with escapes', 'chat', called('{"q":"b\\u006fmb"}')],
    ['arguments that are no JSON', 'chat', called('bomb {')],
    ['the description of a tool', 'chat', tool({ description: 'makes a bomb' })],
    ['the parameters of a tool', 'chat', tool({ parameters: { properties: { a: { description: 'a bomb' } } } })],
    ['the name of who speaks', 'chat', { messages: [{ role: 'user', name: 'bomb', content: 'x' }] }],
    ['a prediction', 'chat', { ...user('x'), prediction: { type: 'content', content: 'a bomb' } }],
    [
      'a JSON schema',
      'chat',
      { ...user('x'), response_format: { type: 'json_schema', json_schema: { name: 'bomb' } } },
    ],
    ['a form that nobody knows', 'chat', { ...user('x'), system_prompt: { type: 'a bomb' } }],
    ['a suffix', 'completions', { prompt: 'x', suffix: 'a bomb' }],
    ['a variable', 'responses', { input: 'x', prompt: { id: 'p', variables: { name: 'bomb' } } }],
    ['each of several inputs', 'embeddings', { input: ['x', 'bomb'] }],
    ['a file that is no base64', 'chat', user([{ type: 'file', file: { file_data: 'bomb' } }])],
    ['a text in base64', 'chat', user([{ type: 'file', file: { file_data: 'data:text/plain;base64,YSBib21i' } }])],
    [
      'a document in base64',
      'messages',
      user([{ type: 'document', source: { type: 'base64', media_type: 'text/plain', data: 'YSBib21i' } }]),
    ],
    ['a text that calls itself an address', 'chat', user([{ type: 'image_url', image_url: { url: 'data:,a bomb' } }])],
  ])('%s', async (_name, operation, body) => {
    await using test = await startTestRouter({ guards: guarded({ request: [blocking] }) });
    const answer = await test.ask(body, { operation, keptLength: 100 });
    expect([answer.status, test.providers['first']?.requests]).toEqual([418, []]);
    expect(answer.text).toContain('blocked');
    // What must not be sent must not be kept either.
    expect(test.records).toMatchObject([{ outcome: 'refused' }]);
    expect(test.records[0]).not.toHaveProperty('prompt');
  });

  it.each<[string, AiOperation, JsonObject, number]>([
    ['more text than guards judge', 'chat', user('a '.repeat(JUDGED_LENGTH_MAX / 2) + 'a'), 413],
    [
      'more texts than guards judge',
      'embeddings',
      { input: Array.from({ length: JUDGED_TEXTS_MAX + 1 }, () => 'a') },
      413,
    ],
    ['token numbers', 'completions', { prompt: [1, 2] }, 400],
    ['lists of token numbers', 'embeddings', { input: ['a', [1, 2]] }, 400],
  ])('no %s: such requests are refused', async (_name, operation, body, status) => {
    await using test = await startTestRouter({ guards: guarded({ request: [blocking] }) });
    const answer = await test.ask(body, { operation });
    expect([answer.status, test.providers['first']?.requests]).toEqual([status, []]);
  });

  it('nothing in words of the form, images and references', async () => {
    const guards = guarded({
      request: [guardOf({ action: 'block', terms: ['user', 'text', 'function', 'auto', 'QUJD', 'object'] })],
    });
    await using test = await startTestRouter({ providers: { first: {} }, guards });
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD', detail: 'auto' } };
    expect((await test.ask({ ...user([text('x'), image]), ...tool({}), tool_choice: 'auto' })).status).toBe(200);
  });
});

describe('what is sent is what was judged', () => {
  it('where a name stands twice, at any depth', async () => {
    await using test = await startTestRouter({ providers: { first: {} }, guards: guarded({ request: [blocking] }) });
    const body = new TextEncoder().encode(
      '{"model":"public","messages":[{"role":"user","content":"bomb","content":"ok"}]}',
    );
    expect((await test.ask({}, { body })).status).toBe(200);
    expect(test.providers['first']?.requests[0]?.text).toBe(
      '{"model":"model-of-first","messages":[{"role":"user","content":"ok"}]}',
    );
  });

  it('and what is masked in parts is one part then', async () => {
    await using test = await startTestRouter({ providers: { first: {} }, guards: guarded({ request: [masking] }) });
    const parts = [
      text('pay 4111 1111'),
      text(' 1111 1111 now'),
      text('ann@example.org'),
      { type: 'image_url', image_url: { url: 'https://x/4111111111111111' } },
    ];
    await test.ask(
      {
        ...user(parts),
        ...called('{"to":"\\u0061nn@example.org","n":1}'),
        messages: [
          ...(user(parts)['messages'] as []),
          ...(called('{"to":"\\u0061nn@example.org","n":1}')['messages'] as []),
        ],
      },
      { keptLength: 100 },
    );
    const sent = test.providers['first']?.requests[0]?.body as {
      messages: { content: unknown; tool_calls?: unknown }[];
    };
    expect(sent.messages[0]?.content).toEqual([text('pay # now#'), parts[3]]);
    expect(sent.messages[2]?.tool_calls).toMatchObject([{ function: { arguments: '{"to":"#","n":1}' } }]);
    expect(test.records[0]?.prompt).not.toContain('ann');
  });
});

describe('a guard of answers', () => {
  const events = (...data: readonly JsonObject[]): string[] => data.map((one) => frame(one, String(one['type'])));
  const completed = {
    type: 'response.completed',
    response: { id: 'r', output: [], usage: { input_tokens: 1, output_tokens: 1 } },
  };
  const delta = (said: string): JsonObject => ({
    ...{ type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: said },
  });

  it('sees the pieces of responses whose last event repeats nothing', async () => {
    await using test = await startTestRouter({ providers: { first: {} }, guards: guarded({ response: [blocking] }) });
    test.providers['first']?.plan({ kind: 'stream', parts: events(delta('a bo'), delta('mb'), completed) });
    expect((await test.ask({ stream: true, input: 'x' }, { operation: 'responses' })).status).toBe(418);
    test.providers['first']?.plan({ kind: 'stream', parts: events(delta('a bo'), delta('at'), completed) });
    const answer = await test.ask({ stream: true, input: 'bomb' }, { operation: 'responses' });
    expect([answer.status, answer.text.includes('response.completed')]).toEqual([200, true]);
  });

  it.each([
    [
      'a name that stands twice',
      '{"choices":[{"message":{"content":"bomb","content":"ok"},"finish_reason":"stop"}]}',
      200,
    ],
    ['a text that no form has', '{"choices":[{"message":{"content":"ok"}}],"output_text":"a bomb"}', 418],
    [
      'the name of a tool',
      '{"choices":[{"message":{"tool_calls":[{"function":{"name":"bomb","arguments":"{}"}}]}}]}',
      418,
    ],
  ])('sees or drops %s', async (_name, body, status) => {
    await using test = await startTestRouter({ providers: { first: {} }, guards: guarded({ response: [blocking] }) });
    test.providers['first']?.plan({ kind: 'bytes', body });
    const answer = await test.ask();
    expect([answer.status, answer.text.includes('bomb')]).toEqual([status, false]);
  });

  it.each([
    [
      'a name that stands twice',
      ['{"choices":[{"delta":{"content":"bomb","content":"ok"},"finish_reason":"stop"}]}'],
      200,
    ],
    ['a message in place of a delta', ['{"choices":[{"message":{"content":"bomb"},"finish_reason":"stop"}]}'], 418],
    [
      'an index that is text',
      [
        '{"choices":[{"index":0,"delta":{"content":"bo"}}]}',
        '{"choices":[{"index":"0","delta":{"content":"mb"},"finish_reason":"stop"}]}',
      ],
      418,
    ],
  ])('sees or drops %s in a stream', async (_name, data, status) => {
    await using test = await startTestRouter({ providers: { first: {} }, guards: guarded({ response: [blocking] }) });
    test.providers['first']?.plan({
      kind: 'stream',
      parts: [...data.map((one) => `data: ${one}\n\n`), 'data: [DONE]\n\n'],
    });
    const answer = await test.ask({ stream: true });
    expect([answer.status, answer.text.includes('bomb')]).toEqual([status, false]);
  });

  it('masks what records keep, too', async () => {
    await using test = await startTestRouter({ providers: { first: {} }, guards: guarded({ response: [masking] }) });
    const chunk = (content: string, more: JsonObject = {}): string =>
      frame({ choices: [{ index: 0, delta: { content }, ...more }] });
    const parts = [
      chunk('mail ann', { logprobs: { content: [{ token: 'ann' }] } }),
      chunk('@example.org now', { finish_reason: 'stop' }),
      'data: [DONE]\n\n',
    ];
    test.providers['first']?.plan({ kind: 'stream', parts });
    const answer = await test.ask({ stream: true }, { keptLength: 100 });
    expect(answer.text).not.toContain('ann');
    expect(test.records[0]?.response).toBe('mail # now');
  });

  it('keeps calls of several tools apart', async () => {
    await using test = await startTestRouter({ providers: { first: {} }, guards: guarded({ response: [blocking] }) });
    const call = (index: number, args: string): string =>
      frame({ choices: [{ index: 0, delta: { tool_calls: [{ index, function: { arguments: args } }] } }] });
    const end = frame({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] });
    test.providers['first']?.plan({
      kind: 'stream',
      parts: [call(0, '{"a":"bo'), call(1, 'mb"'), call(0, 'at"}'), end],
    });
    expect((await test.ask({ stream: true })).status).toBe(200);
    test.providers['first']?.plan({
      kind: 'stream',
      parts: [call(0, '{"a":"bo'), call(1, '1'), call(0, 'm\\u0062"}'), end],
    });
    expect((await test.ask({ stream: true })).status).toBe(418);
  });
});
