import { hash } from 'node:crypto';
import type { Exchange } from '@portcullis/plugin-runtime';
import { clientNetwork } from '../client-network.ts';
import type { LIMIT_BY, SCOPES } from './limit-fields.ts';

/** Texts longer than this are counted by their hash, so that a client cannot fill the memory with long header values. */
export const KEY_LENGTH_MAX = 128;

/** What `limit_by` and `scope` can be. */
export type LimitBy = (typeof LIMIT_BY)[number];
export type LimitScope = (typeof SCOPES)[number];

/** The fields of a config that say who is counted together. */
export interface ClientKeyFields {
  readonly limit_by?: LimitBy | undefined;
  readonly identifier?: LimitBy | undefined;
  readonly header_name?: string | undefined;
  readonly path?: string | undefined;
  readonly scope: LimitScope;
}

/** Gives the key under which a request is counted. */
export type ClientKey = (exchange: Exchange) => string;

/**
 * Compiles who is counted together. A client without what `limit_by` names (no consumer, no such header) is counted by its
 * address, apart from all others; see {@link clientNetwork}. Keys begin with their kind, so that a header cannot pose as an address.
 * Source: Kong's rate-limiting, from which the fields come.
 */
export function compileClientKey(config: ClientKeyFields): ClientKey {
  const limitBy = config.limit_by ?? config.identifier ?? 'consumer';
  const identify = identifiers[limitBy];
  const place = places[config.scope];
  // What the kind needs: no kind needs both.
  const setting = config.header_name ?? config.path ?? '';
  // What configurations name (consumers, services) is the same text each time: then so is the key, with its hash at hand.
  const isNamed = limitBy === 'consumer' || limitBy === 'credential' || limitBy === 'service';
  const known = new Map<string, string>();
  return (exchange) => {
    const found = identify(exchange, setting);
    let who: string | undefined;
    if (found === undefined || found === '') who = `ip:${clientNetwork(exchange.request.clientIp)}`;
    else if ((who = known.get(found)) === undefined) {
      who = `${limitBy}:${bounded(found)}`;
      if (isNamed && known.size < KNOWN_KEYS_MAX && found.length <= KEY_LENGTH_MAX) known.set(found, who);
    }
    return place === undefined ? who : `${place(exchange) ?? ''} ${who}`;
  };
}

/** Keys that an instance keeps ready; those of further clients are put together for each request. */
const KNOWN_KEYS_MAX = 10_000;

const identifiers: Readonly<Record<LimitBy, (exchange: Exchange, setting: string) => string | undefined>> = {
  consumer: ({ consumer }) => consumer?.id,
  credential: ({ consumer }) => consumer?.credentialId ?? consumer?.id,
  ip: ({ request }) => clientNetwork(request.clientIp),
  service: ({ facts }) => facts.service?.id,
  header: ({ request }, header) => request.headers.get(header),
  path: ({ request }, path) => (path === '' || request.path === path ? request.path : undefined),
};

const places: Readonly<Record<LimitScope, ((exchange: Exchange) => string | undefined) | undefined>> = {
  global: undefined,
  tenant: undefined,
  gateway: ({ facts }) => facts.gateway.id,
  workspace: ({ facts }) => facts.workspaceId,
  service: ({ facts }) => facts.service?.id,
  route: ({ facts }) => facts.route?.id,
  consumer: ({ consumer }) => consumer?.id,
};

function bounded(text: string): string {
  return text.length <= KEY_LENGTH_MAX ? text : hash('sha256', text);
}
