import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../json.ts';
import type { Provider } from '../provider.ts';
import { UnsupportedRequestError } from '../errors.ts';
import { bodyOf, headersOf, testCall, testProvider } from '../provider.test-support.ts';
import { createGeminiAdapter, createVertexAdapter } from './gemini-adapter.ts';

const gemini = createGeminiAdapter(() => 'id');
const vertex = createVertexAdapter(() => 'id');
const provider = testProvider('gemini', 'https://generativelanguage.googleapis.com/v1beta');
const region: Partial<Provider> = { project: 'p-1', region: 'europe-west4' };
const google = testProvider('vertex', 'https://europe-west4-aiplatform.googleapis.com/v1', region);
const hi = [{ role: 'user', content: 'Hi' }];

async function sent(body: JsonObject, model = 'gemini-2.5-pro'): Promise<unknown> {
  return bodyOf(await gemini.prepare(testCall({ provider, body: { messages: hi, ...body }, model })));
}

/** A few hundred bytes that become some ten thousand names. */
const doublingTool: JsonObject = {
  type: 'function',
  function: {
    name: 'f',
    parameters: {
      $defs: Object.fromEntries(
        Array.from({ length: 11 }, (_, at) => {
          const next = at < 10 ? { $ref: `#/$defs/d${at + 1}` } : { type: 'string' };
          return [`d${at}`, { type: 'object', properties: { a: next, b: next } }];
        }),
      ),
      properties: { a: { $ref: '#/$defs/d0' } },
    },
  },
};

describe('addresses', () => {
  test('of the Gemini API', async () => {
    const call = testCall({ provider, body: { messages: hi }, model: 'models/gemini-2.5-pro' });
    const request = await gemini.prepare(call);
    expect(request.url).toBe(`${provider.baseUrl}/models/gemini-2.5-pro:generateContent`);
    expect(headersOf(request)).toMatchObject({ 'x-goog-api-key': 'k' });
    const { url } = await gemini.prepare({ ...call, stream: true });
    expect(url).toBe(`${provider.baseUrl}/models/gemini-2.5-pro:streamGenerateContent?alt=sse`);
  });

  test('of Vertex AI', async () => {
    const call = testCall({ provider: google, body: { messages: hi }, model: 'gemini-2.5-pro' });
    const request = await vertex.prepare(call);
    const place = `${google.baseUrl}/projects/p-1/locations/europe-west4/publishers`;
    expect(request.url).toBe(`${place}/google/models/gemini-2.5-pro:generateContent`);
    expect(headersOf(request)).toMatchObject({ authorization: 'Bearer k' });
    const other = await vertex.prepare({ ...call, model: 'publishers/meta/models/llama' });
    expect(other.url).toBe(`${place}/meta/models/llama:generateContent`);
    const express = await vertex.prepare({ ...call, provider: testProvider('vertex', 'https://v') });
    expect(express.url).toBe('https://v/publishers/google/models/gemini-2.5-pro:generateContent');
  });

  test('of a path of the provider', async () => {
    const own = { ...provider, path: '/x/{model}/{method}' };
    const { url } = await gemini.prepare(testCall({ provider: own, body: { messages: hi }, model: 'm' }));
    expect(url).toBe(`${provider.baseUrl}/x/m/generateContent`);
  });

  test.each(['..', 'a/b', 'a?b', 'a%2Fb', '', 'projects/../x'])('of the model %j are none', (model) => {
    for (const [adapter, given] of [
      [gemini, provider],
      [vertex, google],
    ] as const) {
      const call = testCall({ provider: given, body: { messages: hi }, model });
      expect(() => adapter.prepare(call)).toThrow(UnsupportedRequestError);
    }
  });
});

describe('a chat', () => {
  test('keeps its limits and its format', async () => {
    const schema = { type: 'object', properties: { a: { type: ['string', 'null'] } }, additionalProperties: false };
    const body = {
      max_completion_tokens: 5,
      temperature: 2,
      top_p: 1,
      n: 2,
      stop: 'x',
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema } },
    };
    expect(await sent(body)).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      generationConfig: {
        maxOutputTokens: 5,
        temperature: 2,
        topP: 1,
        candidateCount: 2,
        stopSequences: ['x'],
        responseMimeType: 'application/json',
        responseSchema: { type: 'OBJECT', properties: { a: { type: 'STRING', nullable: true } } },
      },
    });
    expect(await sent({ response_format: { type: 'json_object' } })).toMatchObject({
      generationConfig: { responseMimeType: 'application/json' },
    });
  });

  test('shows what it is given', async () => {
    const content = [
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
      { type: 'image_url', image_url: { url: 'https://example.com/a.JPG?x=1' } },
      { type: 'input_audio', input_audio: { format: 'wav', data: 'BB==' } },
    ];
    expect(
      await sent({
        messages: [
          { role: 'system', content: 'S' },
          { role: 'user', content },
        ],
      }),
    ).toEqual({
      systemInstruction: { parts: [{ text: 'S' }] },
      contents: [
        {
          role: 'user',
          parts: [
            { inlineData: { mimeType: 'image/png', data: 'AA==' } },
            { fileData: { mimeType: 'image/jpeg', fileUri: 'https://example.com/a.JPG?x=1' } },
            { inlineData: { mimeType: 'audio/wav', data: 'BB==' } },
          ],
        },
      ],
    });
  });

  test('names the functions of results by their calls', async () => {
    const call = (id: string, name: string): JsonObject => ({
      id,
      type: 'function',
      function: { name, arguments: '{"x":1}' },
      ...(id === 'b' && { extra_content: { google: { thought_signature: 'sig' } } }),
    });
    const messages = [
      ...hi,
      { role: 'assistant', tool_calls: [call('a', 'first'), call('b', 'second')] },
      { role: 'tool', tool_call_id: 'b', content: '{"y":2}' },
      { role: 'tool', tool_call_id: 'a', content: 'one' },
      { role: 'user', content: 'Go on' },
    ];
    const { contents } = (await sent({ messages }, 'gemini-3-pro')) as { contents: unknown[] };
    expect(contents.slice(1)).toEqual([
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'first', args: { x: 1 } }, thoughtSignature: 'skip_thought_signature_validator' },
          { functionCall: { name: 'second', args: { x: 1 } }, thoughtSignature: 'sig' },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'second', response: { y: 2 } } },
          { functionResponse: { name: 'first', response: { output: 'one' } } },
        ],
      },
      { role: 'user', parts: [{ text: 'Go on' }] },
    ]);
  });

  test.each([
    ['auto', { mode: 'AUTO' }],
    ['none', { mode: 'NONE' }],
    ['required', { mode: 'ANY' }],
    [
      { type: 'function', function: { name: 'f' } },
      { mode: 'ANY', allowedFunctionNames: ['f'] },
    ],
  ])('chooses tools: %j', async (tool_choice, functionCallingConfig) => {
    const tools = [
      { type: 'function', function: { name: 'f', description: 'F' } },
      {
        type: 'function',
        function: { name: 'g', parameters: { properties: { a: { type: 'integer' } }, required: ['a', 'b'] } },
      },
    ];
    expect(await sent({ tools, tool_choice })).toMatchObject({
      tools: [
        {
          functionDeclarations: [
            { name: 'f', description: 'F' },
            { name: 'g', parameters: { type: 'OBJECT', properties: { a: { type: 'INTEGER' } }, required: ['a'] } },
          ],
        },
      ],
      toolConfig: { functionCallingConfig },
    });
  });

  test('may have a tool whose references become many', async () => {
    await expect(sent({ tools: [doublingTool] })).resolves.toBeDefined();
  });

  test.each<[string, JsonObject]>([
    ['a result of no call', { messages: [{ role: 'tool', tool_call_id: 'a', content: '1' }] }],
    [
      'an image of no known type',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://a/b' } }] }] },
    ],
    ['too many answers', { n: 9 }],
    ['tools that together become too large', { tools: Array.from({ length: 20 }, () => doublingTool) }],
    [
      'a conversation that begins with calls',
      { messages: [{ role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'f', arguments: '' } }] }] },
    ],
  ])('is refused for %s', async (_why, body) => {
    await expect(sent(body)).rejects.toBeInstanceOf(UnsupportedRequestError);
  });
});
