import { randomBytes } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { createCheckpoints } from '../audits/checkpoints/create-checkpoints.ts';
import { createApp } from '../app.ts';
import { createAuditTrail } from '../audits/audit-trail.ts';
import { gatewayOfChange } from '../data-planes/gateway-revision.ts';
import type { Database } from '../database/database.ts';
import { startHttpServer } from '../http/http-server.ts';
import { createFirstAdministrator } from '../identity/first-administrator.ts';
import { createPasswordHasher, type PasswordHasher } from '../identity/password-hasher.ts';
import { createSwaggerAssets } from '../operations/adapters/swagger-assets.ts';
import { createRevisions } from '../revisions/revisions.ts';
import { parseKeyRing } from '../secrets/key-ring.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import { createResourceStore } from '../store/create-resource-store.ts';
import { createServiceMetrics } from '../operations/service-metrics.ts';
import { createResourceStates } from '../store/resource-states.ts';
import { checkAnswer } from '../testing/answer-contract.test-support.ts';

/** Password of everyone in these tests. */
export const password = 'a long enough password';

/** What a call was answered with. */
export interface Answer {
  readonly status: number;
  // oxlint-disable-next-line no-explicit-any -- tests look into answers of every shape
  readonly body: any;
}

/** Tokens of a login. */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** The whole application over a real database and a real server, with a super administrator `admin` and tenant `acme`. */
export interface UsersWorld {
  call(method: string, path: string, token?: string, body?: unknown): Promise<Answer>;
  login(username: string, secret?: string): Promise<Tokens>;
  stop(): Promise<void>;
}

const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };
const keys = parseKeyRing(`k1:${Buffer.alloc(32, 7).toString('base64')}`);

function ignore(): void {
  // Tests look at answers.
}

/** Starts it. @param hasherOf puts something around the real hasher */
export async function startUsersWorld(
  database: Database,
  hasherOf: (real: PasswordHasher) => PasswordHasher = (real) => real,
): Promise<UsersWorld> {
  if (!keys.ok) throw new Error('unreachable');
  const clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() };
  const shutdown = new AbortController();
  const metrics = createServiceMetrics();
  const trail = createAuditTrail({ ...clock, database, log: silent, registry: metrics.registry });
  const base = {
    ...clock,
    metrics,
    database: trail.database,
    store: createResourceStore(),
    audit: trail.audit,
    refusals: trail.refusals,
    auditChain: trail.chain,
    revisions: createRevisions({ clock, database, gatewayOf: gatewayOfChange }),
    hasher: hasherOf(createPasswordHasher(randomBytes)),
    newId: uuidv7,
  };
  const secrets = createSecretBox({ keyRing: keys.keyRing, database, clock });
  const settings = { files: [], urls: [], isLogged: false, isHeader: false };
  const { registry } = metrics;
  const app = createApp({
    syncs: {
      fetch: () => Promise.reject(new Error('nothing is synced here')),
      environment: {},
      metrics: { ended: () => undefined },
    },
    ...base,
    auditCheckpoints: await createCheckpoints({
      ...base,
      log: silent,
      secrets,
      randomBytes,
      given: [],
      settings,
      registry,
    }),
    config: { trustedProxies: { has: () => false }, metricsAllow: { has: () => false } },
    release: '0.1.0',
    log: silent,
    secrets,
    states: createResourceStates(),
    assets: createSwaggerAssets(),
    shutdown: shutdown.signal,
    onAnswer: checkAnswer,
  });
  await createFirstAdministrator({ ...base, random: randomBytes }, { username: 'admin', password });
  const server = await startHttpServer(app.http, { host: '127.0.0.1', port: 0 }, { newId: uuidv7 });
  const call = async (method: string, path: string, token?: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(server.url + path, {
      method,
      headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const login = async (username: string, secret = password): Promise<Tokens> => {
    const answer = await call('POST', '/auth/login', undefined, { username, password: secret });
    if (answer.status !== 200) throw new Error(`login as ${username}: ${answer.status}`);
    return answer.body;
  };
  const { access_token: admin } = await login('admin');
  await call('POST', '/api/v1/admin/tenants', admin, { name: 'Acme', slug: 'acme' });
  return {
    call,
    login,
    async stop() {
      shutdown.abort();
      await server.stop(1000);
    },
  };
}
