import { randomBytes } from 'node:crypto';
import { startProcess } from '@portcullis/testkit';
import type { RunningProcess } from '@portcullis/testkit';
import { clientOf } from './client.ts';
import type { Client } from './client.ts';

/** A built control plane as a process that can be killed and started again on the same database. */
export interface ControlPlane extends AsyncDisposable {
  /** The super administrator at the process that runs now. */
  readonly client: () => Client;
  /** Makes a tenant. */
  addTenant(tenantId: string): Promise<void>;
  /** Ends the process as a crash does, and waits until it is gone. */
  kill(): Promise<void>;
  /**
   * Starts it, or starts it again.
   * @param more of its environment, this time
   */
  start(more?: Readonly<Record<string, string>>): Promise<void>;
  /** Begins one of its commands beside it, as a process that the caller waits for or kills. */
  begin(command: string, more?: Readonly<Record<string, string>>): Promise<RunningProcess>;
}

const username = 'campaign';
/** A machine under load takes its time. */
const readyTimeoutMs = 120_000;

const live = new Set<RunningProcess>();

process.on('exit', () => {
  for (const child of live) if (child.running()) process.kill(child.pid, 'SIGKILL');
});

/**
 * Starts a built `main.js` on a database and signs in.
 * @param more of its environment
 * @throws Error with what it printed when it does not come up
 */
export async function startControlPlane(
  entry: string,
  databaseUrl: string,
  more: Readonly<Record<string, string>> = {},
): Promise<ControlPlane> {
  const password = randomBytes(24).toString('base64url');
  const environment = {
    PORTCULLIS_ADMIN_PORT: '0',
    PORTCULLIS_DATABASE_URL: databaseUrl,
    PORTCULLIS_SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    PORTCULLIS_ADMIN_USERNAME: username,
    PORTCULLIS_ADMIN_PASSWORD: password,
    PORTCULLIS_LOG_LEVEL: 'info',
    ...more,
  };
  let running: RunningProcess | undefined;
  let client: Client | undefined;
  const addressOf = (child: RunningProcess): string | undefined => /"url":"(http:[^"]+)"/.exec(child.stdout())?.[1];
  const kill = async (): Promise<void> => {
    if (running === undefined) return;
    await running.kill('SIGKILL');
    live.delete(running);
  };
  const start: ControlPlane['start'] = async (onceMore = {}) => {
    running = await startProcess({
      args: [entry],
      env: { ...environment, ...onceMore },
      readyWhen: (child) => addressOf(child) !== undefined,
      readyTimeoutMs,
    });
    live.add(running);
    const url = addressOf(running) ?? '';
    const { access_token: token } = await clientOf(url, undefined).expect('POST', '/auth/login', 200, {
      username,
      password,
    });
    client = clientOf(url, String(token));
  };
  const current = (): Client => {
    if (client === undefined) throw new Error('the control plane was not started');
    return client;
  };
  await start();
  return {
    client: current,
    async addTenant(tenantId) {
      await current().expect('POST', '/api/v1/admin/tenants', 201, { name: tenantId, slug: tenantId });
    },
    kill,
    start,
    async begin(command, onceMore = {}) {
      const child = await startProcess({ args: [entry, command], env: { ...environment, ...onceMore } });
      live.add(child);
      void child.exited.then(() => live.delete(child));
      return child;
    },
    [Symbol.asyncDispose]: kill,
  };
}
