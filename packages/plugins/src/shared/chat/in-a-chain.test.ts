import { createEgress } from '@portcullis/egress';
import { createFetchHandler, type FetchHandler } from '@portcullis/plugin-runtime/fetch';
import { chatAnswer, chatStream, openAiError, startAiProvider, type AiProvider } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aiPromptTemplate } from '../../ai_prompt_template/index.ts';
import { aiProxy } from '../../ai_proxy/index.ts';
import { aiRagInjector } from '../../ai_rag_injector/index.ts';
import { aiResponseGuard } from '../../ai_response_guard/index.ts';
import { aiResponseTransformer } from '../../ai_response_transformer/index.ts';
import { chatOf, saidIn, startService, type PlannedService } from './chat-bench.test-support.ts';

/** All of it as a route has it: retrieval and template before the proxy asks a provider, transformer and guard behind its answer. */
describe('the helpers of an AI route, around the proxy', () => {
  let provider: AiProvider;
  let search: PlannedService;
  let handle: FetchHandler;
  const egress = createEgress({ allowed: [{ address: '127.0.0.0', bits: 8 }] });
  beforeAll(async () => {
    [provider, search] = [await startAiProvider(), await startService()];
    search.say({ results: ['the sky is blue'] });
    const providers = [{ name: 'fake', type: 'openai', base_url: `${provider.url}/v1`, api_key: 'sk' }];
    handle = createFetchHandler({
      plugins: [aiProxy, aiPromptTemplate, aiRagInjector, aiResponseGuard, aiResponseTransformer].map(
        ({ plugin }) => plugin,
      ),
      outbound: egress,
      upstream: () => new Response(null, { status: 500 }),
      inline: [
        { name: 'ai_proxy', priority: 50, config: { providers, default_provider: 'fake' } },
        {
          name: 'ai_rag_injector',
          priority: 30,
          config: { retrieval_url: search.url, context_template: 'C:{{context}}' },
        },
        { name: 'ai_prompt_template', priority: 20, config: { system_prompt: 'S', defaults: { temperature: 0 } } },
        { name: 'ai_response_transformer', priority: 20, config: { replacements: { color: 'colour' }, suffix: '!' } },
        {
          name: 'ai_response_guard',
          priority: 10,
          config: { action: 'mask', mask: '#', block_pii: true, blocked_terms: ['secret'] },
        },
      ],
    });
  });
  afterAll(async () => {
    await handle.close();
    await Promise.all([egress.close(), provider.close(), search[Symbol.asyncDispose]()]);
  });

  const ask = (more: object = {}): Promise<Response> =>
    handle(
      new Request('http://api.test/v1/chat/completions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...chatOf('which color?'), ...more }),
      }),
    );

  it('an answer in JSON', async () => {
    provider.plan(chatAnswer({ text: 'the color is secret, ask ann@example.org' }));
    const answer = await ask();
    const { choices } = (await answer.json()) as { choices: { message: { content: string } }[] };
    expect(choices[0]?.message.content).toBe('the colour is #, ask #!');
    expect(answer.headers.get('x-gateway-ai-provider')).toBe('fake');
    expect(provider.requests.at(-1)?.body).toMatchObject({
      temperature: 0,
      messages: [
        { content: 'S' },
        { role: 'system', content: 'C:the sky is blue' },
        { role: 'user', content: 'which color?' },
      ],
    });
  });

  it('a stream', async () => {
    provider.plan(chatStream({ text: 'the col or is sec ret' }));
    const answer = await ask({ stream: true });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const said = await answer.text();
    expect([saidIn(said), said.endsWith('data: [DONE]\n\n')]).toEqual(['the col or is sec ret!', true]);
  });

  it('a stream whose words stand across events: its first event waits for its last', async () => {
    const frame = (content: string): string =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
    provider.plan({
      kind: 'stream',
      parts: [
        frame('the co'),
        frame('lor is se'),
        frame('cret'),
        'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n',
        'data: [DONE]\n\n',
      ],
    });
    expect(saidIn(await (await ask({ stream: true })).text())).toBe('the colour is #!');
  });

  it('an error of a provider', async () => {
    provider.plan(openAiError(400, 'invalid_request_error'));
    const answer = await ask();
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { type: 'invalid_request_error' } }]);
  });
});
