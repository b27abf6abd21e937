import { describe, expect, it } from 'vitest';
import { providerOf, systemClock } from '../../engine/router.test-support.ts';
import { systemTimers } from '../../engine/router-options.ts';
import type { Provider } from '../../providers/provider.ts';
import type { TransportRequest } from '../../transport.ts';
import type { EmbeddingSource } from '../cache-settings.ts';
import { createEmbedder } from './create-embedder.ts';

/** What a source sends first. */
async function sentBy(
  source: Partial<EmbeddingSource>,
  providers: readonly Provider[] = [],
  dimensions = 256,
): Promise<TransportRequest> {
  const requests: TransportRequest[] = [];
  const embedder = createEmbedder(
    { embedding: { model: 'm', timeoutMs: 1000, ...source }, vectorDimensions: dimensions },
    {
      ...{ providers, clock: systemClock, timers: systemTimers, readSecret: (reference) => `read:${reference}` },
      transport: {
        open(request, listener) {
          requests.push(request);
          queueMicrotask(() => listener.onFailure(new Error('not sent')));
          return { resume: () => undefined, abort: () => undefined };
        },
      },
    },
  );
  await Promise.resolve(embedder.embed('x')).catch(() => undefined);
  const [request] = requests;
  if (request === undefined) throw new Error('nothing was sent');
  return request;
}

const headerOf = ({ headers = [] }: TransportRequest, name: string): string | undefined =>
  headers.includes(name) ? headers[headers.indexOf(name) + 1] : undefined;
const bodyOf = ({ body }: TransportRequest): unknown => JSON.parse(String(body));

describe('addresses of their own', () => {
  it.each<[string, Partial<EmbeddingSource>, string, string, string | undefined]>([
    [
      'as OpenAI',
      { baseUrl: 'https://e.example/v1' },
      'https://e.example/v1/embeddings',
      'authorization',
      'Bearer read:env://KEY',
    ],
    [
      'with a path',
      { baseUrl: 'https://e.example/', path: '/embed/all' },
      'https://e.example/embed/all',
      'authorization',
      'Bearer read:env://KEY',
    ],
    [
      'Azure',
      { baseUrl: 'https://r.openai.azure.com', model: 'mine' },
      'https://r.openai.azure.com/openai/deployments/mine/embeddings?api-version=2024-10-21',
      'api-key',
      'read:env://KEY',
    ],
    [
      'Bedrock',
      { baseUrl: 'https://bedrock-runtime.eu-west-1.amazonaws.com', model: 'amazon.titan-embed-text-v2:0' },
      'https://bedrock-runtime.eu-west-1.amazonaws.com/model/amazon.titan-embed-text-v2%3A0/invoke',
      'authorization',
      'Bearer read:env://KEY',
    ],
    [
      'Vertex AI',
      {
        baseUrl: 'https://europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/europe-west4',
        model: 'text-embedding-005',
      },
      'https://europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/europe-west4/publishers/google/models/text-embedding-005:predict',
      'authorization',
      'Bearer read:env://KEY',
    ],
    [
      'Gemini',
      { baseUrl: 'https://generativelanguage.googleapis.com/v1beta', model: 'gemini-embedding-001' },
      'https://generativelanguage.googleapis.com/v1beta/models/gemini-embedding-001:batchEmbedContents',
      'x-goog-api-key',
      'read:env://KEY',
    ],
    [
      'Cohere',
      { baseUrl: 'https://api.cohere.com/v2', model: 'embed-v4.0' },
      'https://api.cohere.com/v2/embed',
      'authorization',
      'Bearer read:env://KEY',
    ],
    [
      'a host that only looks like a cloud',
      { baseUrl: 'https://openai.azure.com.evil.example' },
      'https://openai.azure.com.evil.example/embeddings',
      'api-key',
      undefined,
    ],
  ])('%s', async (_, source, url, header, value) => {
    const sent = await sentBy({ keyReference: 'env://KEY', ...source });
    expect(sent.url).toBe(url);
    expect(headerOf(sent, header)).toBe(value);
    expect(sent).toMatchObject({ method: 'POST', requiresTls: true, headTimeoutMs: 1000, connectTimeoutMs: 1000 });
  });

  it('without a credential none is sent', async () => {
    expect(headerOf(await sentBy({ baseUrl: 'https://e.example/v1' }), 'authorization')).toBeUndefined();
  });
});

describe('providers that are named', () => {
  it('are asked for embeddings, not by the path and the deployment of their chats', async () => {
    const first = providerOf('first', 'https://one.example', {
      path: '/chat/special',
      modelMap: new Map([['m', 'mapped']]),
      headers: ['x-team', 'search'],
    });
    const sent = await sentBy({ provider: 'first' }, [first]);
    expect(sent.url).toBe('https://one.example/v1/embeddings');
    expect(headerOf(sent, 'x-team')).toBe('search');
    expect(bodyOf(sent)).toMatchObject({ model: 'mapped' });
    const azure = { type: 'azure_openai', baseUrl: 'https://r.openai.azure.com', deploymentId: 'chat' } as const;
    const other = await sentBy({ provider: 'second' }, [first, providerOf('second', '', azure)]);
    expect(other.url).toContain('/deployments/m/embeddings');
  });

  it('keep a path that says where model and method belong, and take the source’s own before it', async () => {
    const vertex = { type: 'vertex', baseUrl: 'https://v.example', path: '/own/{model}:{method}' } as const;
    const provider = providerOf('v', '', vertex);
    expect((await sentBy({ provider: 'v' }, [provider])).url).toBe('https://v.example/own/m:predict');
    expect((await sentBy({ provider: 'v', path: '/other' }, [provider])).url).toBe('https://v.example/other');
  });

  it('are called with another credential where the source names one', async () => {
    const sent = await sentBy({ provider: 'first', keyReference: 'vault://v/s' }, [
      providerOf('first', 'https://one.example'),
    ]);
    expect(headerOf(sent, 'authorization')).toBe('Bearer read:vault://v/s');
  });

  it.each([
    ['not there', 'nobody', 'names no provider that is there'],
    ['without embeddings', 'claude', 'is of type anthropic, which has no embeddings'],
  ])('%s: the config is refused', async (_, provider, message) => {
    const claude = providerOf('claude', 'https://c.example', { type: 'anthropic' });
    await expect(sentBy({ provider }, [claude])).rejects.toMatchObject({
      name: 'InvalidConfigError',
      problems: [{ pointer: '/embedding_provider', message }],
    });
  });
});

describe('dimensions', () => {
  it.each([
    ['text-embedding-3-large', 200, 200],
    ['openai/text-embedding-3-small', 512, 512],
    ['text-embedding-ada-002', 256, undefined],
    ['nomic-embed-text', 256, undefined],
  ])('%s for %s: %s are asked for', async (model, wanted, asked) => {
    const sent = await sentBy({ baseUrl: 'https://e.example/v1', model }, [], wanted);
    expect((bodyOf(sent) as { dimensions?: number }).dimensions).toBe(asked);
  });

  it.each([
    [100, 256],
    [300, 512],
  ])('a model that has some gives the fewest that are enough: %s', async (wanted, asked) => {
    const source = {
      baseUrl: 'https://bedrock-runtime.eu-west-1.amazonaws.com',
      model: 'amazon.titan-embed-text-v2:0',
    };
    expect(bodyOf(await sentBy({ ...source, keyReference: 'env://KEY' }, [], wanted))).toMatchObject({
      dimensions: asked,
    });
  });
});
