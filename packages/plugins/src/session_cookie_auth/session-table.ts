import { hash } from 'node:crypto';
import type { ConsumerIdentity, Exchange, HeaderEdit } from '@portcullis/plugin-runtime';
import { hasEvery } from '../shared/claims/scopes.ts';
import type { UpstreamHeaders } from '../shared/claims/upstream-headers.ts';
import { consumerOf } from '../shared/consumer-reference.ts';
import { identityFacts, type IdentityFacts } from '../shared/identity-facts.ts';
import { expiryMs } from '../shared/expiry-field.ts';
import type { Config, SessionEntry } from './config.ts';

/** A configured session, compiled. */
export interface Session {
  readonly consumer: string | undefined;
  readonly groups: readonly string[];
  readonly hasRequiredRoles: boolean;
  readonly facts: IdentityFacts;
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number;
  /** What the upstream is told of the session: always the same list. */
  readonly headers: () => readonly HeaderEdit[];
}

/** Sessions by the SHA-256 of their IDs. The IDs themselves are not kept. */
export type SessionTable = ReadonlyMap<string, Session>;

/** Compiles the sessions of a config. When an ID stands there twice, the first session counts; an ID alone counts last. */
export function compileSessions(
  { valid_sessions: sessions = [], valid_session_ids: ids = [], required_roles: roles = [] }: Config,
  upstreamHeaders: UpstreamHeaders,
): SessionTable {
  const table = new Map<string, Session>();
  for (const entry of [...sessions, ...ids.map((id): SessionEntry => ({ id }))]) {
    const { id, ...claims } = entry;
    const digest = hash('sha256', id);
    if (table.has(digest)) continue;
    table.set(digest, {
      consumer: entry.consumer,
      groups: entry.groups ?? [],
      hasRequiredRoles: hasEvery(entry.roles ?? [], roles),
      facts: identityFacts(entry),
      expiresAtMs: expiryMs(entry.expires_at),
      headers: once(() => upstreamHeaders.editsFor(claims)),
    });
  }
  return table;
}

/** Works a list out for who asks first: a config may have very many sessions, and most of them are not in use at a time. */
function once<Item>(make: () => readonly Item[]): () => readonly Item[] {
  let made: readonly Item[] | undefined;
  return () => (made ??= make());
}

/** Finds the session of an ID. Both sides are hashed first, so that the time it takes tells nothing about how much of a guess is right. */
export function findSession(table: SessionTable, id: string): Session | undefined {
  return table.get(hash('sha256', id));
}

/** Whose session it is, if it says so. The session's groups count like those of the consumer's record. */
export function identityOf(
  exchange: Exchange,
  { consumer, groups }: Session,
): ConsumerIdentity | 'disabled' | undefined {
  if (consumer === undefined) return undefined;
  const identity = consumerOf(exchange, consumer);
  if (identity === 'disabled') return identity;
  const more = groups.filter((group) => !identity.groups.includes(group));
  return more.length === 0 ? identity : { ...identity, groups: [...identity.groups, ...more] };
}
