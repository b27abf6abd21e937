import {
  noAiRecords,
  noConsumers,
  type ExchangeParts,
  type NamedRecord,
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
): ExchangeParts {
  const request = {
    method: call.method,
    scheme: call.encrypted ? 'https' : 'http',
    host: head?.host ?? '',
    authority: head?.authority ?? '',
    path: head?.path ?? '/',
    query: head?.query ?? '',
    strippedLength: route?.stripPath === true ? named.matchedLength : 0,
    headers: head?.pairs ?? [],
    clientIp: head?.clientIp ?? call.peerAddress,
    isFromTrustedPeer: head?.isFromTrustedPeer === true,
    isCopy: head !== undefined && hopsOf(head.hops).isCopy,
  } as const;
  return {
    facts: factsOf(named, generation, route),
    request: body === undefined ? request : { ...request, readBody: body.read },
    consumers: generation?.consumers ?? noConsumers,
    aiRecords: generation?.aiRecords ?? noAiRecords,
    recordSteps,
  };
}

/**
 * The facts of a request. Its ID is made when a plugin asks for it. Hooks of one request share the object, and requests share
 * the records in it, which the configuration has frozen: no plugin changes them for another.
 */
function factsOf(
  named: { readonly requestId: string },
  generation: Generation | undefined,
  route: CompiledRoute | undefined,
): RequestFacts {
  return Object.freeze({
    get requestId(): string {
      return named.requestId;
    },
    tenantId: generation?.tenantId ?? '',
    gateway: generation?.gateway ?? noGateway,
    workspaceId: generation?.workspaceId,
    service: route?.service?.record,
    route: route?.record,
  });
}

const noGateway: NamedRecord = Object.freeze({ id: '', name: '' });
