import { encodeBody } from '../body-bytes.ts';
import type { ExchangeFailure } from '../exchange.ts';
import type { ResponseParts } from '../response-state.ts';

/** Statuses of failures, by their code. All others are the upstream's: 502. Source: wire, Errors. */
const STATUSES: Readonly<Record<string, readonly [status: number, title: string]>> = {
  plugin_failed: [503, 'Service unavailable'],
  request_body_failed: [400, 'Bad request'],
  request_body_timeout: [408, 'Request timeout'],
  upstream_timeout: [504, 'Gateway timeout'],
};

/** How a client is told of a failure. */
export function problemResponse(failure: ExchangeFailure, requestId: string): Omit<ResponseParts, 'source'> {
  const [status, title] = STATUSES[failure.code] ?? [502, 'Bad gateway'];
  const problem = { type: 'about:blank', title, status, code: failure.code, request_id: requestId };
  const body = encodeBody(JSON.stringify(problem));
  const headers = ['content-type', 'application/problem+json', 'content-length', String(body.length)];
  return { status, headers, body };
}
