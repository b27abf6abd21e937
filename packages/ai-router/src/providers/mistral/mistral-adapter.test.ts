import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../json.ts';
import { MalformedAnswerError, UnsupportedRequestError } from '../errors.ts';
import { bodyOf, chunksOf, readStream, saidInChat, testCall, testProvider } from '../provider.test-support.ts';
import { mistralAdapter } from './mistral-adapter.ts';

const provider = testProvider('mistral', 'https://api.mistral.ai/v1');

async function sent(body: JsonObject, more: object = {}): Promise<unknown> {
  return bodyOf(await mistralAdapter.prepare(testCall({ provider, body, ...more })));
}

describe('requests', () => {
  test('that need no change go on as they came', async () => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'x' }], max_tokens: 5, random_seed: 1 };
    const bytes = Buffer.from(JSON.stringify(body));
    expect((await mistralAdapter.prepare(testCall({ provider, body, bytes }))).body).toBe(bytes);
  });

  test.each([
    [{ seed: 3 }, { random_seed: 3 }],
    [{ max_completion_tokens: 7, max_tokens: 5 }, { max_tokens: 7 }],
    [{ user: 'u', store: true, stream_options: { include_usage: true }, logprobs: false }, {}],
    [{ messages: [{ role: 'developer', content: 'x' }] }, { messages: [{ role: 'system', content: 'x' }] }],
    [
      { tool_choice: 'required', response_format: { type: 'json_object' }, n: 2 },
      { tool_choice: 'required', response_format: { type: 'json_object' }, n: 2 },
    ],
  ])('%j', async (body, expected) => {
    expect(await sent(body)).toEqual({ ...expected, model: 'm' });
  });

  test('usage of streams is not asked for: it comes', async () => {
    const body = { stream: true, messages: [] };
    expect(await sent(body, { stream: true, wantsStreamUsage: true })).toEqual({ ...body, model: 'm' });
  });

  test('IDs of calls are nine letters and digits, the same for call and result', async () => {
    const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } });
    const messages = [
      { role: 'assistant', reasoning_content: 'hm', tool_calls: [call('call_1'), call('abcDEF123')] },
      { role: 'tool', tool_call_id: 'call_1', content: '1' },
      { role: 'tool', tool_call_id: 'abcDEF123', content: '2' },
    ];
    const body = (await sent({ messages })) as { messages: JsonObject[] };
    const [assistant, first, second] = body.messages;
    expect(first?.['tool_call_id']).toMatch(/^[A-Za-z0-9]{9}$/);
    expect(second?.['tool_call_id']).toBe('abcDEF123');
    expect(assistant).toEqual({
      role: 'assistant',
      tool_calls: [call(String(first?.['tool_call_id'])), call('abcDEF123')],
    });
  });

  test('messages keep what Mistral knows, so that answers of others can be sent back', async () => {
    const messages = [
      { role: 'user', name: 'ann', content: 'x' },
      { role: 'assistant', content: 'y', refusal: null, annotations: [], audio: null, tool_calls: null },
      { role: 'odd', name: 'kept' },
    ];
    expect(await sent({ messages })).toMatchObject({
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: 'y' },
        { role: 'odd', name: 'kept' },
      ],
    });
  });

  test.each(['logit_bias', 'functions', 'top_logprobs', 'audio'])('%s is refused', (name) => {
    expect(() => mistralAdapter.prepare(testCall({ provider, body: { [name]: {} } }))).toThrow(UnsupportedRequestError);
  });

  test('logprobs are refused', () => {
    expect(() => mistralAdapter.prepare(testCall({ provider, body: { logprobs: true } }))).toThrow(
      UnsupportedRequestError,
    );
  });
});

const thinking = [
  { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
  { type: 'text', text: 'four' },
];

describe('answers', () => {
  test('of a model that failed are none, whole and as a stream', () => {
    const choice = { index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'error' };
    const call = testCall({ provider });
    expect(() => mistralAdapter.readAnswer(call, { choices: [choice] })).toThrow(MalformedAnswerError);
    const chunk = { choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }] };
    expect(readStream(mistralAdapter, call, `data: ${JSON.stringify(chunk)}\n\n`).at(-1)).toMatchObject({
      type: 'error',
    });
  });

  test("of OpenAI's shape stay what they are", () => {
    const body = {
      model: 'x',
      choices: [{ message: { content: 'a' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    };
    expect(mistralAdapter.readAnswer(testCall({ provider }), body)).toEqual({
      body,
      isOriginal: true,
      usage: { inputTokens: 1, outputTokens: 2 },
      finishReason: 'stop',
      model: 'x',
      textLength: 1,
    });
  });

  test('with thoughts and another end become one', () => {
    const body = {
      choices: [{ index: 0, message: { role: 'assistant', content: thinking }, finish_reason: 'model_length' }],
    };
    const answer = mistralAdapter.readAnswer(testCall({ provider }), body);
    expect(answer).toMatchObject({ isOriginal: false, finishReason: 'length', textLength: 6 });
    expect(answer.body['choices']).toEqual([
      { index: 0, message: { role: 'assistant', content: 'four', reasoning_content: 'hm' }, finish_reason: 'length' },
    ]);
  });
});

test('streams: parts of content become text, all else goes on as it came', () => {
  const chunk = (delta: object, finish: string | null = null, usage?: object) =>
    `data: ${JSON.stringify({ id: 'x', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }], ...(usage && { usage }) })}\n\n`;
  const text =
    chunk({ role: 'assistant', content: '' }) +
    chunk({ content: thinking }) +
    chunk({ content: ' and' }) +
    chunk({ content: ' more' }) +
    chunk({ content: '' }, 'model_length', { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 }) +
    'data: [DONE]\n\n';
  const events = readStream(mistralAdapter, testCall({ provider, stream: true }), text);
  expect(saidInChat(events).text).toBe('four and more');
  expect(chunksOf(events).map((event) => event.bytes !== undefined)).toEqual([true, false, true, true, false]);
  expect(chunksOf(events).at(-1)).toMatchObject({ finishReason: 'length', usage: { inputTokens: 3, outputTokens: 4 } });
  expect(chunksOf(events).reduce((sum, event) => sum + event.textLength, 0)).toBe('hmfour and more'.length);
  expect(events.at(-1)).toMatchObject({ type: 'done' });
});
