import { randomBytes } from 'node:crypto';
import { FakeClock, temporaryFolder } from '@portcullis/testkit';
import * as v from 'valibot';
import { createAuditLog } from '../audits/records/audit-log.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open-database.ts';
import { createHttpApp } from '../http/http-app.ts';
import { startHttpServer } from '../http/http-server.ts';
import type { Access, Operation } from '../http/operation.ts';
import { createRevisions } from '../revisions/revisions.ts';
import { parseKeyRing } from '../secrets/key-ring.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import { createResourceStore } from '../store/create-resource-store.ts';
import { createResourceStates } from '../store/resource-states.ts';
import type { ResourceStore, UniqueKeyValue } from '../store/resource-store.ts';
import { checkAnswer } from '../testing/answer-contract.test-support.ts';
import { createIdentity, type Identity } from './create-identity.ts';
import { createFirstAdministrator, type FirstAdministrator } from './first-administrator.ts';
import { mintToken } from './opaque-token.ts';
import { createPasswordHasher } from './password-hasher.ts';
import { tenantIdParameter } from '../http/query-parameters.ts';

/** Identity over a real database and a real server, with a clock that the test moves. */
export interface IdentityWorld extends AsyncDisposable {
  readonly url: string;
  readonly clock: FakeClock;
  readonly database: Database;
  readonly store: ResourceStore;
  readonly identity: Identity;
  /** Another replica on the same database. */
  readonly replica: () => Identity;
  readonly firstAdministrator: (password?: string) => Promise<FirstAdministrator | undefined>;
  addTenant(id: string, status?: 'active' | 'inactive'): Promise<void>;
  setTenantStatus(id: string, status: 'active' | 'inactive'): Promise<void>;
  addUser(tenantId: string, username: string, password: string, role?: string): Promise<string>;
  /** Stores a user whose password was hashed elsewhere. */
  addUserWithHash(tenantId: string, username: string, passwordHash: string): Promise<string>;
  removeRecord(tenantId: string, family: string, id: string): Promise<void>;
  /** Stores a token and gives its text. */
  addToken(
    kind: 'gwadm' | 'gwdp',
    tenantId: string,
    body: Readonly<Record<string, unknown>>,
  ): Promise<{ token: string; id: string }>;
}

const keys = parseKeyRing(`k1:${Buffer.alloc(32, 7).toString('base64')}`);
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {
  // Tests look at answers.
}

/** Opens a world of its own in a temporary folder. */
export async function openIdentityWorld(): Promise<IdentityWorld> {
  if (!keys.ok) throw new Error('unreachable');
  const folder = await temporaryFolder();
  const clock = new FakeClock();
  const database = await openDatabase({ url: `sqlite:${folder.join('test.sqlite')}`, log: silent });
  const store = createResourceStore();
  const audit = createAuditLog({ ids: () => crypto.randomUUID(), clock });
  const hasher = createPasswordHasher(randomBytes);
  const { nowMs, monotonicMs } = clock;
  const revisions = createRevisions({ clock, database, gatewayOf: () => undefined });
  const shared = {
    log: silent,
    database,
    store,
    audit,
    refusals: { note: () => undefined },
    revisions,
    hasher,
    nowMs,
    monotonicMs,
    states: createResourceStates(),
  };
  const { keyRing } = keys;
  const build = (): Identity => createIdentity({ ...shared, secrets: createSecretBox({ keyRing, database, clock }) });
  const identity = build();
  const app = createHttpApp({
    operations: [...identity.operations, ...levels.map((access) => whoAmI(access, identity))],
    authenticate: (token) => identity.authenticator.authenticate(token),
    log: silent,
    // Tests give the client's address by header.
    trustedProxies: { has: (address) => address === '127.0.0.1' },
    newId: () => crypto.randomUUID(),
    monotonicMs,
    onAnswer: checkAnswer,
  });
  const server = await startHttpServer(app, { host: '127.0.0.1', port: 0 }, { newId: () => 'refused' });
  const add = (
    tenantId: string,
    family: string,
    body: Readonly<Record<string, unknown>>,
    key: UniqueKeyValue,
    id: string = crypto.randomUUID(),
  ) => insert(database, store, { tenantId, family, body, key, id, nowMs: clock.nowMs() });
  return {
    url: server.url,
    clock,
    database,
    store,
    identity,
    replica: build,
    firstAdministrator: (password) =>
      createFirstAdministrator(
        {
          ...shared,
          random: randomBytes,
          newId: () => crypto.randomUUID(),
        },
        { username: 'admin', password },
      ),
    async addTenant(id, status = 'active') {
      await add('', 'tenants', { name: id, slug: id, status }, { keyName: 'slug', scope: '', value: id }, id);
    },
    async setTenantStatus(id, status) {
      const body = JSON.stringify({ name: id, slug: id, status });
      await database.transaction((transaction) =>
        transaction
          .updateTable('resources')
          .set({ body })
          .where('family', '=', 'tenants')
          .where('id', '=', id)
          .execute(),
      );
    },
    async addUser(tenantId, username, password, role = 'admin') {
      const body = { username, role, password_hash: await hasher.hash(password, tenantId) };
      return add(tenantId, 'users', body, { keyName: 'username', scope: tenantId, value: username });
    },
    addUserWithHash: (tenantId, username, passwordHash) =>
      add(
        tenantId,
        'users',
        { username, role: 'reader', password_hash: passwordHash },
        { keyName: 'username', scope: tenantId, value: username },
      ),
    async removeRecord(tenantId, family, id) {
      await database.transaction((transaction) => store.remove(transaction, tenantId, family, id));
    },
    async addToken(kind, tenantId, fields) {
      const minted = mintToken(kind);
      const body = { name: 'token', ...fields, token_id: minted.id, secret_hash: minted.secretHash };
      const key = { keyName: 'token', scope: '', value: minted.id };
      const id = await add(tenantId, kind === 'gwadm' ? 'api-tokens' : 'data-planes', body, key);
      return { token: minted.token, id };
    },
    async [Symbol.asyncDispose]() {
      await server.stop(1000);
      await database.close();
      await folder.remove();
    },
  };
}

const levels: readonly Access[] = ['read', 'write', 'administer', 'super_admin', 'data_plane'];

/** Answers who is asked and, for readers, which tenant is meant. */
function whoAmI(access: Access, identity: Identity): Operation {
  return {
    id: `whoAmI_${access}`,
    method: 'GET',
    paths: [`/who/${access}`],
    tag: 'Test',
    summary: 'Test',
    access,
    query: [tenantIdParameter],
    responses: [{ status: 200, description: 'Who it is', schema: v.looseObject({ principal: v.looseObject({}) }) }],
    async handler({ principal, query }) {
      const isScoped = access === 'read';
      const tenant = isScoped
        ? await identity.tenantScope.resolve({ principal, inQuery: query['tenant_id'], isWrite: false })
        : undefined;
      return { status: 200, body: { principal, tenant } };
    },
  };
}

interface NewRecord {
  readonly tenantId: string;
  readonly family: string;
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly key: UniqueKeyValue;
  readonly nowMs: number;
}

async function insert(
  database: Database,
  store: ResourceStore,
  { tenantId, family, id, body, key, nowMs }: NewRecord,
): Promise<string> {
  const record = {
    tenantId,
    family,
    id,
    gatewayId: null,
    name: String(body['name'] ?? body['username']),
    enabled: body['enabled'] !== false,
    revision: 1,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    body,
    secrets: {},
    tenantRevision: 0,
  };
  const result = await database.transaction((transaction) =>
    store.insert(transaction, { record, keys: [key], references: [] }),
  );
  if (!result.ok) throw new Error(`not stored: ${result.conflict.kind}`);
  return id;
}
