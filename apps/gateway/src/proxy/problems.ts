import { STATUS_CODES } from 'node:http';
import type { ExchangeState } from '@portcullis/plugin-runtime';

/** Why the gateway itself answers a request. `status` goes to the client, `code` into the body and to error hooks. */
export interface GatewayProblem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  /** Whether the connection is closed after it: its framing may be in doubt. */
  readonly close?: boolean;
  /** Further fields of the answer, name and value by turns. */
  readonly headers?: readonly string[];
}

/** The problems of the proxy. Source: wire contract, Errors; Value forms, Routes. */
export const problems = {
  malformedTarget: { status: 400, code: 'malformed_request', detail: 'the request target is malformed', close: true },
  malformedHost: {
    status: 400,
    code: 'malformed_request',
    detail: 'there must be exactly one valid host',
    close: true,
  },
  encodedSlash: { status: 400, code: 'refused_path', detail: 'the path must not contain an encoded slash' },
  hostMismatch: {
    status: 400,
    code: 'malformed_request',
    detail: 'the host of the request target and the host header differ',
    close: true,
  },
  unknownVersion: {
    status: 505,
    code: 'malformed_request',
    detail: 'only HTTP/1.0 and HTTP/1.1 are known',
    close: true,
  },
  oldFraming: { status: 400, code: 'malformed_request', detail: 'HTTP/1.0 has no transfer coding', close: true },
  unknownLength: { status: 400, code: 'malformed_request', detail: 'the length is no length', close: true },
  unknownCoding: {
    status: 501,
    code: 'not_implemented',
    detail: 'only the chunked transfer coding is known',
    close: true,
  },
  unknownExpectation: {
    status: 417,
    code: 'expectation_failed',
    detail: 'only the expectation 100-continue is known',
    close: true,
  },
  foreignUpgrade: {
    status: 501,
    code: 'not_implemented',
    detail: 'connections can be switched to websocket and to no other protocol',
    close: true,
  },
  malformedUpgrade: {
    status: 400,
    code: 'malformed_request',
    detail: 'an upgrade to websocket is a GET of HTTP/1.1 without a body, and not pipelined',
    close: true,
  },
  noUpgrade: { status: 501, code: 'not_implemented', detail: 'the service does not take WebSocket connections' },
  overloaded: {
    status: 503,
    code: 'overloaded',
    detail: 'the gateway has more requests than it can serve',
    headers: ['retry-after', '1'],
  },
  requestTooLarge: {
    status: 413,
    code: 'body_too_large',
    detail: 'the body is larger than this route may hold back',
    close: true,
  },
  requestNotHeld: {
    status: 503,
    code: 'held_bodies_full',
    detail: 'the gateway holds as many bodies as it may',
    close: true,
    headers: ['retry-after', '1'],
  },
  requestTooSlow: {
    status: 408,
    code: 'request_body_timeout',
    detail: 'the request body came too slowly to be held while others wait for room',
    close: true,
  },
  answerTooSlow: {
    status: 504,
    code: 'upstream_timeout',
    detail: "the upstream's answer came too slowly to be held while others wait for room",
  },
  answerNotHeld: {
    status: 502,
    code: 'held_bodies_full',
    detail: "the gateway holds as many bodies as it may, and the upstream's answer would be one more",
  },
  answerTooLarge: {
    status: 502,
    code: 'answer_too_large',
    detail: "the upstream's answer is larger than this route may hold back",
  },
  loop: {
    status: 508,
    code: 'loop_detected',
    detail: 'the request has come through the gateway too often: a destination leads back to it',
  },
  misdirected: {
    status: 421,
    code: 'misdirected_request',
    detail:
      'clients of this host are asked for other certificates than this connection was: ask on a connection of its own',
  },
  noRoute: { status: 404, code: 'no_route', detail: 'no route matched' },
  noConfiguration: { status: 503, code: 'not_ready', detail: 'the gateway has no configuration yet' },
  noService: { status: 503, code: 'no_service', detail: 'the route leads to no service' },
  noTarget: { status: 503, code: 'no_target', detail: 'the upstream has no target' },
  packageMissing: { status: 503, code: 'plugin_missing', detail: 'a plugin that this gateway does not have' },
  pluginFailed: { status: 503, code: 'plugin_failed', detail: 'a plugin failed' },
  internal: { status: 500, code: 'internal', detail: 'the gateway failed' },
} as const satisfies Record<string, GatewayProblem>;

const statusOfFailure: Readonly<Record<string, number>> = {
  upstream_connect_timeout: 504,
  upstream_timeout: 504,
  upstream_busy: 503,
  request_body_failed: 400,
  request_body_timeout: 408,
  request_not_sendable: 500,
};

/** What the client is told of an upstream's failure. */
export function problemOfFailure(failure: { readonly code: string; readonly message: string }): GatewayProblem {
  const problem = { status: statusOfFailure[failure.code] ?? 502, code: failure.code, detail: failure.message };
  // What the client still sends of its body is not waited for.
  return failure.code === 'request_body_timeout' ? { ...problem, close: true } : problem;
}

/** Why a stage of hooks, or a plugin that answers, failed: a plugin did, or whoever sends a body that one was reading. */
export function problemOfStage(state: ExchangeState | undefined): GatewayProblem {
  const failure = state?.hasFailed === true ? state.failure : undefined;
  if (failure === undefined || failure.code === problems.pluginFailed.code) return problems.pluginFailed;
  return problemOfFailure(failure);
}

/** Headers and body of a problem. Whether the connection is closed is the transport's to say. */
export function renderProblem(
  problem: GatewayProblem,
  requestId: string,
): { readonly headers: string[]; readonly body: string } {
  const body = JSON.stringify({
    type: `https://portcullis.dev/problems/${problem.code.replaceAll('_', '-')}`,
    title: STATUS_CODES[problem.status] ?? 'Error',
    status: problem.status,
    detail: problem.detail,
    code: problem.code,
    request_id: requestId,
  });
  return { headers: ['content-type', 'application/problem+json', ...(problem.headers ?? [])], body };
}
