import { describe, expect, test } from 'vitest';
import { UnsupportedRequestError } from '../errors.ts';
import type { Provider } from '../provider.ts';
import { bodyOf, headersOf, testCall, testProvider } from '../provider.test-support.ts';
import { azureOpenAiAdapter } from './azure-openai-adapter.ts';

const base = 'https://res.openai.azure.com';

function azure(more: Partial<Provider> = {}, baseUrl: string = base): Provider {
  return testProvider('azure_openai', baseUrl, more);
}

describe('addresses', () => {
  test.each([
    [
      'the model is the deployment',
      azure(),
      'chat',
      `${base}/openai/deployments/m%2F1/chat/completions?api-version=2024-10-21`,
    ],
    [
      'the config names it',
      azure({ deploymentId: 'd' }),
      'embeddings',
      `${base}/openai/deployments/d/embeddings?api-version=2024-10-21`,
    ],
    [
      'a version',
      azure({ apiVersion: '2025-01-01-preview' }),
      'completions',
      `${base}/openai/deployments/m%2F1/completions?api-version=2025-01-01-preview`,
    ],
    [
      'a base with /openai',
      azure({}, `${base}/openai`),
      'chat',
      `${base}/openai/deployments/m%2F1/chat/completions?api-version=2024-10-21`,
    ],
    ['without versions', azure({}, `${base}/openai/v1`), 'chat', `${base}/openai/v1/chat/completions`],
    [
      'without versions, but with one',
      azure({ apiVersion: 'preview' }, `${base}/openai/v1`),
      'responses',
      `${base}/openai/v1/responses?api-version=preview`,
    ],
    ['responses', azure(), 'responses', `${base}/openai/responses?api-version=2025-04-01-preview`],
    ['a path', azure({ path: '/x' }), 'chat', `${base}/x?api-version=2024-10-21`],
  ] as const)('%s', async (_case, provider, operation, url) => {
    const request = await azureOpenAiAdapter.prepare(testCall({ provider, operation, model: 'm/1' }));
    expect(request.url).toBe(url);
    expect(headersOf(request)).toMatchObject({ 'api-key': 'k' });
  });

  test.each(['..', '.', '', '\uD800'])('a model that would be another path is refused: %j', (model) => {
    expect(() => azureOpenAiAdapter.prepare(testCall({ provider: azure(), model }))).toThrow(UnsupportedRequestError);
  });
});

test("the body keeps the client's model where the address names the deployment", async () => {
  const bytes = Buffer.from('{"model":"public"}');
  const request = await azureOpenAiAdapter.prepare(testCall({ provider: azure(), body: { model: 'public' }, bytes }));
  expect(request.body).toBe(bytes);
});

test('and names the deployment where the address does not', async () => {
  const provider = azure({ deploymentId: 'd' }, `${base}/openai/v1`);
  expect(bodyOf(await azureOpenAiAdapter.prepare(testCall({ provider, body: { model: 'public' } })))).toEqual({
    model: 'd',
  });
});
