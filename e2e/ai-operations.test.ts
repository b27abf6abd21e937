import { startAiProvider, type AiProvider } from '@portcullis/testkit';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProtectedRoutes, type ProtectedRoutes } from './support/protected-routes.ts';

/** Numbers that 32 bits hold exactly. */
const VECTOR = [0.5, -0.25, 1];
const base64 = Buffer.from(Float32Array.from(VECTOR).buffer).toString('base64');

describe('embeddings and completions, through a real control plane and gateway', () => {
  let routes: ProtectedRoutes;
  let provider: AiProvider;
  let client: OpenAI;
  beforeAll(async () => {
    provider = await startAiProvider();
    routes = await startProtectedRoutes();
    const target = (model: string) => [{ provider: 'openai', model }];
    await routes.protect('ai', 'ai_proxy', {
      providers: [{ name: 'openai', type: 'openai', base_url: `${provider.url}/v1`, api_key: 'sk-openai' }],
      model_routes: [
        { model: 'vectors', targets: target('text-embedding-up') },
        { model: 'texts', targets: target('instruct-up') },
      ],
    });
    await routes.until(200, '/ai/v1/models');
    client = new OpenAI({ apiKey: 'none', baseURL: `${routes.stack.gatewayUrl}/ai/v1`, maxRetries: 0 });
  });
  afterAll(async () => {
    await routes[Symbol.asyncDispose]();
    await provider.close();
  });

  it('embeds several inputs, with vectors as they came', async () => {
    const usage = { prompt_tokens: 4, total_tokens: 4 };
    const data = [0, 1].map((index) => ({ object: 'embedding', index, embedding: base64 }));
    provider.plan({ kind: 'json', body: { object: 'list', model: 'text-embedding-up', data, usage } });
    const answer = await client.embeddings.create({ model: 'vectors', input: ['one', 'two'] });
    expect(answer.data.map(({ embedding }) => embedding)).toEqual([VECTOR, VECTOR]);
    expect(answer.usage).toEqual(usage);
    expect(provider.requests.at(-1)).toMatchObject({
      url: '/v1/embeddings',
      body: { model: 'text-embedding-up', input: ['one', 'two'], encoding_format: 'base64' },
    });
  });

  const completion = (text: string, finish: string | null) => ({
    ...{ id: 'cmpl-1', object: 'text_completion', created: 1, model: 'instruct-up' },
    choices: [{ index: 0, text, logprobs: null, finish_reason: finish }],
  });

  it('completes a prompt', async () => {
    const usage = { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3 };
    provider.plan({ kind: 'json', body: { ...completion(' time', 'stop'), usage } });
    const answer = await client.completions.create({ model: 'texts', prompt: 'Once upon a', max_tokens: 9 });
    expect([answer.choices[0]?.text, answer.usage]).toEqual([' time', usage]);
    expect(provider.requests.at(-1)?.url).toBe('/v1/completions');
  });

  it('streams a completion', async () => {
    const parts = [completion(' ti', null), completion('me', null), completion('', 'stop')].map(
      (chunk) => `data: ${JSON.stringify(chunk)}\n\n`,
    );
    provider.plan({ kind: 'stream', parts: [...parts, 'data: [DONE]\n\n'] });
    const stream = await client.completions.create({ model: 'texts', prompt: 'Once upon a', stream: true });
    let said = '';
    for await (const chunk of stream) said += chunk.choices[0]?.text ?? '';
    expect(said).toBe(' time');
  });
});
