import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import {
  chatAnswer,
  chatFrames,
  chatStream,
  eventually,
  gate,
  messageAnswer,
  messageStream,
  openAiError,
  overloadedFrame,
  startAiProvider,
  type AiProvider,
} from '@portcullis/testkit';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startProtectedRoutes, type ProtectedRoutes } from './support/protected-routes.ts';

const question = [{ role: 'user' as const, content: 'What is the weather in Oslo?' }];
const weather = { name: 'weather', arguments: '{"city":"Oslo"}' };
const weatherTool = {
  type: 'function' as const,
  function: {
    name: 'weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};
const KEY = 'the-key-of-alice';

describe('AI clients, through a real control plane and gateway', () => {
  let routes: ProtectedRoutes;
  let openAi: AiProvider;
  let claude: AiProvider;
  let base: string;
  beforeAll(async () => {
    [openAi, claude] = [await startAiProvider(), await startAiProvider()];
    routes = await startProtectedRoutes();
    base = `${routes.stack.gatewayUrl}/ai`;
    const target = (provider: string, model: string) => ({ provider, model });
    await routes.protect('ai', 'ai_proxy', {
      providers: [
        { name: 'openai', type: 'openai', base_url: `${openAi.url}/v1`, api_key: 'sk-openai' },
        { name: 'claude', type: 'anthropic', base_url: `${claude.url}/v1`, api_key: 'sk-claude' },
      ],
      model_routes: [
        { model: 'chat', targets: [target('openai', 'gpt-up'), target('claude', 'claude-up')] },
        { model: 'claude', targets: [target('claude', 'claude-up')] },
      ],
      consumer_policies: { default: { denied_models: ['secret*'] } },
    });
    const auth = { valid_keys: [{ key: KEY, consumer: 'alice' }] };
    await routes.admin('POST', '/plugins', { name: 'api_key_auth', scope: 'route', route_id: 'ai', config: auth });
    await routes.until(401, '/ai/v1/models');
  });
  beforeEach(() => {
    openAi.plan();
    claude.plan(messageAnswer());
  });
  afterAll(async () => {
    await routes[Symbol.asyncDispose]();
    await Promise.all([openAi.close(), claude.close()]);
  });

  const headers = { 'X-API-Key': KEY };
  const openAiClient = () =>
    new OpenAI({ apiKey: 'none', baseURL: `${base}/v1`, defaultHeaders: headers, maxRetries: 0 });
  const claudeClient = () => new Anthropic({ apiKey: 'none', baseURL: base, defaultHeaders: headers, maxRetries: 0 });

  describe('openai', () => {
    it('asks, and reads text, usage and headers', async () => {
      const { data, response } = await openAiClient()
        .chat.completions.create({ model: 'chat', messages: question })
        .withResponse();
      expect(data.choices[0]?.message.content).toBe('Hello there');
      expect(data.usage?.total_tokens).toBe(21);
      expect(openAi.requests.at(-1)?.body).toMatchObject({ model: 'gpt-up', messages: question });
      expect(openAi.requests.at(-1)?.headers).toMatchObject({ authorization: 'Bearer sk-openai' });
      expect(openAi.requests.at(-1)?.headers['x-api-key']).toBeUndefined();
      expect(response.headers.get('x-gateway-ai-provider')).toBe('openai');
      expect(response.headers.get('x-gateway-ai-cache')).toBe('disabled');
    });

    it('streams, with usage where it asks for it', async () => {
      const stream = await openAiClient().chat.completions.create({
        ...{ model: 'chat', messages: question, stream: true },
        stream_options: { include_usage: true },
      });
      let said = '';
      let total: number | undefined;
      for await (const chunk of stream) {
        said += chunk.choices[0]?.delta.content ?? '';
        total = chunk.usage?.total_tokens ?? total;
      }
      expect([said, total]).toEqual(['Hello there', 21]);
    });

    it.each(['chat', 'claude'])('streams calls of tools of model %s', async (model) => {
      openAi.plan(chatStream({ toolCall: weather }));
      claude.plan(messageStream({ toolUse: { name: 'weather', input: { city: 'Oslo' } } }));
      const runner = openAiClient().chat.completions.stream({ model, messages: question, tools: [weatherTool] });
      const call = (await runner.finalChatCompletion()).choices[0]?.message.tool_calls?.[0];
      expect(call).toMatchObject({ type: 'function', function: { name: 'weather' } });
      const given = call?.type === 'function' ? call.function.arguments : '';
      expect(JSON.parse(given)).toEqual({ city: 'Oslo' });
    });

    it('gets an answer of the next provider when the first fails, streaming or not, and reads which way it took', async () => {
      openAi.plan(openAiError(503, 'overloaded'));
      const { data, response } = await openAiClient()
        .chat.completions.create({ model: 'chat', messages: question })
        .withResponse();
      expect(data.choices[0]?.message.content).toBe('Hello there');
      expect(response.headers.get('x-gateway-ai-fallback')).toBe('true');
      openAi.plan({ kind: 'stream', parts: [overloadedFrame] });
      claude.plan(messageStream());
      const stream = await openAiClient().chat.completions.create({ model: 'chat', messages: question, stream: true });
      let said = '';
      for await (const chunk of stream) said += chunk.choices[0]?.delta.content ?? '';
      expect(said).toBe('Hello there');
    });

    it('reads an error in the middle of a stream as one', async () => {
      openAi.plan({ kind: 'stream', parts: chatFrames().slice(0, 2), ending: 'cut' });
      const stream = await openAiClient().chat.completions.create({ model: 'chat', messages: question, stream: true });
      const read = async (): Promise<void> => {
        for await (const chunk of stream) expect(chunk.object).toBe('chat.completion.chunk');
      };
      await expect(read()).rejects.toThrow(/Provider stream interrupted/);
    });

    it('knows what may be asked for, and why not', async () => {
      const client = openAiClient();
      expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['chat', 'claude']);
      const asking = (model: string) => client.chat.completions.create({ model, messages: question });
      await expect(asking('nothing')).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
      await expect(client.chat.completions.create({ model: 'chat', messages: [] })).rejects.toMatchObject({
        status: 400,
      });
      openAi.plan(openAiError(401, 'invalid_api_key'));
      await expect(asking('chat')).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
    });

    it('leaves, and its provider is left, too', async () => {
      const held = gate();
      const [first = '', ...rest] = chatFrames();
      openAi.plan({ kind: 'stream', parts: [first, held, ...rest] });
      const stream = await openAiClient().chat.completions.create({ model: 'chat', messages: question, stream: true });
      stream.controller.abort();
      await eventually(() => expect(openAi.requests.at(-1)?.isAborted).toBe(true));
      held.open();
    });
  });

  describe('@anthropic-ai/sdk', () => {
    it.each(['claude', 'chat'])('asks model %s, and streams calls of tools', async (model) => {
      const client = claudeClient();
      const message = await client.messages.create({ model, max_tokens: 50, messages: question });
      expect(message).toMatchObject({
        type: 'message',
        content: [{ type: 'text', text: 'Hello there' }],
        usage: { input_tokens: 9 },
      });
      openAi.plan(chatStream({ toolCall: weather }));
      claude.plan(messageStream({ toolUse: { name: 'weather', input: { city: 'Oslo' } } }));
      const input_schema = { type: 'object' as const, properties: { city: { type: 'string' } } };
      const stream = client.messages.stream({
        ...{ model, max_tokens: 50, messages: question },
        tools: [{ name: 'weather', input_schema }],
      });
      const final = await stream.finalMessage();
      expect(final.content.find(({ type }) => type === 'tool_use')).toMatchObject({
        name: 'weather',
        input: { city: 'Oslo' },
      });
      expect(final.stop_reason).toBe('tool_use');
    });

    it('reads errors in its own form', async () => {
      const asking = claudeClient().messages.create({ model: 'nothing', max_tokens: 5, messages: question });
      await expect(asking).rejects.toMatchObject({ status: 404, error: { error: { type: 'not_found_error' } } });
    });
  });

  describe('ai', () => {
    const models = () => ({
      chat: createOpenAI({ apiKey: 'none', baseURL: `${base}/v1`, headers }).chat('chat'),
      messages: createAnthropic({ apiKey: 'none', baseURL: `${base}/v1`, headers })('claude'),
    });
    const tools = {
      weather: tool({ inputSchema: z.object({ city: z.string() }), execute: ({ city }) => `sunny in ${city}` }),
    };

    it.each(['chat', 'messages'] as const)('calls tools and goes on, through %s', async (name) => {
      openAi.plan(chatAnswer({ toolCall: weather }), chatAnswer({ text: 'It is sunny' }));
      claude.plan(
        messageAnswer({ toolUse: { name: 'weather', input: { city: 'Oslo' } } }),
        messageAnswer({ text: 'It is sunny' }),
      );
      const { text, steps } = await generateText({
        ...{ model: models()[name], prompt: 'Weather?', tools, maxRetries: 0, maxOutputTokens: 50 },
        stopWhen: stepCountIs(3),
      });
      expect([text, steps.length]).toEqual(['It is sunny', 2]);
      const provider = name === 'chat' ? openAi : claude;
      expect(provider.requests.at(-1)?.text).toContain('sunny in Oslo');
    });

    it.each(['chat', 'messages'] as const)('streams text, through %s', async (name) => {
      openAi.plan(chatStream());
      claude.plan(messageStream());
      const { textStream, usage } = streamText({
        model: models()[name],
        prompt: 'Hello?',
        maxRetries: 0,
        maxOutputTokens: 50,
      });
      let said = '';
      for await (const part of textStream) said += part;
      expect([said, (await usage).outputTokens]).toEqual(['Hello there', 12]);
    });
  });

  it('serves a model whose route and policy are records of the tenant, written while it runs', async () => {
    const record = { enabled: true, kind: 'model_route', name: 'recorded' };
    const targets = [{ provider: 'openai', model: 'gpt-recorded' }];
    await routes.admin('POST', '/ai-gateway/records', { ...record, config: { targets } });
    const asking = () => openAiClient().chat.completions.create({ model: 'recorded', messages: question });
    await eventually(async () => (await asking()).choices.length === 1, { timeoutMs: 30_000 });
    expect(openAi.requests.at(-1)?.body).toMatchObject({ model: 'gpt-recorded' });
    const { id } = await routes.admin('POST', '/ai-gateway/records', {
      ...{ enabled: true, kind: 'policy', name: 'alice-limits' },
      config: { consumer_id: 'alice', denied_models: ['recorded'] },
    });
    await eventually(
      async () => {
        const refusal: unknown = await asking().catch((error: unknown) => error);
        expect(refusal).toMatchObject({ status: 403, code: 'model_not_allowed' });
        return true;
      },
      { timeoutMs: 30_000 },
    );
    await routes.admin('DELETE', `/ai-gateway/records/${id}`);
  });

  it('shows no key of a provider to whoever reads the plugin', async () => {
    const plugins = JSON.stringify(await routes.admin('GET', '/plugins'));
    expect(plugins).not.toMatch(/sk-openai|sk-claude/);
  });
});
