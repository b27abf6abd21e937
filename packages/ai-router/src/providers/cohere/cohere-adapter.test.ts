import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../json.ts';
import { MalformedAnswerError, UnsupportedRequestError } from '../errors.ts';
import {
  bodyOf,
  chunksOf,
  readStream,
  saidInChat,
  testCall,
  type TestCall,
  testProvider,
} from '../provider.test-support.ts';
import { createCohereAdapter } from './cohere-adapter.ts';

const provider = testProvider('cohere', 'https://api.cohere.com/v2');
const adapter = createCohereAdapter(() => 'id');
const hello = [{ role: 'user', content: 'hi' }];
const tool = (name: string) => ({ type: 'function', function: { name, parameters: { type: 'object' } } });

async function sent(body: JsonObject, more: Partial<TestCall> = {}): Promise<unknown> {
  return bodyOf(await adapter.prepare(testCall({ provider, body, ...more })));
}

test.each([
  ['https://api.cohere.com/v2', 'chat', 'https://api.cohere.com/v2/chat'],
  ['https://api.cohere.ai', 'embeddings', 'https://api.cohere.ai/v2/embed'],
] as const)('%s for %s is %s', async (baseUrl, operation, url) => {
  const call = testCall({ provider: { ...provider, baseUrl }, operation, body: { messages: hello, input: 'x' } });
  expect((await adapter.prepare(call)).url).toBe(url);
});

describe('requests', () => {
  test('are said in its words', async () => {
    const body = {
      messages: [
        { role: 'system', content: 'be brief' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image_url', image_url: { url: 'https://x.test/a.png' } },
          ],
        },
        {
          role: 'assistant',
          content: 'I will',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a": 1}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'sun' }] },
        { role: 'assistant', content: 'done' },
        { role: 'user', content: 'again' },
      ],
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' } } },
      max_tokens: 9,
      temperature: 0,
      top_p: 0.5,
      stop: ['a'],
      seed: 7,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      user: 'u',
    };
    expect(await sent(body, { stream: true })).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'be brief' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image_url', image_url: { url: 'https://x.test/a.png' } },
          ],
        },
        {
          role: 'assistant',
          tool_plan: 'I will',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'sun' },
        { role: 'assistant', content: 'done' },
        { role: 'user', content: 'again' },
      ],
      stream: true,
      response_format: { type: 'json_object', json_schema: { type: 'object' } },
      max_tokens: 9,
      temperature: 0,
      p: 0.5,
      stop_sequences: ['a'],
      seed: 7,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
    });
  });

  test.each([
    ['auto', [tool('f'), tool('g')], undefined],
    ['none', [tool('f'), tool('g')], 'NONE'],
    ['required', [tool('f'), tool('g')], 'REQUIRED'],
    [{ type: 'function', function: { name: 'g' } }, [tool('g')], 'REQUIRED'],
  ])('tool_choice %j', async (choice, tools, expected) => {
    const body = { messages: hello, tools: [tool('f'), tool('g')], tool_choice: choice };
    expect(await sent(body)).toMatchObject({ tools, ...(expected && { tool_choice: expected }) });
  });

  test.each([
    [{ n: 3 }],
    [{ logit_bias: { 1: 2 } }],
    [{ tools: [tool('f')], tool_choice: { type: 'function', function: { name: 'x' } } }],
    [{ messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: { format: 'wav', data: 'AA' } }] }] }],
    [{ messages: 'x' }],
  ])('%j is refused', async (body) => {
    await expect(sent({ messages: hello, ...body })).rejects.toThrow(UnsupportedRequestError);
  });
});

describe('answers', () => {
  test("with tools become a chat's", () => {
    const body = {
      id: 'a1',
      finish_reason: 'TOOL_CALL',
      message: {
        role: 'assistant',
        tool_plan: 'I will ask.',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
      },
      usage: { billed_units: { input_tokens: 5, output_tokens: 6 }, tokens: { input_tokens: 50, output_tokens: 60 } },
    };
    expect(adapter.readAnswer(testCall({ provider }), body)).toMatchObject({
      finishReason: 'tool_calls',
      usage: { inputTokens: 50, outputTokens: 60 },
      body: {
        id: 'a1',
        choices: [
          {
            message: {
              content: 'I will ask.',
              tool_calls: [{ id: 'c1', function: { name: 'f', arguments: '{"a":1}' } }],
            },
          },
        ],
      },
    });
  });

  test('with text and thoughts', () => {
    const content = [
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'four' },
    ];
    const answer = adapter.readAnswer(testCall({ provider }), { finish_reason: 'MAX_TOKENS', message: { content } });
    expect(answer).toMatchObject({ finishReason: 'length', textLength: 6 });
    expect(answer.usage).toBeUndefined();
    expect(answer.body['choices']).toMatchObject([{ message: { content: 'four', reasoning_content: 'hm' } }]);
  });

  test.each([
    {},
    { message: {}, finish_reason: 'ERROR' },
    { message: {} },
    { message: { tool_calls: [{ id: 'x', function: { name: 'f', arguments: '[' } }] }, finish_reason: 'TOOL_CALL' },
  ])('%j is none', (body) => {
    expect(() => adapter.readAnswer(testCall({ provider }), body)).toThrow(MalformedAnswerError);
  });

  test("errors become a chat's", () => {
    expect(adapter.readError?.(testCall({ provider }), 400, { message: 'no' })).toMatchObject({
      error: { message: 'no' },
    });
  });
});

describe('streams', () => {
  const call = testCall({ provider, stream: true });
  const event = (type: string, more: object = {}) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
  const start = event('message-start', { id: 'a1', delta: { message: { role: 'assistant', content: [] } } });
  const content = (text: string) => event('content-delta', { index: 0, delta: { message: { content: { text } } } });
  const end = (finish_reason: string) =>
    event('message-end', { delta: { finish_reason, usage: { tokens: { input_tokens: 3, output_tokens: 4 } } } });

  test.each([1, 9, 100_000])('of text, in pieces of %i', (size) => {
    const text =
      start +
      event('content-start', { index: 0, delta: { message: { content: { type: 'text', text: '' } } } }) +
      content('Grüß') +
      content(' Gott') +
      event('citation-start', { index: 0, delta: {} }) +
      event('content-end', { index: 0 }) +
      end('COMPLETE') +
      'data: [DONE]\n\n';
    const events = readStream(adapter, call, text, size);
    expect(saidInChat(events).text).toBe('Grüß Gott');
    expect(chunksOf(events).at(-2)?.finishReason).toBe('stop');
    expect(chunksOf(events).at(-1)).toMatchObject({ isUsageOnly: true, usage: { inputTokens: 3, outputTokens: 4 } });
    expect(events.at(-1)).toEqual({ type: 'done' });
    expect(events.filter(({ type }) => type === 'unreadable')).toEqual([]);
  });

  test('of two calls', () => {
    const begin = (index: number, id: string) =>
      event('tool-call-start', {
        index,
        delta: { message: { tool_calls: { id, type: 'function', function: { name: 'f', arguments: '' } } } },
      });
    const args = (text: string) =>
      event('tool-call-delta', { delta: { message: { tool_calls: { function: { arguments: text } } } } });
    const text =
      start +
      event('tool-plan-delta', { delta: { message: { tool_plan: 'I ask.' } } }) +
      begin(0, 'c1') +
      args('{"a"') +
      args(':1}') +
      event('tool-call-end', { index: 0 }) +
      begin(1, 'c2') +
      args('{}') +
      end('TOOL_CALL');
    expect(saidInChat(readStream(adapter, call, text))).toEqual({
      text: 'I ask.',
      calls: [
        { id: 'c1', name: 'f', arguments: '{"a":1}' },
        { id: 'c2', name: 'f', arguments: '{}' },
      ],
    });
  });

  test.each([
    [end('ERROR'), 'ERROR'],
    [event('message-end', { delta: { finish_reason: 'COMPLETE', error: 'gone' } }), 'provider_error'],
    ['data: {"error":{"type":"x"}}\n\n', 'x'],
    ['event: error\ndata: no\n\n', 'provider_error'],
  ])('%s is an error', (frame, errorType) => {
    expect(readStream(adapter, call, start + frame).at(-1)).toEqual({ type: 'error', errorType });
  });

  test('what cannot be read is told, and does not end it', () => {
    const events = readStream(adapter, call, `${content('x')}${start}data: 1\n\n${event('other')}${content('y')}`);
    expect(events.map(({ type }) => type)).toEqual(['unreadable', 'chunk', 'unreadable', 'unreadable', 'chunk']);
  });
});

describe('embeddings', () => {
  const operation = 'embeddings';

  test('are asked for and read', async () => {
    expect(await sent({ input: 'a', dimensions: 4, input_type: 'search_query' }, { operation })).toEqual({
      model: 'm',
      texts: ['a'],
      input_type: 'search_query',
      embedding_types: ['float'],
      output_dimension: 4,
    });
    const body = { embeddings: { float: [[1, 2]] }, meta: { billed_units: { input_tokens: 2 } } };
    expect(adapter.readAnswer(testCall({ provider, operation }), body)).toMatchObject({
      body: { data: [{ embedding: [1, 2] }], usage: { prompt_tokens: 2 } },
      usage: { inputTokens: 2, outputTokens: 0 },
    });
  });

  test('of too many texts are refused', async () => {
    await expect(sent({ input: Array<string>(97).fill('a') }, { operation })).rejects.toThrow(UnsupportedRequestError);
  });

  test.each([{}, { embeddings: [] }, { embeddings: { float: [] } }])('%j is no answer', (body) => {
    expect(() => adapter.readAnswer(testCall({ provider, operation }), body)).toThrow(MalformedAnswerError);
  });
});
