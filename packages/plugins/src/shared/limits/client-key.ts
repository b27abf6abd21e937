import { hash } from 'node:crypto';
import type { Exchange } from '@portcullis/plugin-runtime';
import { clientNetwork } from '../client-network.ts';
import { limitByOf, type LIMIT_BY, type SCOPES } from './limit-fields.ts';

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
  readonly include_method?: boolean | undefined;
  readonly include_path?: boolean | undefined;
}

/** Gives the key under which a request is counted. */
export type ClientKey = (exchange: Exchange) => string;

/**
 * Compiles who is counted together. A client without what `limit_by` names (no consumer, no such header) is counted by its
 * address, apart from all others; see {@link clientNetwork}. Every part of a key says its kind or its length, so that nothing a
 * client sends can pose as something else, and instances that share counters mean the same by the same key.
 * Source: Kong's rate-limiting, from which the fields come.
 */
export function compileClientKey(config: ClientKeyFields): ClientKey {
  const limitBy = limitByOf(config);
  const identify = identifiers[limitBy];
  const place = places[config.scope];
  // What the kind needs: no kind needs both.
  const setting = config.header_name ?? config.path ?? '';
  const kind = limitBy === 'header' ? `header ${setting.toLowerCase()}` : limitBy;
  // What configurations name (consumers, services) is the same text each time: then so is the key, with its hash at hand.
  const isNamed = NAMED.has(limitBy);
  const known = new Map<string, string>();
  const whoOf: ClientKey = (exchange) => {
    const found = identify(exchange, setting);
    if (found === undefined || found === '') return `ip:${clientNetwork(exchange.request.clientIp)}`;
    const ready = known.get(found);
    if (ready !== undefined) return ready;
    const who = keyed(kind, found);
    if (isNamed && known.size < KNOWN_KEYS_MAX && found.length <= KEY_LENGTH_MAX) known.set(found, who);
    return who;
  };
  const parts: ClientKey[] = [];
  if (place !== undefined) parts.push((exchange) => sized(config.scope, place(exchange) ?? ''));
  if (config.include_method === true) parts.push(({ request }) => METHODS.get(request.method) ?? 'other ');
  if (config.include_path === true) parts.push(({ request }) => sized('path', request.path));
  if (parts.length === 0) return whoOf;
  return (exchange) => {
    let key = '';
    for (const part of parts) key += part(exchange);
    return key + whoOf(exchange);
  };
}

/** Methods that are told apart. All others are one, since a client may invent as many as it likes. Source: RFC 9110, 9; RFC 5789. */
const METHODS: ReadonlyMap<string, string> = new Map(
  ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'].map((name) => [name, `${name} `]),
);

/** What configurations name, and no client makes up. */
const NAMED: ReadonlySet<LimitBy> = new Set<LimitBy>(['consumer', 'consumer_group', 'credential', 'service', 'route']);

/** Keys that an instance keeps ready; those of further clients are put together for each request. */
const KNOWN_KEYS_MAX = 10_000;

const identifiers: Readonly<Record<LimitBy, (exchange: Exchange, setting: string) => string | undefined>> = {
  consumer: ({ consumer }) => consumer?.id,
  // A consumer of several groups counts in the first of its record: in one counter, as everybody else.
  consumer_group: ({ consumer }) => consumer?.groups[0],
  credential: ({ consumer }) => consumer?.credentialId ?? consumer?.id,
  ip: ({ request }) => clientNetwork(request.clientIp),
  service: ({ facts }) => facts.service?.id,
  route: ({ facts }) => facts.route?.id,
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
  consumer_group: ({ consumer }) => consumer?.groups[0],
};

/** A text with its kind. The last part of a key. */
function keyed(kind: string, text: string): string {
  return text.length <= KEY_LENGTH_MAX ? `${kind}:${text}` : `${kind}#${hash('sha256', text)}`;
}

/** A text with its kind and length, for what more follows. */
function sized(kind: string, text: string): string {
  return text.length <= KEY_LENGTH_MAX ? `${kind} ${text.length}:${text} ` : `${kind}#${hash('sha256', text)} `;
}
