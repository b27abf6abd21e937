import type { Database } from '../database/database.ts';
import type { SessionRow } from '../database/tables.ts';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { LastUse } from './last-use.ts';
import type { Principal, UserPrincipal } from './principal.ts';
import type { Sessions } from './sessions.ts';
import { createTimedCache } from './timed-cache.ts';
import { isSameHash, type ParsedToken, parseToken } from './opaque-token.ts';
import { effectiveRole } from './team-roles.ts';
import { identityFamilies, type User, type UserDirectory } from './user-directory.ts';

/** Tells whose bearer token a request carries. */
export interface Authenticator {
  /** Nothing for a token that is malformed, unknown, expired or revoked, or whose user or tenant is not active. */
  authenticate(bearerToken: string): Promise<Principal | undefined>;
  /**
   * Looks up every session anew on this replica, after one has ended: impersonations end with it. Other replicas notice
   * within seconds.
   */
  forgetSessions(): void;
}

/** What an authenticator asks. */
export interface AuthenticatorParts {
  readonly database: Database;
  readonly store: ResourceStore;
  readonly accessTokens: AccessTokens;
  readonly sessions: Sessions;
  readonly users: UserDirectory;
  readonly lastUse: LastUse;
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
}

/** What is remembered of a session. */
interface KnownSession {
  readonly user: UserPrincipal;
  readonly expiresAtMs: number;
}

/** What is remembered of a stored token. */
interface KnownToken {
  readonly principal: Principal;
  readonly secretHash: unknown;
  readonly expiresAtMs: number;
  readonly record: StoredRecord;
}

/** An authenticator for user access tokens, admin API tokens and data-plane tokens. */
export function createAuthenticator(parts: AuthenticatorParts): Authenticator {
  const sessions = createTimedCache<KnownSession>(parts.monotonicMs);
  const tokens = createTimedCache<KnownToken>(parts.monotonicMs);
  // Users, tokens and tenants change with their tenant's revision, so a revoked one is refused at once on every replica
  // that hears of it; the cache's own time limit covers a notice that is lost.
  parts.database.subscribe(() => {
    sessions.clear();
    tokens.clear();
  });

  const byToken = async (text: string): Promise<Principal | undefined> => {
    const parsed = parseToken(text);
    if (!parsed || parsed.prefix === 'gwrt') return undefined;
    const known = await tokens.get(`${parsed.prefix}_${parsed.id}`, () => findToken(parts, parsed));
    if (!known || !isSameHash(parsed.secretHash, known.secretHash)) return undefined;
    // A time that cannot be read counts as past: NaN is above nothing.
    if (!(known.expiresAtMs > parts.nowMs())) return undefined;
    if (known.principal.kind === 'api_token') parts.lastUse.note(known.record.tenantId, known.record.id);
    return known.principal;
  };

  return {
    async authenticate(bearerToken) {
      if (bearerToken.startsWith('gw')) return byToken(bearerToken);
      const claims = await parts.accessTokens.verify(bearerToken);
      if (!claims) return undefined;
      const known = await sessions.get(claims.sessionId, () => findSession(parts, claims.sessionId));
      if (known?.user.id !== claims.userId || known.expiresAtMs <= parts.nowMs()) return undefined;
      return known.user;
    },
    forgetSessions() {
      sessions.clear();
    },
  };
}

async function findSession(parts: AuthenticatorParts, sessionId: string): Promise<KnownSession | undefined> {
  const session = await parts.sessions.findLive(parts.database.read, sessionId);
  const owner = session && (await parts.users.activeOwnerOf(session));
  if (!owner) return undefined;
  const tenantId = session.impersonated_tenant_id;
  const user = await (tenantId === '' ? userPrincipal(parts, owner, sessionId) : impersonator(parts, owner, session));
  return user && { user, expiresAtMs: session.expires_at };
}

async function userPrincipal(parts: AuthenticatorParts, user: User, sessionId: string): Promise<UserPrincipal> {
  const { id, username, tenantId } = user;
  const role = await effectiveRole(parts.store, parts.database.read, user);
  return { kind: 'user', id, username, role, tenantId: tenantId === '' ? undefined : tenantId, sessionId };
}

/** A super administrator inside the tenant that the session names, while both may be. */
async function impersonator(
  parts: AuthenticatorParts,
  { id, username, role }: User,
  session: SessionRow,
): Promise<UserPrincipal | undefined> {
  const tenantId = session.impersonated_tenant_id;
  if (role !== 'super_admin' || !(await parts.users.isTenantActive(tenantId))) return undefined;
  const impersonation = { id: session.id };
  return { kind: 'user', id, username, role: 'admin', tenantId, sessionId: session.id, impersonation };
}

async function findToken(parts: AuthenticatorParts, parsed: ParsedToken): Promise<KnownToken | undefined> {
  const family = parsed.prefix === 'gwadm' ? identityFamilies.apiTokens : identityFamilies.dataPlanes;
  const key = { keyName: 'token', scope: '', value: parsed.id };
  const record = await parts.store.findByKey(parts.database.read, family, key);
  if (!record?.enabled || !(await parts.users.isTenantActive(record.tenantId))) return undefined;
  const principal = parsed.prefix === 'gwadm' ? apiTokenPrincipal(record) : dataPlanePrincipal(record);
  const { expires_at: expiresAt, secret_hash: secretHash } = record.body;
  const expiresAtMs = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.POSITIVE_INFINITY;
  return { principal, secretHash, expiresAtMs, record };
}

function apiTokenPrincipal(record: StoredRecord): Principal {
  const scopes = Array.isArray(record.body['scopes']) ? record.body['scopes'].map(String) : [];
  const tenantId = record.tenantId === '' ? undefined : record.tenantId;
  return { kind: 'api_token', id: record.id, name: record.name ?? '', scopes, tenantId };
}

function dataPlanePrincipal(record: StoredRecord): Principal {
  const { gateway_id: gatewayId } = record.body;
  return {
    kind: 'data_plane',
    id: record.id,
    tenantId: record.tenantId,
    gatewayId: typeof gatewayId === 'string' ? gatewayId : '',
  };
}
