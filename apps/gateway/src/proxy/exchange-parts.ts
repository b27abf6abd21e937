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

/** What plugins are told of a request. Without a head or a route (a refused request) the fields are empty. */
export function exchangeParts(
  named: { readonly requestId: string; readonly matchedLength: number },
  call: ServerCall,
  generation: Generation | undefined,
  route: CompiledRoute | undefined,
  head: RequestHead | undefined,
  body: HeldBody | undefined,
  recordSteps: boolean,
  startedMs: number,
): ExchangeParts {
  const request: RequestParts = {
    method: call.method,
    scheme: call.connection.encrypted ? 'https' : 'http',
    host: head?.host ?? '',
    authority: head?.authority ?? '',
    path: head?.path ?? '/',
    query: head?.query ?? '',
    strippedLength: route?.stripPath === true ? named.matchedLength : 0,
    headers: head?.pairs ?? [],
    clientIp: head?.clientIp ?? call.connection.peerAddress,
    isFromTrustedPeer: head?.isFromTrustedPeer === true,
    isCopy: head !== undefined && hopsOf(head.hops).isCopy,
    ...(head?.claims === undefined ? undefined : claimsOf(head.claims)),
    readBody: body?.read,
  };
  return {
    facts: factsOf(named, generation, route),
    request,
    consumers: generation?.consumers ?? noConsumers,
    aiRecords: generation?.aiRecords ?? noAiRecords,
    recordSteps,
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

function claimsOf(claims: readonly string[]): Pick<RequestParts, 'peerClaims'> {
  return { peerClaims: () => claims };
}

const noGateway: NamedRecord = Object.freeze({ id: '', name: '' });
