import type { ProtocolRule } from '../configuration/protocol-rule.ts';
import type { ServerCall } from '../transport/server-transport.ts';
import type { GatewayProblem } from './problems.ts';
import type { RequestHead } from './request-head.ts';

/** What is asked of a request. */
type RequestFacts = Pick<RequestHead, 'host' | 'path' | 'query' | 'encrypted' | 'upgrade' | 'pairs'>;

/**
 * Why a route does not take a request that is its own by everything but the protocol; `undefined` when it does.
 * Source: wire contract, Gateways, services, routes; RFC 9110, 15.5.22 and 7.8; Kong's answers to what is no gRPC.
 */
export function protocolProblem(
  rule: ProtocolRule,
  head: RequestFacts,
  { httpVersion }: Pick<ServerCall, 'httpVersion'>,
): GatewayProblem | undefined {
  const isHttp2 = httpVersion === '2';
  const kind = head.upgrade !== undefined ? 'webSocket' : isHttp2 && hasGrpcType(head.pairs) ? 'grpc' : 'plain';
  const taking = rule[kind];
  // Where nothing is taken in cleartext, the other protocol is not the first thing that is missing.
  if (!head.encrypted && (taking === 'tls' || wantsTls(rule)))
    return httpsRequired(rule.cleartextStatus, head, isHttp2);
  if (taking !== 'none') return undefined;
  if (rule.grpc === 'none') return webSocketRequired(isHttp2);
  return isHttp2 ? notGrpc : http2Required;
}

function wantsTls({ plain, webSocket, grpc }: ProtocolRule): boolean {
  return plain !== 'any' && webSocket !== 'any' && grpc !== 'any';
}

function hasGrpcType(pairs: readonly string[]): boolean {
  for (let at = 0; at < pairs.length; at += 2) {
    if (pairs[at]?.toLowerCase() === 'content-type') return pairs[at + 1]?.toLowerCase().startsWith(grpcType) === true;
  }
  return false;
}

const grpcType = 'application/grpc';

/** A redirect to the same place over https, or 426 where it cannot be said where that is. */
function httpsRequired(status: number, { host, path, query }: RequestFacts, isHttp2: boolean): GatewayProblem {
  const problem = { code: 'https_required', detail: 'this route is served over TLS only' };
  if (status === 426 || host === '') {
    return { ...problem, status: 426, headers: upgradeTo('TLS/1.2, HTTP/1.1', isHttp2) };
  }
  return { ...problem, status, headers: ['location', `https://${host}${path}${query === '' ? '' : `?${query}`}`] };
}

function webSocketRequired(isHttp2: boolean): GatewayProblem {
  const detail = 'this route takes WebSocket connections only';
  return { status: 426, code: 'websocket_required', detail, headers: upgradeTo('websocket', isHttp2) };
}

/** HTTP/2 has no such fields: RFC 9113, section 8.2.2. */
function upgradeTo(protocol: string, isHttp2: boolean): readonly string[] {
  return isHttp2 ? [] : ['upgrade', protocol, 'connection', 'upgrade'];
}

const http2Required: GatewayProblem = {
  status: 426,
  code: 'http2_required',
  detail: 'this route takes gRPC only, which comes in HTTP/2',
  headers: upgradeTo('HTTP/2.0', false),
};

const notGrpc: GatewayProblem = {
  status: 415,
  code: 'not_grpc',
  detail: 'this route takes gRPC only: the content type is application/grpc',
};
