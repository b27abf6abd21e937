import { systemActor } from '../resources/actor.ts';
import { inWriteSession, type WriteSessionParts } from '../resources/write-session.ts';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { type RandomBytes, randomText } from './opaque-token.ts';
import { hasSuperAdministrator } from './super-administrators.ts';
import { identityFamilies } from './user-directory.ts';

/** What the first administrator is made with. */
export interface FirstAdministratorParts extends WriteSessionParts {
  readonly store: ResourceStore;
  readonly hasher: PasswordHasher;
  readonly random: RandomBytes;
  readonly newId: () => string;
  readonly nowMs: () => number;
}

/** How a first administrator came to be. */
export interface FirstAdministrator {
  readonly username: string;
  /** Given when it was made up here: to be shown once. */
  readonly generatedPassword: string | undefined;
}

/** The name of the super administrator to make belongs to one who is disabled, and there is no other. */
export class AdministratorDisabledError extends Error {
  readonly code = 'administrator_disabled';

  constructor(username: string) {
    super(
      `the only super administrator "${username}" is disabled; ` +
        'PORTCULLIS_ADMIN_USERNAME with another name makes a new one, who can enable the old one',
    );
  }
}

/** Base 62: over 140 bits. */
const generatedPasswordLength = 24;

/**
 * Makes a super administrator when there is none. Of two replicas that start at once one makes it. The password is the
 * given one, or a made-up one. @returns nothing when a super administrator exists
 * @throws AdministratorDisabledError when the name belongs to one who is disabled
 */
export async function createFirstAdministrator(
  parts: FirstAdministratorParts,
  wanted: { readonly username: string; readonly password: string | undefined },
): Promise<FirstAdministrator | undefined> {
  if (await hasSuperAdministrator(parts.store, parts.database.read)) return undefined;
  const generatedPassword =
    wanted.password === undefined ? randomText(generatedPasswordLength, parts.random) : undefined;
  const passwordHash = await parts.hasher.hash(wanted.password ?? generatedPassword ?? '', '');
  const { result } = await inWriteSession(parts, '', systemActor('start'), async (session) => {
    // Another replica may have been here before the lock was ours.
    if (await hasSuperAdministrator(parts.store, session.transaction)) return undefined;
    const record = recordOf(parts, wanted.username, passwordHash);
    const key = { keyName: 'username', scope: '', value: wanted.username };
    const written = await parts.store.insert(session.transaction, { record, keys: [key], references: [] });
    if (!written.ok && written.conflict.kind === 'key_exists') throw new AdministratorDisabledError(wanted.username);
    if (!written.ok) throw new Error(`the first administrator could not be stored: ${written.conflict.kind}`);
    session.note(
      { family: identityFamilies.users, id: record.id, action: 'create', gateway_id: null },
      {
        action: 'create',
        entityType: 'user',
        entityId: record.id,
        after: { username: wanted.username, role: 'super_admin' },
      },
    );
    return record.id;
  });
  return result === undefined ? undefined : { username: wanted.username, generatedPassword };
}

function recordOf(parts: FirstAdministratorParts, username: string, passwordHash: string): StoredRecord {
  const now = parts.nowMs();
  return {
    tenantId: '',
    family: identityFamilies.users,
    id: parts.newId(),
    gatewayId: null,
    name: username,
    enabled: true,
    revision: 1,
    createdAtMs: now,
    updatedAtMs: now,
    body: { username, role: 'super_admin', enabled: true, labels: {}, password_hash: passwordHash },
    secrets: {},
    tenantRevision: 0,
  };
}
