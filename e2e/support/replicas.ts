import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { freePort, startProcess } from '@portcullis/testkit';
import type { RunningProcess } from '@portcullis/testkit';
import { adminWith, signIn } from './admin.ts';
import type { Admin } from './admin.ts';
import { superAdministrator } from './stack.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** One control plane of several on the same database. */
export interface Replica {
  readonly url: string;
  /** The super administrator at this replica, with the one login that all replicas share. */
  readonly admin: Admin;
  readonly process: () => RunningProcess;
  /** Starts it again, on the same port. */
  start(): Promise<void>;
}

/** Control planes that share a database and its keys. */
export interface Replicas extends AsyncDisposable {
  readonly first: Replica;
  readonly second: Replica;
}

/** Starts two built control planes at the same time, as a deployment does: both find the database empty. */
export async function startReplicas(databaseUrl: string): Promise<Replicas> {
  const secretKeys = `k1:${randomBytes(32).toString('base64')}`;
  const parts = [await createReplica(databaseUrl, secretKeys), await createReplica(databaseUrl, secretKeys)] as const;
  await Promise.all(parts.map((part) => part.start()));
  const { username, password } = superAdministrator;
  const { token } = await signIn(parts[0].url, username, password);
  const asReplica = (part: (typeof parts)[number]): Replica => ({ ...part, admin: adminWith(part.url, token) });
  return {
    first: asReplica(parts[0]),
    second: asReplica(parts[1]),
    async [Symbol.asyncDispose]() {
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}

async function createReplica(databaseUrl: string, secretKeys: string) {
  const port = await freePort();
  let running: RunningProcess | undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    process: (): RunningProcess => {
      if (!running) throw new Error('the replica was not started');
      return running;
    },
    async start() {
      running = await startProcess({
        args: [`${root}apps/admin-api/dist/main.js`],
        env: {
          PORTCULLIS_ADMIN_PORT: String(port),
          PORTCULLIS_DATABASE_URL: databaseUrl,
          PORTCULLIS_SECRET_KEYS: secretKeys,
          PORTCULLIS_ADMIN_USERNAME: superAdministrator.username,
          PORTCULLIS_ADMIN_PASSWORD: superAdministrator.password,
        },
        readyWhen: (child) => child.stdout().includes('"listening"'),
      });
    },
    stop: async () => {
      await running?.kill();
    },
  };
}
