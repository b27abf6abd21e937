import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { startChild } from '../machine/child.ts';
import type { Child } from '../machine/child.ts';
import { freePort } from '@portcullis/testkit';
import type { Pinning } from '../machine/pinning.ts';
import { scratchFolder } from '../machine/scratch-folder.ts';
import { serverLimitMs, readyLimitMs } from './limits.ts';

/** A gateway that serves its configuration. */
export interface GatewayProcess extends AsyncDisposable {
  readonly process: Child;
  readonly port: number;
}

/** Starts a built gateway as one process, and waits until it is ready. */
export async function startGateway(
  pinning: Pinning,
  entry: string,
  controlPlane: { readonly url: string; readonly token: string },
  nodeOptions: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<GatewayProcess> {
  await using parts = new AsyncDisposableStack();
  const folder = parts.use(await scratchFolder());
  const [port, statusPort] = [await freePort(), await freePort()];
  const command = pinning.wrap('peer', [process.execPath, ...nodeOptions, entry]);
  const settings = {
    PORTCULLIS_CONTROL_PLANE_URL: controlPlane.url,
    PORTCULLIS_DATA_PLANE_TOKEN: controlPlane.token,
    PORTCULLIS_PROXY_HOST: '127.0.0.1',
    PORTCULLIS_PROXY_PORT: `${port}`,
    PORTCULLIS_PROXY_TLS_PORT: '0',
    PORTCULLIS_STATUS_PORT: `${statusPort}`,
    PORTCULLIS_CACHE_DIR: folder.path,
    PORTCULLIS_WORKERS: '1',
    ...environment,
  };
  const child = parts.use(startChild(command, settings, serverLimitMs));
  await untilReady(child, statusPort);
  const owned = parts.move();
  return { process: child, port, [Symbol.asyncDispose]: () => owned.disposeAsync() };
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
