import type { AiOperation } from '@portcullis/ai-router';
import type { Exchange, HeaderView, PluginResponse } from '@portcullis/plugin-runtime';
import { operationOfPath } from './asked-operation.ts';

/** What a client of an AI surface is told. */
export interface AiRefusal {
  /** 400 to 599. */
  readonly status: number;
  /** For programs, in snake_case: `content_blocked`. */
  readonly code: string;
  readonly message: string;
}

/**
 * A refusal in the form that the surface's clients read: OpenAI's `{error: {message, type, param, code}}`, or for `messages` Anthropic's. The
 * request's ID goes with it. Source: ai, Endpoints.
 * @param answered the headers of the answer in whose place it stands: what they say of the way that the request took, and of limits, is kept
 * @param operation of the answer, where its body says more than the path
 */
export function aiRefusal(
  { request, facts }: Exchange,
  { status, code, message }: AiRefusal,
  answered?: HeaderView,
  operation: AiOperation | undefined = operationOfPath(request),
): PluginResponse {
  const { requestId } = facts;
  const body =
    operation === 'messages'
      ? { type: 'error', error: { type: messagesType(status), message, code }, request_id: requestId }
      : { error: { message, type: code, param: null, code, request_id: requestId } };
  return {
    status,
    headers: ['content-type', 'application/json', ...(answered === undefined ? [] : keptHeaders(answered))],
    body: JSON.stringify(body),
  };
}

/** What Anthropic's clients know errors of a status by. */
function messagesType(status: number): string {
  if (status === 413) return 'request_too_large';
  return status >= 500 ? 'api_error' : 'invalid_request_error';
}

const KEPT = /^(?:x-gateway-ai-|x-ratelimit-|ratelimit|server-timing$)/i;

function keptHeaders(headers: HeaderView): readonly string[] {
  const kept: string[] = [];
  headers.forEach((name, value) => {
    if (KEPT.test(name)) kept.push(name, value);
  });
  return kept;
}
