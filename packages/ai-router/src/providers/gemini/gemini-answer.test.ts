import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../json.ts';
import { MalformedAnswerError, UnsupportedRequestError } from '../errors.ts';
import { bodyOf, testCall, testProvider } from '../provider.test-support.ts';
import { createGeminiAdapter, createVertexAdapter } from './gemini-adapter.ts';

let made = 0;
const gemini = createGeminiAdapter(() => `n${(made += 1)}`);
const vertex = createVertexAdapter(() => 'id');
const provider = testProvider('gemini', 'https://g/v1beta');
const call = testCall({ provider, model: 'gemini' });

describe('a chat', () => {
  test('has text, thoughts, calls and usage', () => {
    const body = {
      responseId: 'r1',
      modelVersion: 'gemini-2.5-pro-001',
      candidates: [
        {
          content: {
            parts: [
              { text: 'Hm', thought: true },
              { text: 'Look' },
              { functionCall: { name: 'f', args: { x: 1 } }, thoughtSignature: 'sig' },
              { functionCall: { id: 'own', name: 'f' } },
            ],
          },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: {
        promptTokenCount: 10,
        candidatesTokenCount: 5,
        thoughtsTokenCount: 7,
        cachedContentTokenCount: 4,
        totalTokenCount: 22,
      },
    };
    const answer = gemini.readAnswer(call, body);
    expect(answer).toMatchObject({
      usage: { inputTokens: 10, outputTokens: 12, cachedInputTokens: 4 },
      finishReason: 'tool_calls',
      model: 'gemini-2.5-pro-001',
      body: {
        id: 'r1',
        choices: [
          {
            message: {
              content: 'Look',
              reasoning_content: 'Hm',
              tool_calls: [
                {
                  function: { name: 'f', arguments: '{"x":1}' },
                  extra_content: { google: { thought_signature: 'sig' } },
                },
                { id: 'own', function: { name: 'f', arguments: '{}' } },
              ],
            },
          },
        ],
        usage: { prompt_tokens: 10, completion_tokens: 12, total_tokens: 22 },
      },
    });
  });

  test.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content_filter'],
    ['RECITATION', 'content_filter'],
    ['PROHIBITED_CONTENT', 'content_filter'],
  ])('that ended with %s ended with %s', (finishReason, expected) => {
    expect(gemini.readAnswer(call, { candidates: [{ finishReason }] }).finishReason).toBe(expected);
  });

  test.each(['OTHER', 'MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL'])(
    'that ended with %s is none',
    (finishReason) => {
      expect(() => gemini.readAnswer(call, { candidates: [{ finishReason }] })).toThrow(MalformedAnswerError);
    },
  );

  test('whose prompt was blocked is empty', () => {
    const answer = gemini.readAnswer(call, {
      promptFeedback: { blockReason: 'SAFETY' },
      usageMetadata: { promptTokenCount: 3 },
    });
    expect(answer).toMatchObject({
      finishReason: 'content_filter',
      usage: { inputTokens: 3, outputTokens: 0 },
      textLength: 0,
    });
  });

  test('that is none is refused', () => {
    for (const body of [{}, { candidates: [] }, { candidates: 1 }, { candidates: [{ content: { parts: [1] } }] }]) {
      expect(() => gemini.readAnswer(call, body)).toThrow(MalformedAnswerError);
    }
  });

  test('that failed says why, and not where', () => {
    const error = { code: 429, message: 'Quota', status: 'RESOURCE_EXHAUSTED', details: [{ project: 'p-1' }] };
    expect(gemini.readError?.(call, 429, { error })).toEqual({
      error: { message: 'Quota', type: 'rate_limit_error', param: null, code: 'RESOURCE_EXHAUSTED' },
    });
  });
});

describe('embeddings', () => {
  const embeddings = (body: JsonObject): typeof call => ({ ...call, operation: 'embeddings', body });

  test('of the Gemini API', async () => {
    const given = embeddings({ input: ['a', 'b'], dimensions: 2, model: 'x' });
    const request = await gemini.prepare(given);
    expect(request.url).toBe('https://g/v1beta/models/gemini:batchEmbedContents');
    const one = { model: 'models/gemini', outputDimensionality: 2 };
    expect(bodyOf(request)).toEqual({
      requests: [
        { ...one, content: { parts: [{ text: 'a' }] } },
        { ...one, content: { parts: [{ text: 'b' }] } },
      ],
    });
    const answer = gemini.readAnswer(given, { embeddings: [{ values: [1, 2] }, { values: [3, 4] }] });
    expect(answer.body).toEqual({
      object: 'list',
      model: 'gemini',
      data: [
        { object: 'embedding', index: 0, embedding: [1, 2] },
        { object: 'embedding', index: 1, embedding: [3, 4] },
      ],
    });
  });

  test('of Vertex AI, in base64', async () => {
    const google = testProvider('vertex', 'https://v', { project: 'p', region: 'r' });
    const given = { ...embeddings({ input: 'a', encoding_format: 'base64' }), provider: google };
    const request = await vertex.prepare(given);
    expect(request.url).toBe('https://v/projects/p/locations/r/publishers/google/models/gemini:predict');
    expect(bodyOf(request)).toEqual({ instances: [{ content: 'a' }] });
    const file = new URL('../../testdata/apisix/vertex-ai/predictions-embeddings.json', import.meta.url);
    const answer = vertex.readAnswer(given, JSON.parse(readFileSync(file, 'utf8')) as JsonObject);
    expect(answer).toMatchObject({ usage: { inputTokens: 7, outputTokens: 0 }, body: { usage: { prompt_tokens: 7 } } });
    const [{ embedding }] = answer.body['data'] as [{ embedding: string }];
    const bytes = Buffer.from(embedding, 'base64');
    expect([0, 4, 8, 12].map((at) => bytes.readFloatLE(at))).toEqual(
      [0.0123, -0.0456, 0.0789, 0.0012].map((value) => Math.fround(value)),
    );
  });

  test('of tokens, or of nothing, are refused', () => {
    for (const input of [[[1, 2]], [1], '', [], undefined]) {
      expect(() => gemini.prepare(embeddings({ input }))).toThrow(UnsupportedRequestError);
    }
    const given = embeddings({ input: 'a' });
    for (const body of [{}, { embeddings: [] }, { embeddings: [{ values: ['1'] }] }]) {
      expect(() => gemini.readAnswer(given, body)).toThrow(MalformedAnswerError);
    }
  });
});
