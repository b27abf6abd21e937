import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'node:http';
import { startChild } from '../machine/child.ts';
import type { Child } from '../machine/child.ts';
import { freePort } from '../machine/free-port.ts';
import type { Pinning } from '../machine/pinning.ts';
import { scratchFolder } from '../machine/scratch-folder.ts';
import { benchConfiguration } from './configuration.ts';
import { startControlPlane } from './control-plane.ts';
import { processLimitMs, readyLimitMs } from './limits.ts';
import type { Peer } from './peer.ts';
import type { Mode } from './terms.ts';

const token = 'gwdp_bench_0123456789abcdef0123456789abcdef';

/**
 * The gateway as a peer, as it is in production: configured by a control plane, reporting observations to it.
 * @param entry the built `main.js`
 */
export function gatewayPeer(mode: Mode, pinning: Pinning, entry: string): Peer {
  return {
    name: 'gateway',
    mode,
    async start(upstreamPort, nodeOptions = []) {
      await using parts = new AsyncDisposableStack();
      const controlPlane = parts.use(await startControlPlane(benchConfiguration(mode, upstreamPort), token));
      const folder = parts.use(await scratchFolder());
      const [port, statusPort] = [await freePort(), await freePort()];
      const command = pinning.wrap('peer', [process.execPath, ...nodeOptions, entry]);
      const settings = {
        PORTCULLIS_CONTROL_PLANE_URL: controlPlane.url,
        PORTCULLIS_DATA_PLANE_TOKEN: token,
        PORTCULLIS_PROXY_HOST: '127.0.0.1',
        PORTCULLIS_PROXY_PORT: `${port}`,
        PORTCULLIS_STATUS_PORT: `${statusPort}`,
        PORTCULLIS_CACHE_DIR: folder.path,
      };
      const child = parts.use(startChild(command, settings, processLimitMs));
      await untilReady(child, statusPort);
      const owned = parts.move();
      return {
        process: child,
        port,
        reported: () => controlPlane.reported(),
        [Symbol.asyncDispose]: () => owned.disposeAsync(),
      };
    },
  };
}

async function untilReady(child: Child, statusPort: number): Promise<void> {
  const deadlineMs = performance.now() + readyLimitMs;
  while (performance.now() < deadlineMs) {
    if (!child.running()) throw new Error(`the gateway ended: ${child.printed()}`);
    if ((await statusOf(statusPort, '/ready')) === 200) return;
    await delay(25);
  }
  throw new Error(`the gateway was not ready within ${readyLimitMs} ms: ${child.printed()}`);
}

/** @returns `undefined` while nothing listens */
async function statusOf(port: number, path: string): Promise<number | undefined> {
  const asked = request({ host: '127.0.0.1', port, path, agent: false }).end();
  try {
    const [response] = (await once(asked, 'response')) as [{ statusCode?: number; resume(): void }];
    response.resume();
    return response.statusCode;
  } catch {
    return undefined;
  }
}
