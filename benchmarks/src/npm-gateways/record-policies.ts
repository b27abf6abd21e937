import type { IncomingMessage, ServerResponse } from 'node:http';
import { consumerOf, countRequest } from '../peers/minimal-policies.ts';
import { apiKey, headerEdits, rateLimit } from '../peers/terms.ts';

/** Headers as gateways of npm hand them to hooks. */
export type HeaderRecord = Record<string, unknown>;

/** The policies as functions on objects, for gateways whose hooks get objects. */
export interface RecordPolicies {
  /**
   * Key authentication and rate limit; on the way to the upstream the edits of the request's headers.
   * @returns what is left of the limit; `undefined` when the request was refused and answered
   */
  admit(request: IncomingMessage, response: ServerResponse): number | undefined;
  /** The edits of the answer's headers, in place. */
  editAnswer(headers: HeaderRecord, left: number): void;
}

/** One set of policies for one process. */
export const recordPolicies: RecordPolicies = {
  admit(request, response) {
    const consumer = consumerOf(request.headers[apiKey.header]);
    if (consumer === undefined) {
      response.writeHead(401).end();
      return undefined;
    }
    const left = countRequest(consumer, Date.now());
    if (left < 0) {
      response.writeHead(429).end();
      return undefined;
    }
    editRequestRecord(request.headers);
    return left;
  },
  editAnswer(headers, left) {
    const { set, remove } = headerEdits.response;
    delete headers[remove];
    headers[set[0]] = set[1];
    headers['ratelimit-limit'] = `${rateLimit.requests}`;
    headers['ratelimit-remaining'] = `${left}`;
  },
};

/** The edits of a request's headers, in place. */
export function editRequestRecord(headers: HeaderRecord): void {
  const { set, remove } = headerEdits.request;
  delete headers[remove];
  headers[set[0]] = set[1];
}
