import type { AuditPort } from '../audits/audit-port.ts';
import type { RefusedActs } from '../audits/records/refused-acts.ts';
import type { Database } from '../database/database.ts';
import type { RequestContext } from '../http/operation.ts';
import { challenge } from '../http/access.ts';
import { Problem } from '../http/problem.ts';
import type { Log } from '../logging.ts';
import type { LoginAttempt, LoginThrottle } from './login-throttle.ts';
import { HashQueueFullError, type PasswordCheck, type PasswordHasher } from './password-hasher.ts';
import { ownAct, refusedLogin } from './session-audits.ts';
import type { OpenSession, Sessions } from './sessions.ts';
import type { User, UserDirectory } from './user-directory.ts';

/** What a login needs. */
export interface LoginParts {
  readonly database: Database;
  readonly users: UserDirectory;
  readonly hasher: PasswordHasher;
  readonly sessions: Sessions;
  readonly throttle: LoginThrottle;
  readonly audit: AuditPort;
  readonly refusals: Pick<RefusedActs, 'note'>;
  readonly log: Log;
}

/** What someone who logs in sends. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
  readonly tenant_id?: string | undefined;
}

/** Checks credentials and opens a session. */
export type Login = (credentials: Credentials, request: RequestContext) => Promise<OpenSession>;

/**
 * Logs in. A wrong password, an unknown user, an ambiguous name, a disabled user and an inactive tenant get one and the
 * same answer after the same work. Attempts are counted before anything is hashed; a successful one is given back.
 * Source: wire contract, Users, tokens, tenants.
 */
export function createLogin(parts: LoginParts): Login {
  const decoy = parts.hasher.decoy();
  return async (credentials, request) => {
    const tenantId = credentials.tenant_id === '' ? undefined : credentials.tenant_id;
    const attempt = { tenantId: tenantId ?? '', username: credentials.username, address: request.sourceIp };
    const waitMs = parts.throttle.attempt(attempt);
    if (waitMs > 0) throw throttled(waitMs);
    const { user, matches, needsRehash } = await checked(parts, credentials, { tenantId, attempt, decoy });
    if (!user?.isActive || !matches) {
      noteRefusal(parts, user, matches, request);
      throw refused();
    }
    parts.throttle.succeeded(attempt);
    const open = await openSession(parts, user, request);
    if (needsRehash) await rehash(parts, user, credentials.password);
    return open;
  };
}

/**
 * Leaves a line and an audit record that say which account is being tried. What was typed is not in them: people type
 * passwords into the wrong field. So an unknown name has no line but the request's.
 */
function noteRefusal(
  { log, refusals }: Pick<LoginParts, 'log' | 'refusals'>,
  user: User | undefined,
  matches: boolean,
  request: RequestContext,
): void {
  if (!user) return;
  const reason = matches ? 'inactive' : 'wrong_password';
  const { id: user_id, tenantId: tenant_id } = user;
  refusals.note(refusedLogin(user, reason, request));
  log.warn(
    { request_id: request.requestId, source_ip: request.sourceIp, user_id, tenant_id, reason },
    'a login was refused',
  );
}

/** Who was meant, and whether the password is theirs. An attempt that breaks off has found nothing out and does not count. */
async function checked(
  parts: LoginParts,
  { username, password }: Credentials,
  { tenantId, attempt, decoy }: { tenantId: string | undefined; attempt: LoginAttempt; decoy: string },
): Promise<PasswordCheck & { readonly user: User | undefined }> {
  try {
    const user = await parts.users.findByName(username, tenantId);
    // A hash that nothing matches costs an unknown user as much time as a known one.
    const check = await parts.hasher.verify(password, user?.passwordHash ?? decoy, attempt.address);
    return { ...check, user };
  } catch (error) {
    parts.throttle.brokeOff(attempt);
    throw error;
  }
}

/** Hashes at today's cost while the password is at hand; when there is no room for that, a later login does. */
async function rehash(parts: LoginParts, user: User, password: string): Promise<void> {
  try {
    await parts.users.replaceHash(user, await parts.hasher.hash(password, user.tenantId));
  } catch (error) {
    if (!(error instanceof HashQueueFullError)) throw error;
  }
}

/** The one answer to a login, refresh or logout that is not let in. */
export function refused(): Problem {
  return new Problem(
    'unauthenticated',
    'The credentials are not valid; a name that several tenants use needs tenant_id',
    { headers: challenge() },
  );
}

function openSession(parts: LoginParts, user: User, request: RequestContext): Promise<OpenSession> {
  return parts.database.transaction(async (transaction) => {
    // The password may have been changed while the old one was being checked.
    if (!(await parts.users.isUnchanged(transaction, user))) throw refused();
    const open = await parts.sessions.open(transaction, user);
    await parts.audit.append(transaction, [ownAct('login', open.session, user, request)]);
    return open;
  });
}

function throttled(waitMs: number): Problem {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new Problem('rate_limited', `Too many failed logins; try again in ${seconds} s`, {
    headers: { 'retry-after': String(seconds) },
  });
}
