import type { AiOperation } from '../../operation.ts';
import type { ProviderAdapter } from '../adapter.ts';
import { createOpenAiAdapter, openAiPaths } from '../openai/openai-adapter.ts';
import { bearer } from '../request/authorization.ts';
import { requestUrl } from '../request/request-url.ts';
import { mistralAnswer, mistralChunks } from './mistral-answer.ts';
import { mistralRequest } from './mistral-request.ts';

/** Mistral speaks OpenAI's chat but for some names, and knows fewer fields. */
export const mistralAdapter: ProviderAdapter = createOpenAiAdapter({
  forms: new Set<AiOperation>(['chat', 'embeddings']),
  url: ({ provider, operation }, key) => requestUrl(provider, openAiPaths[operation], key),
  authorization: bearer,
  modelField: ({ model }) => model,
  takesStreamOptions: false,
  request: mistralRequest,
  answer: mistralAnswer,
  chunks: mistralChunks,
});
