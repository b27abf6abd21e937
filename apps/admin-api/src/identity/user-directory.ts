import type { Transaction } from 'kysely';
import type { Database, Executor } from '../database/database.ts';
import { traitsOf } from '../database/dialect-traits.ts';
import type { SessionRow, Tables } from '../database/tables.ts';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';
import type { Role } from './principal.ts';

/** Names of the families and fields that identity rests on. Records of them are written by the generic engine. */
export const identityFamilies = {
  users: 'users',
  tenants: 'tenants',
  apiTokens: 'api-tokens',
  dataPlanes: 'data-planes',
  teams: 'teams',
} as const;

/** A user as identity sees it. `tenantId` is empty for a super administrator without a tenant. */
export interface User {
  readonly id: string;
  readonly tenantId: string;
  readonly username: string;
  readonly role: Role;
  readonly passwordHash: string;
  /** Tells the user from a later one with the same ID. */
  readonly createdAtMs: number;
  /** The user is enabled, and so is the tenant: may log in. */
  readonly isActive: boolean;
}

/** Finds users and what they depend on. */
export interface UserDirectory {
  /**
   * By name within a tenant, or else among those outside all tenants: a super administrator may name the tenant to work on,
   * and is not active where there is no such tenant. Without a tenant only when a single user, or a super administrator,
   * has the name.
   */
  findByName(username: string, tenantId: string | undefined): Promise<User | undefined>;
  /** The user whose login a session is, active or not; a later user with the same ID is another. */
  ownerOf(session: SessionRow): Promise<User | undefined>;
  /** The same, but only one who is active. */
  activeOwnerOf(session: SessionRow): Promise<User | undefined>;
  /** Whether a user may still open a session with the password that was checked; holds until the transaction ends. */
  isUnchanged(transaction: Transaction<Tables>, user: User): Promise<boolean>;
  /** Puts a hash of the same password in the place of the one that `user` was read with. No change of the record. */
  replaceHash(user: User, passwordHash: string): Promise<void>;
  /** Whether a tenant's users and tokens are let in. The empty tenant is the system's own and always is. */
  isTenantActive(tenantId: string): Promise<boolean>;
}

/** A directory over the resource store. */
export function createUserDirectory(database: Database, store: ResourceStore): UserDirectory {
  const directory: UserDirectory = {
    async findByName(username, tenantId) {
      const scope = tenantId ?? (await onlyScope(database.read, username));
      if (scope === undefined) return undefined;
      const inScope = (place: string) =>
        store.findByKey(database.read, identityFamilies.users, { keyName: 'username', scope: place, value: username });
      const own = await userOf(await inScope(scope), directory);
      if (own || scope === '') return own;
      const outsider = await userOf(await inScope(''), directory);
      const tenant = await store.get(database.read, '', identityFamilies.tenants, scope);
      return outsider && { ...outsider, isActive: outsider.isActive && tenant !== undefined };
    },
    async ownerOf(session) {
      const { user_tenant_id: tenantId, user_id: id, created_at: createdAtMs } = session;
      const user = await userOf(await store.get(database.read, tenantId, identityFamilies.users, id), directory);
      return user && user.createdAtMs <= createdAtMs ? user : undefined;
    },
    async activeOwnerOf(session) {
      const user = await directory.ownerOf(session);
      return user?.isActive ? user : undefined;
    },
    isUnchanged,
    replaceHash: (user, passwordHash) => replaceHash(database, store, user, passwordHash),
    async isTenantActive(tenantId) {
      if (tenantId === '') return true;
      const tenant = await store.get(database.read, '', identityFamilies.tenants, tenantId);
      return tenant !== undefined && tenant.body['status'] !== 'inactive';
    },
  };
  return directory;
}

async function userOf(record: StoredRecord | undefined, directory: UserDirectory): Promise<User | undefined> {
  if (!record) return undefined;
  const { username, role, password_hash: passwordHash } = record.body;
  if (typeof username !== 'string' || typeof passwordHash !== 'string' || !isRole(role)) return undefined;
  const isActive = record.enabled && (await directory.isTenantActive(record.tenantId));
  const { id, tenantId, createdAtMs } = record;
  return { id, tenantId, username, role, passwordHash, createdAtMs, isActive };
}

async function isUnchanged(transaction: Transaction<Tables>, user: User): Promise<boolean> {
  const query = transaction
    .selectFrom('resources')
    .select(['body', 'enabled', 'created_at'])
    .where('tenant_id', '=', user.tenantId)
    .where('family', '=', identityFamilies.users)
    .where('id', '=', user.id);
  const row = await traitsOf(transaction).lockRows(query, 'keep').executeTakeFirst();
  if (row?.enabled !== 1 || row.created_at !== user.createdAtMs) return false;
  const { password_hash: passwordHash } = JSON.parse(row.body) as { password_hash?: unknown };
  return passwordHash === user.passwordHash;
}

async function replaceHash(database: Database, store: ResourceStore, user: User, passwordHash: string): Promise<void> {
  await database.transaction(async (transaction) => {
    const record = await store.get(transaction, user.tenantId, identityFamilies.users, user.id);
    // The password was changed meanwhile: the newer hash stays.
    if (record?.body['password_hash'] !== user.passwordHash) return;
    await transaction
      .updateTable('resources')
      .set({ body: JSON.stringify({ ...record.body, password_hash: passwordHash }) })
      .where('tenant_id', '=', user.tenantId)
      .where('family', '=', identityFamilies.users)
      .where('id', '=', user.id)
      .execute();
  });
}

function isRole(value: unknown): value is Role {
  return value === 'super_admin' || value === 'admin' || value === 'writer' || value === 'reader';
}

/** The tenant of the only user of a name. A user outside all tenants comes first. Source: decisions, 4. */
async function onlyScope(executor: Executor, username: string): Promise<string | undefined> {
  const rows = await executor
    .selectFrom('resource_keys')
    .select('scope')
    .where('family', '=', identityFamilies.users)
    .where('key_name', '=', 'username')
    .where('value', '=', username)
    .orderBy('scope')
    .limit(2)
    .execute();
  const [first, second] = rows;
  return first?.scope === '' || !second ? first?.scope : undefined;
}
