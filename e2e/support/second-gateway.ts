import { fileURLToPath } from 'node:url';
import { freePort, startProcess, type RunningProcess } from '@portcullis/testkit';
import type { ProtectedRoutes } from './protected-routes.ts';

/** Another process of the stack's gateway. */
export interface SecondGateway extends AsyncDisposable {
  readonly url: string;
  readonly process: RunningProcess;
}

/** Starts one more process of the same gateway, as built, with the same Redis. */
export async function startSecondGateway(routes: ProtectedRoutes, redisUrl: string): Promise<SecondGateway> {
  const { token } = await routes.admin('POST', '/data-planes', { gateway_id: 'edge', name: 'second' });
  const proxyPort = await freePort();
  const process = await startProcess({
    args: [fileURLToPath(new URL('../../apps/gateway/dist/main.js', import.meta.url))],
    env: {
      PORTCULLIS_CONTROL_PLANE_URL: routes.stack.adminUrl,
      PORTCULLIS_DATA_PLANE_TOKEN: token,
      PORTCULLIS_STATUS_PORT: '0',
      PORTCULLIS_PROXY_PORT: String(proxyPort),
      PORTCULLIS_PROXY_TLS_PORT: '0',
      PORTCULLIS_CACHE_DIR: routes.stack.folder.join('second-cache'),
      PORTCULLIS_REDIS_URL: redisUrl,
      PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8,::1',
    },
    readyWhen: ({ stdout }) => stdout().includes('"listening"') && stdout().includes('connected to Redis'),
  });
  return {
    url: `http://127.0.0.1:${proxyPort}`,
    process,
    [Symbol.asyncDispose]: async () => {
      await process.kill();
    },
  };
}
