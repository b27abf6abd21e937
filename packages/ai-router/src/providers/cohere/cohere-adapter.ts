import type { AiOperation } from '../../operation.ts';
import type { AdapterCall, PreparedRequest, ProviderAdapter } from '../adapter.ts';
import { requestJson } from '../chat-form/json-text.ts';
import { plainChatError } from '../openai/plain-chat-error.ts';
import { authorize, bearer } from '../request/authorization.ts';
import { withMembers } from '../request/edited-body.ts';
import { requestHeaders } from '../request/request-headers.ts';
import { endsWithPath, requestUrl } from '../request/request-url.ts';
import { cohereChatAnswer, cohereEmbeddings } from './cohere-answer.ts';
import { cohereChatRequest, cohereEmbeddingsRequest } from './cohere-request.ts';
import { CohereChatStream } from './cohere-stream.ts';

const STREAM_TYPE = 'text/event-stream';

/**
 * Cohere's second version: `chat` and `embeddings`, both translated. Bases may leave `/v2` out.
 * @param newId makes IDs that are not made twice, for answers without one
 */
export function createCohereAdapter(newId: () => string): ProviderAdapter {
  return {
    forms: new Set<AiOperation>(['chat', 'embeddings']),
    streamTypes: new Set([STREAM_TYPE]),
    prepare,
    readAnswer: (call, body) =>
      call.operation === 'chat' ? cohereChatAnswer(call, body, newId) : cohereEmbeddings(call, body),
    readError: (_call, _status, body) => plainChatError(body),
    openStream: (call) => new CohereChatStream(call, newId),
  };
}

function prepare(call: AdapterCall): PreparedRequest {
  const { provider, stream } = call;
  const { header, query, bodyField } = authorize(provider, call.credential, bearer);
  const isChat = call.operation === 'chat';
  const body = isChat ? cohereChatRequest(call) : cohereEmbeddingsRequest(call);
  const path = isChat ? '/chat' : '/embed';
  return {
    url: requestUrl(provider, endsWithPath(provider, '/v2') ? path : `/v2${path}`, query),
    headers: requestHeaders({ provider, stream, streamType: STREAM_TYPE, authorization: header }),
    body: requestJson(bodyField === undefined ? body : withMembers(body, [bodyField])),
  };
}
