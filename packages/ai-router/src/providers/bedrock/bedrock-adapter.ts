import type { AdapterCall, PreparedRequest, ProviderAdapter } from '../adapter.ts';
import { requestJson } from '../chat-form/json-text.ts';
import { UnsupportedRequestError } from '../errors.ts';
import { authorize, bearer } from '../request/authorization.ts';
import { requestHeaders } from '../request/request-headers.ts';
import { bedrockChatAnswer } from './bedrock-answer.ts';
import { BedrockChatStream } from './bedrock-chat-stream.ts';
import { bedrockEmbeddingsAnswer, bedrockEmbeddingsRequest } from './bedrock-embeddings.ts';
import { bedrockChatError } from './bedrock-error.ts';
import { bedrockRequest } from './bedrock-request.ts';
import { awsSegment, signatureV4 } from './signature-v4.ts';

const STREAM_TYPE = 'application/vnd.amazon.eventstream';
/** For instance `us-east-1`, `us-gov-west-1`, `eusc-de-east-1`. It becomes part of what is signed. */
const REGION = /^[a-z]{2,5}(?:-[a-z]{2,12}){1,3}-[0-9]{1,2}$/;
/** IDs, ARNs and names of inference profiles; not what a path would take for a step. */
const MODEL = /^(?!\.{1,2}$)[\w.:/-]{1,2048}$/;

/**
 * Amazon Bedrock: `chat` by Converse, `embeddings` of Titan and Cohere by InvokeModel, both translated. Requests are signed with an access key, or carry a Bedrock API key.
 * @param newId makes IDs that are not made twice: Converse gives none to answers
 */
export function createBedrockAdapter(newId: () => string): ProviderAdapter {
  return {
    forms: new Set(['chat', 'embeddings']),
    streamTypes: new Set([STREAM_TYPE]),
    prepare,
    readAnswer: (call, body) =>
      call.operation === 'embeddings'
        ? bedrockEmbeddingsAnswer(call, body)
        : bedrockChatAnswer(call, body, `chatcmpl-${newId()}`),
    readError: (_call, status, body) => bedrockChatError(status, body),
    openStream: (call) => new BedrockChatStream(call, `chatcmpl-${newId()}`),
  };
}

function prepare(call: AdapterCall): PreparedRequest {
  const { provider, stream, credential } = call;
  const isChat = call.operation !== 'embeddings';
  const body = requestJson(isChat ? bedrockRequest(call) : bedrockEmbeddingsRequest(call));
  if (!MODEL.test(call.model)) throw new UnsupportedRequestError('this provider knows no model of such a name');
  const model = awsSegment(call.model);
  const method = isChat ? (stream ? 'converse-stream' : 'converse') : 'invoke';
  const own = provider.path?.replaceAll('{model}', () => model).replaceAll('{method}', () => method);
  const url = new URL(provider.baseUrl + (own ?? `/model/${model}/${method}`));
  const isKey = credential.accessKeyId === undefined && credential.apiKey !== undefined;
  const authorization = isKey ? authorize(provider, credential, bearer).header : undefined;
  const signature = isKey ? [] : signatureOf(call, url, body);
  return {
    url: url.href,
    headers: requestHeaders({ provider, stream, streamType: STREAM_TYPE, authorization, own: signature }),
    body,
  };
}

function signatureOf({ provider, credential, nowMs }: AdapterCall, url: URL, body: string): readonly string[] {
  const { region } = provider;
  const { accessKeyId, secretAccessKey, sessionToken } = credential;
  if (region === undefined || !REGION.test(region)) throw new UnsupportedRequestError('this provider has no region');
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new UnsupportedRequestError('this provider has no access key');
  }
  return signatureV4(
    {
      host: url.host,
      path: url.pathname,
      headers: { 'content-type': 'application/json' },
      body,
      region,
      service: 'bedrock',
      nowMs,
    },
    { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) },
  );
}
