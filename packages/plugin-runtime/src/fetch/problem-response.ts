import { encodeBody } from '../body-bytes.ts';
import type { ExchangeFailure } from '../exchange.ts';
import type { ResponseParts } from '../response-state.ts';

/** How a client is told of a failure: 503 for a plugin's, 502 for the upstream's. Source: wire, Errors. */
export function problemResponse(failure: ExchangeFailure, requestId: string): Omit<ResponseParts, 'source'> {
  const isPlugin = failure.code === 'plugin_failed';
  const status = isPlugin ? 503 : 502;
  const title = isPlugin ? 'Service unavailable' : 'Bad gateway';
  const problem = { type: 'about:blank', title, status, code: failure.code, request_id: requestId };
  const body = encodeBody(JSON.stringify(problem));
  const headers = ['content-type', 'application/problem+json', 'content-length', String(body.length)];
  return { status, headers, body };
}
