import {
  noAiRecords,
  noConsumers,
  type ExchangeParts,
  type NamedRecord,
  type RequestParts,
  type RequestFacts,
} from '@portcullis/plugin-runtime';
import type { CompiledRoute, Generation } from '../configuration/generation.ts';
import type { ServerCall } from '../transport/server-transport.ts';
import type { HeldBody } from './held-body.ts';
import { hopsOf } from './hop-count.ts';
import type { RequestHead } from './request-head.ts';

/** The request, and when it came. */
interface ToldExchange {
  readonly requestId: string;
  readonly matchedLength: number;
  readonly call: ServerCall;
  readonly route: CompiledRoute | undefined;
  readonly head: RequestHead | undefined;
  readonly isRecorded: boolean;
  readonly startedMs: number;
}

/** What plugins are told of a request. Without a head or a route (a refused request) the fields are empty. */
export function exchangeParts(
  exchange: ToldExchange,
  generation: Generation | undefined,
  body: HeldBody | undefined,
): ExchangeParts {
  const { call, route, head, startedMs } = exchange;
  const request: RequestParts = {
    method: call.method,
    scheme: call.connection.encrypted ? 'https' : 'http',
    host: head?.host ?? '',
    authority: head?.authority ?? '',
    path: head?.path ?? '/',
    query: head?.query ?? '',
    strippedLength: route?.stripPath === true ? exchange.matchedLength : 0,
    headers: head?.pairs ?? [],
    clientIp: head?.clientIp ?? call.connection.peerAddress,
    isFromTrustedPeer: head?.isFromTrustedPeer === true,
    peerCertificates: call.connection.clientCertificates,
    isPeerVerified: call.connection.isClientVerified,
    isCopy: head !== undefined && hopsOf(head.hops).isCopy,
    peerClaims: claimsOf(head?.claims),
    readBody: body?.read,
  };
  return {
    facts: factsOf(exchange, generation, route),
    request,
    consumers: generation?.consumers ?? noConsumers,
    aiRecords: generation?.aiRecords ?? noAiRecords,
    recordSteps: exchange.isRecorded,
    startedMs,
  };
}

/**
 * The facts of a request. Hooks of one request share the object, and requests share the records in it, which the configuration has frozen:
 * no plugin changes them for another. To make the ID costs a third of what a getter for it does in an object that is frozen.
 */
function factsOf(
  named: { readonly requestId: string },
  generation: Generation | undefined,
  route: CompiledRoute | undefined,
): RequestFacts {
  return Object.freeze({
    requestId: named.requestId,
    tenantId: generation?.tenantId ?? '',
    gateway: generation?.gateway ?? noGateway,
    workspaceId: generation?.workspaceId,
    service: route?.service?.record,
    route: route?.record,
  });
}

function claimsOf(claims: readonly string[] | undefined): RequestParts['peerClaims'] {
  return claims === undefined ? undefined : () => claims;
}

const noGateway: NamedRecord = Object.freeze({ id: '', name: '' });
