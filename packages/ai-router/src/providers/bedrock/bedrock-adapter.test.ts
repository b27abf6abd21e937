import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../json.ts';
import type { AdapterCall } from '../adapter.ts';
import { MalformedAnswerError, UnsupportedRequestError } from '../errors.ts';
import { bodyOf, headersOf, testCall, testProvider } from '../provider.test-support.ts';
import { createBedrockAdapter } from './bedrock-adapter.ts';

const adapter = createBedrockAdapter(() => 'id');
const provider = testProvider('bedrock', 'https://bedrock-runtime.eu-central-1.amazonaws.com', {
  region: 'eu-central-1',
});
const credential = { accessKeyId: 'AKID', secretAccessKey: 'SECRETKEY', sessionToken: 'TOKEN' };
const hi = [{ role: 'user', content: 'Hi' }];

function call(body: JsonObject = {}, more: Partial<AdapterCall> = {}): AdapterCall {
  const model = 'eu.anthropic.claude-v2:1';
  return { ...testCall({ provider, body: { messages: hi, ...body }, model }), credential, ...more };
}

async function sent(body: JsonObject): Promise<unknown> {
  return bodyOf(await adapter.prepare(call(body)));
}

describe('a request', () => {
  test('goes to Converse under a signature', async () => {
    const request = await adapter.prepare(call());
    expect(request.url).toBe(
      'https://bedrock-runtime.eu-central-1.amazonaws.com/model/eu.anthropic.claude-v2%3A1/converse',
    );
    const headers = headersOf(request);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-amz-date': '20231114T221320Z',
      'x-amz-security-token': 'TOKEN',
    });
    expect(headers['authorization']).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKID\/20231114\/eu-central-1\/bedrock\/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-security-token, Signature=[0-9a-f]{64}$/,
    );
    expect(JSON.stringify(request)).not.toContain('SECRETKEY');
    expect(bodyOf(request)).toEqual({ messages: [{ role: 'user', content: [{ text: 'Hi' }] }] });
  });

  test('with an ARN as its model keeps it one segment', async () => {
    const model = 'arn:aws:bedrock:us-east-1:123456789012:inference-profile/x';
    const { url } = await adapter.prepare(call({}, { model }));
    expect(new URL(url).pathname.split('/')).toHaveLength(4);
    expect(url).toContain('inference-profile%2Fx/converse');
  });

  test('with a key of Bedrock has that', async () => {
    const request = await adapter.prepare(call({}, { credential: { apiKey: 'k' } }));
    expect(headersOf(request)).toMatchObject({ authorization: 'Bearer k' });
    expect(headersOf(request)).not.toHaveProperty('x-amz-date');
  });

  test('as a stream goes to ConverseStream', async () => {
    const request = await adapter.prepare(call({}, { stream: true }));
    expect(request.url).toMatch(/\/converse-stream$/);
    expect(headersOf(request)).toMatchObject({ accept: 'application/vnd.amazon.eventstream' });
  });

  test('keeps its limits, tools and schema', async () => {
    const parameters = { type: 'object', properties: { a: { type: 'string' } } };
    const body = {
      max_tokens: 5,
      temperature: 2,
      top_p: 0.5,
      stop: ['x'],
      tools: [{ type: 'function', function: { name: 'f', description: '', parameters } }],
      tool_choice: 'required',
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema: parameters } },
    };
    const schema = '{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}';
    expect(await sent(body)).toMatchObject({
      inferenceConfig: { maxTokens: 5, temperature: 1, topP: 0.5, stopSequences: ['x'] },
      toolConfig: { tools: [{ toolSpec: { name: 'f', inputSchema: { json: parameters } } }], toolChoice: { any: {} } },
      outputConfig: {
        textFormat: { type: 'json_schema', structure: { jsonSchema: { name: 'n', schema } } },
      },
    });
  });

  test('has images, calls and their results', async () => {
    const messages = [
      { role: 'system', content: 'S' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] },
      { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } }] },
      { role: 'tool', tool_call_id: 'a', content: 'done' },
    ];
    expect(await sent({ messages })).toEqual({
      system: [{ text: 'S' }],
      messages: [
        { role: 'user', content: [{ image: { format: 'png', source: { bytes: 'AA==' } } }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name: 'f', input: { x: 1 } } }] },
        { role: 'user', content: [{ toolResult: { toolUseId: 'a', content: [{ text: 'done' }] } }] },
      ],
      toolConfig: { tools: [{ toolSpec: { name: 'f', inputSchema: { json: { type: 'object' } } } }] },
    });
  });

  test.each<[string, JsonObject, Partial<AdapterCall>]>([
    [
      'an image to be fetched',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://a/b.png' } }] }] },
      {},
    ],
    ['several answers', { n: 2 }, {}],
    ['a conversation that begins with the assistant', { messages: [{ role: 'assistant', content: 'Hi' }] }, {}],
    ['any JSON', { response_format: { type: 'json_object' } }, {}],
    ['a model that is a step up', {}, { model: '..' }],
    ['no access key', {}, { credential: {} }],
    ['a region that is none', {}, { provider: { ...provider, region: 'eu/x-1' } }],
  ])('is refused for %s', (_why, body, more) => {
    expect(() => adapter.prepare(call(body, more))).toThrow(UnsupportedRequestError);
  });
});

describe('an answer', () => {
  test('of a transcript', () => {
    const file = new URL('../../testdata/apisix/bedrock/converse-basic.json', import.meta.url);
    const answer = adapter.readAnswer(call(), JSON.parse(readFileSync(file, 'utf8')) as JsonObject);
    expect(answer).toMatchObject({ usage: { inputTokens: 13, outputTokens: 5 }, finishReason: 'stop', textLength: 6 });
    expect(answer.body).toMatchObject({ id: 'chatcmpl-id', choices: [{ message: { content: 'Hello!' } }] });
  });

  test('with calls, thoughts and a cache', () => {
    const body = {
      output: {
        message: {
          content: [
            { reasoningContent: { reasoningText: { text: 'Hm' } } },
            { toolUse: { toolUseId: 't', name: 'f', input: { x: 1 } } },
          ],
        },
      },
      stopReason: 'tool_use',
      usage: { inputTokens: 1, outputTokens: 2, cacheReadInputTokens: 3, cacheWriteInputTokens: 4 },
    };
    expect(adapter.readAnswer(call(), body)).toMatchObject({
      usage: { inputTokens: 8, outputTokens: 2, cachedInputTokens: 3 },
      finishReason: 'tool_calls',
      body: {
        choices: [
          {
            message: {
              reasoning_content: 'Hm',
              tool_calls: [{ id: 't', function: { name: 'f', arguments: '{"x":1}' } }],
            },
          },
        ],
      },
    });
  });

  test('that is none is refused', () => {
    for (const body of [{}, { output: { message: {} } }, { output: { message: { content: [{ toolUse: 1 }] } } }]) {
      expect(() => adapter.readAnswer(call(), body)).toThrow(MalformedAnswerError);
    }
  });
});

test('errors are those of a chat, and what was signed is not shown', () => {
  expect(adapter.readError?.(call(), 429, { message: 'Too many requests' })).toEqual({
    error: { message: 'Too many requests', type: 'rate_limit_error', param: null, code: null },
  });
  const told = adapter.readError?.(call(), 403, {
    message: "The Canonical String should have been 'x-amz-security-token:TOKEN'",
  });
  expect(JSON.stringify(told)).not.toContain('TOKEN');
});

describe('embeddings', () => {
  const embeddings = (model: string, body: JsonObject): AdapterCall => ({
    ...call({}, { model }),
    operation: 'embeddings',
    body,
  });

  test('of Titan, one text a request', async () => {
    const given = embeddings('amazon.titan-embed-text-v2:0', { input: 'a', dimensions: 256 });
    const request = await adapter.prepare(given);
    expect(request.url).toMatch(/\/model\/amazon\.titan-embed-text-v2%3A0\/invoke$/);
    expect(bodyOf(request)).toEqual({ inputText: 'a', dimensions: 256 });
    expect(adapter.readAnswer(given, { embedding: [1, 2], inputTextTokenCount: 3 })).toMatchObject({
      usage: { inputTokens: 3, outputTokens: 0 },
      body: { data: [{ embedding: [1, 2] }], usage: { prompt_tokens: 3 } },
    });
    expect(() => adapter.prepare({ ...given, body: { input: ['a', 'b'] } })).toThrow(UnsupportedRequestError);
  });

  test('of Cohere, in both of its forms', async () => {
    const given = embeddings('cohere.embed-v4:0', { input: ['a', 'b'] });
    expect(bodyOf(await adapter.prepare(given))).toEqual({ texts: ['a', 'b'], input_type: 'search_document' });
    for (const answer of [{ embeddings: [[1], [2]] }, { embeddings: { float: [[1], [2]] } }]) {
      expect(adapter.readAnswer(given, answer).body).toMatchObject({ data: [{ embedding: [1] }, { embedding: [2] }] });
    }
  });

  test('of other models are refused, as are answers without', () => {
    expect(() => adapter.prepare(embeddings('meta.llama', { input: 'a' }))).toThrow(UnsupportedRequestError);
    for (const body of [{}, { embedding: ['1'] }, { embeddings: [] }, { embeddings: { float: 1 } }]) {
      expect(() => adapter.readAnswer(embeddings('cohere.embed', {}), body)).toThrow(MalformedAnswerError);
    }
  });
});
