import type { ExchangeParts, NamedRecord, RequestFacts } from '@portcullis/plugin-runtime';
import type { CompiledRoute, Generation } from '../configuration/generation.ts';
import type { ServerCall } from '../transport/server-transport.ts';
import type { HeldBody } from './held-body.ts';
import type { RequestHead } from './request-head.ts';

/** What plugins are told of a request. Without a head or a route (a refused request) the fields are empty. */
export function exchangeParts(
  named: { readonly requestId: string },
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
    headers: head?.pairs ?? [],
    clientIp: head?.clientIp ?? call.peerAddress,
  } as const;
  return {
    facts: new Facts(named, generation, route),
    request: body === undefined ? request : { ...request, readBody: body.read },
    consumers: generation?.consumers ?? nobody,
    recordSteps,
  };
}

/** The facts of a request. Its ID is made when a plugin asks for it. */
class Facts implements RequestFacts {
  readonly tenantId: string;
  readonly gateway: NamedRecord;
  declare readonly workspaceId?: string;
  declare readonly service?: NamedRecord;
  declare readonly route?: NamedRecord;
  readonly #named: { readonly requestId: string };

  constructor(
    named: { readonly requestId: string },
    generation: Generation | undefined,
    route: CompiledRoute | undefined,
  ) {
    this.#named = named;
    this.tenantId = generation?.tenantId ?? '';
    this.gateway = generation?.gateway ?? noGateway;
    if (generation?.workspaceId !== undefined) this.workspaceId = generation.workspaceId;
    if (route?.service !== undefined) this.service = route.service.record;
    if (route !== undefined) this.route = route.record;
  }

  get requestId(): string {
    return this.#named.requestId;
  }
}

const noGateway: NamedRecord = { id: '', name: '' };
const nobody = { findApiKey: () => undefined, findConsumer: () => undefined };
