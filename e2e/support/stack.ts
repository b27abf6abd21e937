import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { eventually, freePort, startProcess, startUpstream, temporaryFolder } from '@portcullis/testkit';
import type { RunningProcess, TemporaryFolder, Upstream } from '@portcullis/testkit';
import { signIn } from './admin.ts';
import type { Admin } from './admin.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const administrator = { username: 'root', password: 'correct horse battery staple' };

/** The built apps as real processes, with a real upstream. */
export interface Stack extends AsyncDisposable {
  readonly folder: TemporaryFolder;
  readonly upstream: Upstream;
  readonly adminUrl: string;
  readonly gatewayUrl: string;
  /** Where the gateway takes TLS. */
  readonly gatewayTlsPort: number;
  /** Where the gateway tells of itself. */
  readonly gatewayStatusUrl: string;
  /** A super administrator. */
  readonly admin: Admin;
  readonly controlPlane: () => RunningProcess;
  readonly gateway: () => RunningProcess;
  /** Starts the control plane again, on the same port and data. */
  startControlPlane(): Promise<void>;
  /**
   * Starts a gateway process for a data-plane token, on the stack's gateway port and cache.
   * @param settings further ones of the gateway, `PORTCULLIS_…` and what its vaults read
   */
  startGateway(token: string, settings?: Readonly<Record<string, string>>): Promise<void>;
  gwctl(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }>;
}

/**
 * Starts control plane and upstream on free ports. Gateways are started by the test, once it has a token for one.
 * @param options.settings further ones of the control plane
 */
export async function startStack(
  options: { databaseUrl?: string; settings?: Readonly<Record<string, string>> } = {},
): Promise<Stack> {
  const folder = await temporaryFolder();
  const upstream = await startUpstream();
  const [adminPort, proxyPort, tlsPort, statusPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const adminUrl = `http://127.0.0.1:${adminPort}`;
  const secretKeys = `k1:${randomBytes(32).toString('base64')}`;
  let controlPlane: RunningProcess | undefined;
  let gateway: RunningProcess | undefined;

  const startControlPlane = async (): Promise<void> => {
    controlPlane = await startProcess({
      args: [`${root}apps/admin-api/dist/main.js`],
      env: {
        PORTCULLIS_ADMIN_PORT: String(adminPort),
        PORTCULLIS_DATABASE_URL: options.databaseUrl ?? `sqlite:${folder.join('portcullis.db')}`,
        PORTCULLIS_SECRET_KEYS: secretKeys,
        PORTCULLIS_ADMIN_USERNAME: administrator.username,
        PORTCULLIS_ADMIN_PASSWORD: administrator.password,
        PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8,::1',
        ...options.settings,
      },
      readyWhen: (child) => child.stdout().includes('"listening"'),
    });
  };
  await startControlPlane();
  const admin = await signIn(adminUrl, administrator.username, administrator.password);
  return {
    folder,
    upstream,
    adminUrl,
    gatewayUrl: `http://127.0.0.1:${proxyPort}`,
    gatewayTlsPort: tlsPort,
    gatewayStatusUrl: `http://127.0.0.1:${statusPort}`,
    admin,
    controlPlane: () => started(controlPlane),
    gateway: () => started(gateway),
    startControlPlane,
    async startGateway(token, settings = {}) {
      gateway = await startProcess({
        args: [`${root}apps/gateway/dist/main.js`],
        env: {
          PORTCULLIS_CONTROL_PLANE_URL: adminUrl,
          PORTCULLIS_DATA_PLANE_TOKEN: token,
          PORTCULLIS_PROXY_PORT: String(proxyPort),
          PORTCULLIS_PROXY_TLS_PORT: String(tlsPort),
          PORTCULLIS_STATUS_PORT: String(statusPort),
          PORTCULLIS_CACHE_DIR: folder.join('gateway-cache'),
          ...settings,
        },
        readyWhen: (child) => child.stdout().includes('"listening"'),
      });
      await eventually(async () => (await fetch(`http://127.0.0.1:${statusPort}/ready`)).status === 200, {
        timeoutMs: 15_000,
      });
    },
    async gwctl(...args) {
      const tool = await startProcess({
        args: [`${root}apps/gwctl/dist/main.js`, ...args],
        env: { GWCTL_CONFIG: folder.join('gwctl.json') },
        cwd: root,
      });
      const { code } = await tool.exited;
      return { code, stdout: tool.stdout(), stderr: tool.stderr() };
    },
    async [Symbol.asyncDispose]() {
      await gateway?.[Symbol.asyncDispose]();
      await controlPlane?.[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
      await folder.remove();
    },
  };
}

/** The super administrator of every stack. */
export const superAdministrator: { readonly username: string; readonly password: string } = administrator;

function started(process: RunningProcess | undefined): RunningProcess {
  if (!process) throw new Error('the process was not started');
  return process;
}
