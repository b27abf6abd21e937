import { randomBytes } from 'node:crypto';
import type { AuditPort } from '../audits/audit-port.ts';
import type { RefusedActs } from '../audits/records/refused-acts.ts';
import type { Database } from '../database/database.ts';
import type { Operation } from '../http/operation.ts';
import type { Log } from '../logging.ts';
import type { RevisionPort } from '../revisions/revision-port.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { ResourceStates } from '../store/resource-states.ts';
import type { ResourceStore } from '../store/resource-store.ts';
import { createAccessTokens } from './access-tokens.ts';
import { authOperations } from './auth-operations.ts';
import { type Authenticator, createAuthenticator } from './authenticator.ts';
import { impersonationOperation } from './impersonation.ts';
import { createLastUse, type LastUse } from './last-use.ts';
import { createLogin } from './login.ts';
import { createLoginThrottle } from './login-throttle.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { createSessions } from './sessions.ts';
import { rotateAgedSigningKeys } from './rotate-signing-keys.ts';
import { rotateSigningKeysOperation } from './signing-key-operation.ts';
import { createSigningKeys, type SigningKeys } from './signing-keys.ts';
import { createTenantScope, type TenantScope } from './tenant-scope.ts';
import { createUserDirectory } from './user-directory.ts';

/** What identity is built on. */
export interface IdentityParts {
  readonly database: Database;
  readonly store: ResourceStore;
  readonly states: ResourceStates;
  readonly audit: AuditPort;
  /** Takes logins down that were refused. */
  readonly refusals: Pick<RefusedActs, 'note'>;
  readonly revisions: RevisionPort;
  readonly hasher: PasswordHasher;
  /** Seals the private signing keys. */
  readonly secrets: SecretBox;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** A clock that never goes back, in milliseconds, for what lasts a while. */
  readonly monotonicMs: () => number;
  readonly log: Log;
}

/** Who callers are and which tenant they may act on. */
export interface Identity {
  readonly authenticator: Authenticator;
  readonly tenantScope: TenantScope;
  readonly keys: SigningKeys;
  readonly lastUse: LastUse;
  /** Supersedes the signing key when it is too old. Call it from time to time. */
  readonly rotateAgedKeys: () => Promise<boolean>;
  readonly operations: readonly Operation[];
}

/** Builds identity from its parts. */
export function createIdentity(parts: IdentityParts): Identity {
  const { database, store, nowMs } = parts;
  const users = createUserDirectory(database, store);
  const sessions = createSessions(nowMs, randomBytes);
  const rotation = { ...parts, random: randomBytes };
  const keys = createSigningKeys(rotation);
  const accessTokens = createAccessTokens(keys, nowMs);
  const lastUse = createLastUse(parts);
  const authenticator = createAuthenticator({ ...parts, accessTokens, sessions, users, lastUse });
  const login = createLogin({ ...parts, users, sessions, throttle: createLoginThrottle(parts.monotonicMs) });
  const operations = [
    ...authOperations({ ...parts, login, sessions, users, accessTokens, keys, authenticator }),
    impersonationOperation({ ...parts, sessions, accessTokens }),
    rotateSigningKeysOperation(rotation),
  ];
  const tenantScope = createTenantScope(database, store);
  const rotateAgedKeys = (): Promise<boolean> => rotateAgedSigningKeys(rotation);
  return { authenticator, tenantScope, keys, lastUse, rotateAgedKeys, operations };
}
