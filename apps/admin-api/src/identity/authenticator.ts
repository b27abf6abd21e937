import type { Database } from '../database/database.ts';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { LastUse } from './last-use.ts';
import type { Principal, UserPrincipal } from './principal.ts';
import type { Sessions } from './sessions.ts';
import { createTimedCache } from './timed-cache.ts';
import { isSameHash, type ParsedToken, parseToken } from './opaque-token.ts';
import { effectiveRole } from './team-roles.ts';
import { identityFamilies, type UserDirectory } from './user-directory.ts';

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

/** What is remembered of a stored token. */
interface KnownToken {
  readonly principal: Principal;
  readonly secretHash: unknown;
  readonly expiresAtMs: number;
  readonly record: StoredRecord;
}

/** An authenticator for user access tokens, admin API tokens and data-plane tokens. */
export function createAuthenticator(parts: AuthenticatorParts): Authenticator {
  const sessions = createTimedCache<UserPrincipal>(parts.monotonicMs);
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
      const user = await sessions.get(claims.sessionId, () => findUser(parts, claims.sessionId));
      return user?.id === claims.userId ? user : undefined;
    },
    forgetSessions() {
      sessions.clear();
    },
  };
}

async function findUser(parts: AuthenticatorParts, sessionId: string): Promise<UserPrincipal | undefined> {
  const session = await parts.sessions.findLive(parts.database.read, sessionId);
  const user = session && (await parts.users.ownerOf(session));
  if (!user) return undefined;
  const { id, username, tenantId } = user;
  const known = { kind: 'user', id, username, sessionId } as const;
  const impersonated = session?.impersonated_tenant_id ?? '';
  if (impersonated === '') {
    const role = await effectiveRole(parts.store, parts.database.read, user);
    return { ...known, role, tenantId: tenantId === '' ? undefined : tenantId };
  }
  const mayImpersonate = user.role === 'super_admin' && (await parts.users.isTenantActive(impersonated));
  if (!mayImpersonate) return undefined;
  return { ...known, role: 'admin', tenantId: impersonated, impersonation: { id: sessionId } };
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
