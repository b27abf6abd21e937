import type { Transaction } from 'kysely';
import type { Executor } from '../database/database.ts';
import type { SessionRow, Tables } from '../database/tables.ts';
import { accessTokenSeconds } from './access-tokens.ts';
import { isSameHash, mintToken, type RandomBytes } from './opaque-token.ts';
import { firstRefreshToken, nextRefreshToken, parseRefreshToken, type RefreshToken } from './refresh-token.ts';

/** A login that is not used is over after a week, and any login after thirty days. */
export const sessionLifetimes = { idleMs: 7 * 86_400_000, totalMs: 30 * 86_400_000 } as const;

/** An impersonation is over when its only access token is: it cannot be prolonged. */
export const impersonationLifetimeMs: number = accessTokenSeconds * 1000;

/** A live login and the refresh token that is good from now on. */
export interface OpenSession {
  readonly session: SessionRow;
  readonly refreshToken: string;
}

/** What became of a refresh token that was to be exchanged. */
export type Exchange =
  | { readonly outcome: 'exchanged'; readonly open: OpenSession }
  /** It was exchanged before, so somebody stole it or its successor: this revoked the session. */
  | { readonly outcome: 'reused'; readonly session: SessionRow }
  /** It was never issued, or its session is over. Nothing changed. */
  | { readonly outcome: 'refused' };

/** Logins in the table `sessions`. The refresh token's public part is the session's ID. */
export interface Sessions {
  open(
    transaction: Transaction<Tables>,
    user: { readonly tenantId: string; readonly id: string; readonly createdAtMs: number },
  ): Promise<OpenSession>;
  /** Begins an impersonation under a super administrator's login. It has no refresh token. */
  openImpersonation(
    transaction: Transaction<Tables>,
    user: { readonly id: string; readonly sessionId: string },
    tenantId: string,
  ): Promise<SessionRow>;
  /** The session, live or not, that a refresh token was issued for, now or earlier. No impersonation has one. */
  findByRefreshToken(executor: Executor, refreshToken: string): Promise<SessionRow | undefined>;
  /** A session that is neither revoked nor over, and whose parent is not either. */
  findLive(executor: Executor, sessionId: string): Promise<SessionRow | undefined>;
  /** Exchanges a refresh token for a new one. One that was exchanged before revokes the session. */
  rotate(transaction: Transaction<Tables>, refreshToken: string): Promise<Exchange>;
  /**
   * Ends the session of its present refresh token.
   * @returns whether it was still there to be ended; nothing for any other token
   */
  end(transaction: Transaction<Tables>, refreshToken: string): Promise<{ readonly wasOpen: boolean } | undefined>;
}

/** Sessions over a clock and a source of randomness. */
export function createSessions(nowMs: () => number, random: RandomBytes): Sessions {
  const sessions: Sessions = {
    async open(transaction, user) {
      const now = nowMs();
      const { token, id, familyHash, secretHash } = firstRefreshToken(random);
      const session: SessionRow = {
        id,
        user_tenant_id: user.tenantId,
        user_id: user.id,
        family_hash: familyHash,
        refresh_hash: secretHash,
        // A replica whose clock is behind must not date a login before its user.
        created_at: Math.max(now, user.createdAtMs),
        expires_at: now + sessionLifetimes.idleMs,
        revoked_at: null,
        impersonated_tenant_id: '',
        parent_session_id: '',
      };
      await transaction.deleteFrom('sessions').where('expires_at', '<', now).execute();
      await transaction.insertInto('sessions').values(session).execute();
      return { session, refreshToken: token };
    },
    async openImpersonation(transaction, { id: userId, sessionId }, tenantId) {
      const now = nowMs();
      const session: SessionRow = {
        id: mintToken('gwrt', { random }).id,
        user_tenant_id: '',
        user_id: userId,
        family_hash: '',
        refresh_hash: '',
        created_at: now,
        expires_at: now + impersonationLifetimeMs,
        revoked_at: null,
        impersonated_tenant_id: tenantId,
        parent_session_id: sessionId,
      };
      await transaction.insertInto('sessions').values(session).execute();
      return session;
    },
    async findByRefreshToken(executor, refreshToken) {
      const parsed = parseRefreshToken(refreshToken);
      const session = parsed && (await find(executor, parsed.id));
      // The ID stands in audit records: whoever reads them must not end a login with a token made of it.
      return session && isSameHash(parsed.familyHash, session.family_hash) ? session : undefined;
    },
    async findLive(executor, sessionId) {
      const session = await find(executor, sessionId);
      if (!session || !isLive(session, nowMs())) return undefined;
      if (session.parent_session_id === '') return session;
      return (await sessions.findLive(executor, session.parent_session_id)) && session;
    },
    async rotate(transaction, refreshToken) {
      const parsed = parseRefreshToken(refreshToken);
      const session = await sessions.findByRefreshToken(transaction, refreshToken);
      if (!parsed || !session || !isLive(session, nowMs())) return { outcome: 'refused' };
      if (isSameHash(parsed.secretHash, session.refresh_hash)) {
        const open = await exchange(transaction, session, nextRefreshToken(parsed, random), nowMs());
        if (open) return { outcome: 'exchanged', open };
      }
      // Of several at once only the first one finds something to revoke.
      const isRevoked = await revoke(transaction, session.id, nowMs());
      return isRevoked ? { outcome: 'reused', session } : { outcome: 'refused' };
    },
    async end(transaction, refreshToken) {
      const session = await sessions.findByRefreshToken(transaction, refreshToken);
      const secretHash = parseRefreshToken(refreshToken)?.secretHash ?? '';
      if (!session || !isSameHash(secretHash, session.refresh_hash)) return undefined;
      return { wasOpen: await revoke(transaction, session.id, nowMs()) };
    },
  };
  return sessions;
}

/** Ends every login of a user: of one that is deleted, or whose password changed. */
export async function endSessionsOf(
  transaction: Transaction<Tables>,
  user: { readonly tenantId: string; readonly id: string },
): Promise<void> {
  await transaction
    .deleteFrom('sessions')
    .where('user_tenant_id', '=', user.tenantId)
    .where('user_id', '=', user.id)
    .execute();
}

function isLive(session: SessionRow, now: number): boolean {
  return session.revoked_at === null && session.expires_at > now;
}

/** @returns whether it was not revoked before */
async function revoke(transaction: Transaction<Tables>, id: string, now: number): Promise<boolean> {
  const live = transaction.updateTable('sessions').where('id', '=', id).where('revoked_at', 'is', null);
  const result = await live.set({ revoked_at: now }).executeTakeFirst();
  return Number(result.numUpdatedRows) === 1;
}

function find(executor: Executor, id: string): Promise<SessionRow | undefined> {
  return executor.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Swaps the hash if nobody did so in between; of two exchanges at once only one succeeds. */
async function exchange(
  transaction: Transaction<Tables>,
  session: SessionRow,
  { token, secretHash }: RefreshToken,
  now: number,
): Promise<OpenSession | undefined> {
  const expiresAt = Math.min(now + sessionLifetimes.idleMs, session.created_at + sessionLifetimes.totalMs);
  const result = await transaction
    .updateTable('sessions')
    .set({ refresh_hash: secretHash, expires_at: expiresAt })
    .where('id', '=', session.id)
    .where('refresh_hash', '=', session.refresh_hash)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  const isMine = Number(result.numUpdatedRows) === 1;
  return isMine
    ? { session: { ...session, refresh_hash: secretHash, expires_at: expiresAt }, refreshToken: token }
    : undefined;
}
