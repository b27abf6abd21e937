import type { JsonObject } from '../../json.ts';
import type { AdapterCall, PreparedRequest, ProviderAdapter } from '../adapter.ts';
import { requestJson } from '../chat-form/json-text.ts';
import { authorize, bearer } from '../request/authorization.ts';
import { withMembers } from '../request/edited-body.ts';
import { requestHeaders } from '../request/request-headers.ts';
import { requestUrl } from '../request/request-url.ts';
import { geminiChatAnswer } from './gemini-answer.ts';
import { GeminiChatStream } from './gemini-chat-stream.ts';
import {
  geminiEmbeddingsAnswer,
  geminiEmbeddingsRequest,
  vertexEmbeddingsAnswer,
  vertexEmbeddingsRequest,
} from './gemini-embeddings.ts';
import { geminiChatError } from './gemini-error.ts';
import { geminiModel, geminiPath, vertexPath } from './gemini-path.ts';
import { geminiRequest } from './gemini-request.ts';

const STREAM_TYPE = 'text/event-stream';

/** How Google's two ways to the same models differ. */
interface Way {
  path(call: AdapterCall, method: string): string;
  key(key: string): readonly [string, string];
  readonly embeddings: {
    readonly method: string;
    request(call: AdapterCall): JsonObject;
    answer: ProviderAdapter['readAnswer'];
  };
}

/**
 * The Gemini API with a key: `chat` and `embeddings`, both translated.
 * @param newId makes IDs that are not made twice: Gemini gives none to calls of functions
 */
export function createGeminiAdapter(newId: () => string): ProviderAdapter {
  return adapterOf(newId, {
    path: geminiPath,
    key: (key) => ['x-goog-api-key', key],
    embeddings: {
      method: 'batchEmbedContents',
      request: ({ body, model }) => geminiEmbeddingsRequest(body, `models/${geminiModel(model)}`),
      answer: geminiEmbeddingsAnswer,
    },
  });
}

/**
 * Gemini by Vertex AI, in a region of one's own, with an access token as the key.
 * @param newId see {@link createGeminiAdapter}
 */
export function createVertexAdapter(newId: () => string): ProviderAdapter {
  return adapterOf(newId, {
    path: vertexPath,
    key: bearer,
    embeddings: {
      method: 'predict',
      request: ({ body }) => vertexEmbeddingsRequest(body),
      answer: vertexEmbeddingsAnswer,
    },
  });
}

function adapterOf(newId: () => string, way: Way): ProviderAdapter {
  return {
    forms: new Set(['chat', 'embeddings']),
    streamTypes: new Set([STREAM_TYPE]),
    prepare: (call) => prepare(call, way),
    readAnswer: (call, body) =>
      call.operation === 'embeddings' ? way.embeddings.answer(call, body) : geminiChatAnswer(call, body, newId),
    readError: (_call, _status, body) => geminiChatError(body),
    openStream: (call) => new GeminiChatStream(call, newId),
  };
}

function prepare(call: AdapterCall, way: Way): PreparedRequest {
  const { provider, stream } = call;
  const isChat = call.operation !== 'embeddings';
  const method = isChat ? (stream ? 'streamGenerateContent' : 'generateContent') : way.embeddings.method;
  const { header, query, bodyField } = authorize(provider, call.credential, way.key);
  const body = isChat ? geminiRequest(call) : way.embeddings.request(call);
  return {
    url: requestUrl(
      { ...provider, path: way.path(call, method) },
      '',
      isChat && stream ? ['alt', 'sse'] : undefined,
      query,
    ),
    headers: requestHeaders({ provider, stream, streamType: STREAM_TYPE, authorization: header }),
    body: requestJson(bodyField === undefined ? body : withMembers(body, [bodyField])),
  };
}
