import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../json.ts';
import { MalformedAnswerError, UnsupportedRequestError } from '../errors.ts';
import {
  bodyOf,
  chunksOf,
  headersOf,
  readStream,
  saidInChat,
  testCall,
  type TestCall,
  testProvider,
} from '../provider.test-support.ts';
import { createOllamaAdapter } from './ollama-adapter.ts';

const provider = testProvider('ollama', 'http://localhost:11434');
const adapter = createOllamaAdapter(() => 'id');

async function sent(body: JsonObject, more: Partial<TestCall> = {}): Promise<unknown> {
  return bodyOf(await adapter.prepare(testCall({ provider, body, ...more })));
}

const hello = [{ role: 'user', content: 'hi' }];

describe('addresses', () => {
  test.each([
    ['http://localhost:11434', 'chat', 'http://localhost:11434/api/chat'],
    ['http://localhost:11434/api', 'completions', 'http://localhost:11434/api/generate'],
    ['http://localhost:11434', 'embeddings', 'http://localhost:11434/api/embed'],
    ['http://localhost:11434/v1', 'chat', 'http://localhost:11434/v1/chat/completions'],
  ] as const)('%s for %s is %s', async (baseUrl, operation, url) => {
    const body = { messages: hello, prompt: 'x', input: 'x' };
    const request = await adapter.prepare(
      testCall({ provider: { ...provider, baseUrl }, operation, body, stream: true }),
    );
    expect(request.url).toBe(url);
    expect(headersOf(request)['accept']).toBe(baseUrl.endsWith('/v1') ? 'text/event-stream' : 'application/x-ndjson');
  });
});

describe('chats', () => {
  test('are said in its words', async () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } } };
    const body = {
      messages: [
        { role: 'developer', content: 'be brief' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"city":"x"}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'sun' },
      ],
      tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters } }],
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' } } },
      max_completion_tokens: 9,
      temperature: 0,
      top_p: 0.5,
      stop: 'END',
      seed: 7,
      presence_penalty: 1,
      frequency_penalty: -1,
    };
    expect(await sent(body)).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: 'look', images: ['AAAA'] },
        { role: 'assistant', content: '', tool_calls: [{ function: { name: 'f', arguments: { city: 'x' } } }] },
        { role: 'tool', content: 'sun', tool_name: 'f' },
      ],
      stream: false,
      tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters } }],
      format: { type: 'object' },
      options: {
        temperature: 0,
        top_p: 0.5,
        num_predict: 9,
        stop: ['END'],
        seed: 7,
        presence_penalty: 1,
        frequency_penalty: -1,
      },
    });
  });

  test.each([
    [{ n: 2 }],
    [{ tools: [{ type: 'function', function: { name: 'f' } }], tool_choice: 'required' }],
    [{ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://x.test/a.png' } }] }] }],
    [{ messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: { format: 'wav', data: 'AA' } }] }] }],
    [{ logprobs: true }],
    [{ seed: 'x' }],
  ])('%j is refused', async (body) => {
    await expect(sent({ messages: hello, ...body })).rejects.toThrow(UnsupportedRequestError);
  });

  test("answers become a chat's", () => {
    const body = {
      model: 'llama3.2',
      created_at: '2023-12-12T14:13:43.416799Z',
      message: {
        role: 'assistant',
        content: '',
        thinking: 'hm',
        tool_calls: [{ function: { name: 'f', arguments: { a: 1 } } }],
      },
      done: true,
      done_reason: 'stop',
      prompt_eval_count: 26,
      eval_count: 12,
    };
    expect(adapter.readAnswer(testCall({ provider }), body)).toMatchObject({
      isOriginal: false,
      finishReason: 'tool_calls',
      usage: { inputTokens: 26, outputTokens: 12 },
      body: {
        id: 'chatcmpl-id',
        model: 'llama3.2',
        choices: [
          {
            finish_reason: 'tool_calls',
            message: {
              content: null,
              reasoning_content: 'hm',
              tool_calls: [{ id: 'call_id', function: { name: 'f', arguments: '{"a":1}' } }],
            },
          },
        ],
      },
    });
  });

  test.each([
    {},
    { message: 'x' },
    { message: { tool_calls: [{}] } },
    { message: { tool_calls: [{ function: { name: 'f', arguments: 1 } }] } },
  ])('%j is no answer', (body) => {
    expect(() => adapter.readAnswer(testCall({ provider }), body)).toThrow(MalformedAnswerError);
  });

  test("errors become a chat's", () => {
    expect(adapter.readError?.(testCall({ provider }), 404, { error: 'model "x" not found' })).toEqual({
      error: { message: 'model "x" not found', type: 'api_error', param: null, code: null },
    });
  });
});

function lines(...objects: readonly object[]): string {
  return objects.map((object) => `${JSON.stringify({ model: 'llama3.2', done: false, ...object })}\n`).join('');
}

describe('streams', () => {
  const call = testCall({ provider, stream: true });
  const text = lines(
    { message: { role: 'assistant', content: '', thinking: 'hm' } },
    { message: { content: 'Grüß' } },
    { message: { content: ' Gott' } },
    { message: { content: '', tool_calls: [{ function: { name: 'f', arguments: { a: 'é' } } }] } },
    { message: { content: '' }, done: true, done_reason: 'stop', prompt_eval_count: 5, eval_count: 0 },
  );

  test.each([1, 10, 100_000])("become a chat's, in pieces of %i", (size) => {
    const events = readStream(adapter, call, text, size);
    expect(saidInChat(events)).toEqual({
      text: 'Grüß Gott',
      calls: [{ id: 'call_id', name: 'f', arguments: '{"a":"é"}' }],
    });
    const chunks = chunksOf(events);
    expect(chunks.at(-2)).toMatchObject({ finishReason: 'tool_calls' });
    expect(chunks.at(-1)).toMatchObject({ isUsageOnly: true, usage: { inputTokens: 5, outputTokens: 0 } });
    expect(events.at(-1)).toEqual({ type: 'done' });
  });

  test('that break off have no end', () => {
    expect(readStream(adapter, call, text.slice(0, -40)).some(({ type }) => type === 'done')).toBe(false);
  });

  test('tell errors, and go on behind what cannot be read', () => {
    const events = readStream(
      adapter,
      call,
      `${lines({ message: { content: 'a' } })}{"x\n1\n${lines({ message: { tool_calls: [1] } })}{"error":"gone"}\n`,
    );
    expect(events.map(({ type }) => type)).toEqual([
      'chunk',
      'chunk',
      'unreadable',
      'unreadable',
      'unreadable',
      'error',
    ]);
  });
});

describe('completions', () => {
  const operation = 'completions';

  test('are said in its words', async () => {
    const body = { prompt: 'a', suffix: 'b', max_tokens: 4, temperature: 1, stop: ['x'] };
    expect(await sent(body, { operation })).toEqual({
      model: 'm',
      prompt: 'a',
      suffix: 'b',
      stream: false,
      options: { temperature: 1, num_predict: 4, stop: ['x'] },
    });
  });

  test.each([
    { prompt: ['a', 'b'] },
    { prompt: [1, 2] },
    {},
    { prompt: 'a', n: 2 },
    { prompt: 'a', echo: true },
    { prompt: 'a', logprobs: 1 },
  ])('%j is refused', async (body) => {
    await expect(sent(body, { operation })).rejects.toThrow(UnsupportedRequestError);
  });

  test('answers and streams become those of completions', () => {
    const call = testCall({ provider, operation });
    const body = {
      model: 'x',
      response: 'yes',
      done: true,
      done_reason: 'length',
      prompt_eval_count: 1,
      eval_count: 2,
    };
    expect(adapter.readAnswer(call, body)).toMatchObject({
      finishReason: 'length',
      textLength: 3,
      body: {
        object: 'text_completion',
        choices: [{ text: 'yes', finish_reason: 'length' }],
        usage: { total_tokens: 3 },
      },
    });
    expect(() => adapter.readAnswer(call, {})).toThrow(MalformedAnswerError);
    const events = readStream(
      adapter,
      call,
      lines({ response: 'y' }, { response: 'es' }, { response: '', done: true, prompt_eval_count: 1, eval_count: 2 }),
      3,
    );
    expect(chunksOf(events).map((chunk) => chunk.value()['choices'])).toMatchObject([
      [{ text: 'y' }],
      [{ text: 'es' }],
      [{ text: '', finish_reason: 'stop' }],
      [],
    ]);
    expect(events.at(-1)).toEqual({ type: 'done' });
  });
});

test('embeddings, as numbers and as base64', async () => {
  const operation = 'embeddings';
  expect(await sent({ input: ['a', 'b'], dimensions: 2 }, { operation })).toEqual({
    model: 'm',
    input: ['a', 'b'],
    dimensions: 2,
  });
  const answer = { model: 'x', embeddings: [[0.5, -1]], prompt_eval_count: 3 };
  const read = (body: JsonObject) => adapter.readAnswer(testCall({ provider, operation, body }), answer).body;
  expect(read({ input: 'a' })).toMatchObject({
    data: [{ embedding: [0.5, -1], index: 0 }],
    usage: { prompt_tokens: 3 },
  });
  expect(read({ input: 'a', encoding_format: 'base64' })).toMatchObject({ data: [{ embedding: 'AAAAPwAAgL8=' }] });
  for (const embeddings of [undefined, [], [[]], [['x']]]) {
    expect(() => adapter.readAnswer(testCall({ provider, operation }), { embeddings })).toThrow(MalformedAnswerError);
  }
});
