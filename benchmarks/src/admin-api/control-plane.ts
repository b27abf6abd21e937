import { randomBytes } from 'node:crypto';
import { startChild } from '../machine/child.ts';
import type { Child } from '../machine/child.ts';
import type { Pinning } from '../machine/pinning.ts';
import { processLimitMs, readyLimitMs } from '../peers/limits.ts';
import { openClient } from './client.ts';
import type { Client } from './client.ts';
import type { DatabasePlace } from './database-place.ts';

/** A built control plane on a database of its own, with a token that may read and write. */
export interface ControlPlaneUnderTest extends AsyncDisposable {
  readonly process: Child;
  readonly url: string;
  /** Of the caller: it may read and write the configuration of every tenant. */
  readonly token: string;
  /** A caller with keep-alive connections. @param connections how many requests it has under way at most */
  client(connections: number): Client;
}

/** The whole run of one database is one process: a long fill must not count as a hang. */
const runLimitMs = 6 * processLimitMs;

/**
 * Starts the built `main.js` and signs in.
 * @param pinning puts it on the side of the load; without it the process runs where the system likes
 * @param nodeOptions go before the entry, `--cpu-prof` for instance
 * @throws Error with what it printed when it does not come up
 */
export async function startControlPlane(
  entry: string,
  place: DatabasePlace,
  pinning?: Pinning,
  nodeOptions: readonly string[] = [],
): Promise<ControlPlaneUnderTest> {
  const password = randomBytes(24).toString('base64url');
  const command: [string, ...string[]] = [process.execPath, ...nodeOptions, entry];
  const child = startChild(
    pinning === undefined ? command : pinning.wrap('load', command),
    {
      PORTCULLIS_ADMIN_PORT: '0',
      PORTCULLIS_DATABASE_URL: place.url,
      PORTCULLIS_SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
      PORTCULLIS_ADMIN_USERNAME: 'bench',
      PORTCULLIS_ADMIN_PASSWORD: password,
      PORTCULLIS_LOG_LEVEL: 'info',
    },
    runLimitMs,
  );
  const clients: Client[] = [];
  try {
    const url = await listeningUrl(child);
    const token = await tokenOf(url, password);
    return {
      process: child,
      url,
      token,
      client(connections) {
        const client = openClient(url, token, connections);
        clients.push(client);
        return client;
      },
      async [Symbol.asyncDispose]() {
        await Promise.all(clients.map((client) => client.close()));
        await child.stop();
      },
    };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

/** The address that it logs once it listens: it chose the port itself. */
async function listeningUrl(child: Child): Promise<string> {
  const deadlineMs = performance.now() + readyLimitMs;
  while (performance.now() < deadlineMs && child.running()) {
    const url = /"url":"(http:[^"]+)"/.exec(child.printed())?.[1];
    if (url !== undefined) return url;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`the control plane did not come up: ${child.printed()}`);
}

/** An API token lasts longer than a login. */
async function tokenOf(url: string, password: string): Promise<string> {
  const anonymous = openClient(url, undefined, 1);
  const { access_token: access } = await anonymous.expect('POST', '/auth/login', 200, { username: 'bench', password });
  await anonymous.close();
  const user = openClient(url, String(access), 1);
  const body = { name: 'bench', scopes: ['admin:read', 'admin:write'] };
  const { token } = await user.expect('POST', '/api/v1/admin/api-tokens', 201, body);
  // Tokens may not make tenants.
  for (const tenant of tenants) {
    await user.expect('POST', '/api/v1/admin/tenants', 201, { name: tenant, slug: tenant });
  }
  await user.close();
  return String(token);
}

/** Tenants of the run: one that holds the long list, and those that are written to. */
export const largeTenant = 'large';
/** One for each of 16 writers; the first also serves the measurements of a single tenant. */
export const writtenTenants: readonly string[] = Array.from({ length: 16 }, (_, index) => `tenant-${index}`);

const tenants = [largeTenant, ...writtenTenants];
