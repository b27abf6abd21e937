import type { JsonObject } from '../../json.ts';
import type { AiOperation } from '../../operation.ts';
import type { AdapterCall, PreparedRequest, ProviderAdapter } from '../adapter.ts';
import { readEmbeddingsRequest } from '../chat-form/embeddings.ts';
import { requestJson } from '../chat-form/json-text.ts';
import { plainChatError } from '../openai/plain-chat-error.ts';
import { openAiAdapter } from '../openai/openai-adapter.ts';
import { authorize, bearer } from '../request/authorization.ts';
import { withMembers } from '../request/edited-body.ts';
import { requestHeaders } from '../request/request-headers.ts';
import { endsWithPath, requestUrl } from '../request/request-url.ts';
import { ollamaChatAnswer, ollamaCompletion, ollamaEmbeddings } from './ollama-answer.ts';
import { ollamaChatRequest, ollamaGenerateRequest } from './ollama-request.ts';
import { ollamaChatStream, ollamaCompletionStream } from './ollama-stream.ts';

const STREAM_TYPE = 'application/x-ndjson';

/**
 * Ollama. With a base that ends with `/v1` it is spoken to as OpenAI is, and bytes go on untouched; with any other in its own way
 * (`/api/chat`, `/api/generate`, `/api/embed`), which takes the same options and tells of thinking with every model.
 * Source: Ollama API.
 * @param newId makes IDs that are not made twice: Ollama gives none
 */
export function createOllamaAdapter(newId: () => string): ProviderAdapter {
  return {
    forms: new Set<AiOperation>(['chat', 'completions', 'embeddings']),
    streamTypes: new Set([STREAM_TYPE, 'text/event-stream']),
    prepare: (call) => (speaksAsOpenAi(call) ? openAiAdapter.prepare(call) : prepare(call)),
    readAnswer(call, body) {
      if (speaksAsOpenAi(call)) return openAiAdapter.readAnswer(call, body);
      if (call.operation === 'embeddings') return ollamaEmbeddings(call, body);
      return call.operation === 'chat' ? ollamaChatAnswer(call, body, newId) : ollamaCompletion(call, body, newId);
    },
    readError: (call, _status, body) => (speaksAsOpenAi(call) ? body : plainChatError(body)),
    openStream(call) {
      if (speaksAsOpenAi(call)) return openAiAdapter.openStream(call);
      return call.operation === 'chat' ? ollamaChatStream(call, newId) : ollamaCompletionStream(call, newId);
    },
  };
}

function speaksAsOpenAi({ provider }: AdapterCall): boolean {
  return endsWithPath(provider, '/v1');
}

function prepare(call: AdapterCall): PreparedRequest {
  const { provider, stream } = call;
  const { header, query, bodyField } = authorize(provider, call.credential, bearer);
  const [path, body] = requestOf(call);
  return {
    url: requestUrl(provider, endsWithPath(provider, '/api') ? path : `/api${path}`, query),
    headers: requestHeaders({ provider, stream, streamType: STREAM_TYPE, authorization: header }),
    body: requestJson(bodyField === undefined ? body : withMembers(body, [bodyField])),
  };
}

function requestOf(call: AdapterCall): readonly [path: string, body: JsonObject] {
  if (call.operation === 'chat') return ['/chat', ollamaChatRequest(call)];
  if (call.operation === 'completions') return ['/generate', ollamaGenerateRequest(call)];
  const { texts, dimensions } = readEmbeddingsRequest(call.body);
  return ['/embed', { model: call.model, input: texts, ...(dimensions !== undefined && { dimensions }) }];
}
