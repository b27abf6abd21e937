import type { AdapterCall, PreparedRequest, ProviderAdapter } from '../adapter.ts';
import { requestJson } from '../chat-form/json-text.ts';
import { authorize } from '../request/authorization.ts';
import { type BodyEdits, editedBody, withMembers } from '../request/edited-body.ts';
import { requestHeaders } from '../request/request-headers.ts';
import { requestUrl } from '../request/request-url.ts';
import { withHeaders } from '../request/vendor-headers.ts';
import { anthropicChatAnswer, anthropicMessageAnswer } from './anthropic-answer.ts';
import { AnthropicChatStream } from './anthropic-chat-stream.ts';
import { anthropicChatError } from './anthropic-error.ts';
import { AnthropicMessageStream } from './anthropic-message-stream.ts';
import { anthropicRequest } from './anthropic-request.ts';
import { withoutForeignTurns } from './foreign-turns.ts';

/** Where a provider's `api_version` names no other. Source: Anthropic, Versions. */
const VERSION_DEFAULT = '2023-06-01';
const STREAM_TYPE = 'text/event-stream';

/** Anthropic's Messages API: `messages` as it is, but for turns of other vendors' models; `chat` translated. */
export const anthropicAdapter: ProviderAdapter = {
  forms: new Set(['messages', 'chat']),
  streamTypes: new Set([STREAM_TYPE]),
  prepare,
  readAnswer(call, body) {
    return call.operation === 'chat' ? anthropicChatAnswer(call, body) : anthropicMessageAnswer(body);
  },
  readError(call, _status, body) {
    return call.operation === 'chat' ? anthropicChatError(body) : body;
  },
  openStream(call) {
    return call.operation === 'chat' ? new AnthropicChatStream(call) : new AnthropicMessageStream();
  },
};

function prepare(call: AdapterCall): PreparedRequest {
  const { provider, stream } = call;
  const { header, query, bodyField } = authorize(provider, call.credential, (key) => ['x-api-key', key]);
  const added: BodyEdits = bodyField === undefined ? [] : [bodyField];
  // A version of the config is the operator's word; else the client's.
  const version = ['anthropic-version', provider.apiVersion ?? VERSION_DEFAULT];
  const { vendorHeaders: given = [] } = call;
  const own = provider.apiVersion === undefined ? withHeaders(version, given) : withHeaders(given, version);
  return {
    url: requestUrl(provider, '/messages', query),
    headers: requestHeaders({ provider, stream, streamType: STREAM_TYPE, authorization: header, own }),
    body:
      call.operation === 'chat'
        ? requestJson(withMembers(anthropicRequest(call), added))
        : editedBody(call, [...messageEdits(call), ...added]),
  };
}

function messageEdits({ body, model, stream }: AdapterCall): BodyEdits {
  const edits: (readonly [string, unknown])[] = [['model', model]];
  if (Object.hasOwn(body, 'messages')) edits.push(['messages', withoutForeignTurns(body['messages'])]);
  if (stream !== (body['stream'] === true)) edits.push(['stream', stream]);
  return edits;
}
