import { isJsonObject, type JsonObject } from '../../json.ts';
import type { AiOperation } from '../../operation.ts';
import type { AdapterCall, PreparedRequest, ProviderAdapter, StreamReader } from '../adapter.ts';
import type { Provider } from '../provider.ts';
import { authorize, bearer } from '../request/authorization.ts';
import { type BodyEdits, editedBody } from '../request/edited-body.ts';
import { requestHeaders } from '../request/request-headers.ts';
import { requestUrl } from '../request/request-url.ts';
import { ChoicesStream } from './choices-stream.ts';
import { readOpenAiAnswer } from './openai-answer.ts';
import type { OpenAiDialect } from './openai-dialect.ts';
import { ResponsesStream } from './responses-stream.ts';

const STREAM_TYPE = 'text/event-stream';
const STREAM_TYPES: ReadonlySet<string> = new Set([STREAM_TYPE]);

/** Where each form is, from the base on. Source: OpenAI API. */
export const openAiPaths: Readonly<Record<AiOperation, string>> = {
  chat: '/chat/completions',
  completions: '/completions',
  embeddings: '/embeddings',
  responses: '/responses',
  messages: '/messages',
};

/** An adapter for a vendor that speaks OpenAI's way. Requests and answers that need no change go on as they came. */
export function createOpenAiAdapter(dialect: OpenAiDialect): ProviderAdapter {
  return {
    forms: dialect.forms,
    streamTypes: STREAM_TYPES,
    prepare: (call) => prepare(dialect, call),
    readAnswer(call, body) {
      const answer = call.operation === 'chat' ? (dialect.answer?.(body) ?? body) : body;
      return readOpenAiAnswer(call.operation, answer, answer === body);
    },
    openStream: (call): StreamReader =>
      call.operation === 'responses'
        ? new ResponsesStream()
        : new ChoicesStream(call.operation, call.operation === 'chat' ? dialect.chunks : undefined),
  };
}

/** OpenAI itself, and servers that speak as it does. */
export const openAiAdapter: ProviderAdapter = createOpenAiAdapter({
  forms: new Set<AiOperation>(['chat', 'completions', 'embeddings', 'responses']),
  url: ({ provider, operation }, key) => requestUrl(provider, openAiPaths[operation], key),
  authorization: bearer,
  headers({ organization, project }) {
    const headers: string[] = [];
    if (organization !== undefined) headers.push('openai-organization', organization);
    if (project !== undefined) headers.push('openai-project', project);
    return headers;
  },
  modelField: ({ model }) => model,
  takesStreamOptions: true,
});

function prepare(dialect: OpenAiDialect, call: AdapterCall): PreparedRequest {
  const { provider, stream } = call;
  const { header, query, bodyField } = authorize(provider, call.credential, dialect.authorization);
  const body = withOneLimit(withoutStreamOptions(dialect.request?.(call) ?? call.body, provider), call);
  const source = body === call.body ? call : { body };
  const edits = bodyField === undefined ? ownEdits(dialect, call) : [...ownEdits(dialect, call), bodyField];
  const own = ownHeaders(dialect, call);
  return {
    url: dialect.url(call, query),
    headers: requestHeaders({
      provider,
      stream,
      streamType: STREAM_TYPE,
      authorization: header,
      ...(own === undefined ? {} : { own }),
    }),
    body: editedBody(source, edits),
  };
}

function ownHeaders(dialect: OpenAiDialect, { provider, vendorHeaders }: AdapterCall): readonly string[] | undefined {
  const own = dialect.headers?.(provider);
  return vendorHeaders === undefined ? own : [...(own ?? []), ...vendorHeaders];
}

/** Whoever does not take `stream_options` may refuse what a client asked of another. */
function withoutStreamOptions(body: JsonObject, { supports }: Provider): JsonObject {
  if (supports.streamUsage || !Object.hasOwn(body, 'stream_options')) return body;
  return without(body, 'stream_options');
}

/**
 * A limit that is told by both of its names, as surfaces do. OpenAI and Azure refuse both, and their newer models know the newer name alone;
 * of compatible servers many know the older one alone.
 */
function withOneLimit(body: JsonObject, { operation, provider }: AdapterCall): JsonObject {
  if (operation !== 'chat' || !Object.hasOwn(body, 'max_tokens') || !Object.hasOwn(body, 'max_completion_tokens')) {
    return body;
  }
  const isSame = typeof body['max_tokens'] === 'number' && body['max_tokens'] === body['max_completion_tokens'];
  if (!isSame) return body;
  const knowsNewer = provider.type === 'openai' || provider.type === 'azure_openai';
  return without(body, knowsNewer ? 'max_tokens' : 'max_completion_tokens');
}

function without(body: JsonObject, left: string): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== left));
}

function ownEdits(dialect: OpenAiDialect, call: AdapterCall): BodyEdits {
  const { body, operation, stream } = call;
  const edits: (readonly [string, unknown])[] = [];
  const model = dialect.modelField(call);
  if (model !== undefined) edits.push(['model', model]);
  if (operation === 'embeddings') return edits;
  if ((body['stream'] === true) !== stream) edits.push(['stream', stream]);
  const mayAsk = dialect.takesStreamOptions && (operation === 'chat' || operation === 'completions');
  if (stream && mayAsk && call.wantsStreamUsage && call.provider.supports.streamUsage) {
    const options = isJsonObject(body['stream_options']) ? body['stream_options'] : {};
    if (options['include_usage'] !== true) edits.push(['stream_options', { ...options, include_usage: true }]);
  }
  return edits;
}
