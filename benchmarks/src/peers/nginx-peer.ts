import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { startChild } from '../machine/child.ts';
import { freePort } from '../machine/free-port.ts';
import type { Pinning } from '../machine/pinning.ts';
import { scratchFolder } from '../machine/scratch-folder.ts';
import { processLimitMs, readyLimitMs } from './limits.ts';
import { nginxConfiguration } from './nginx-configuration.ts';
import type { Peer } from './peer.ts';
import type { Mode } from './terms.ts';

/** Folders of administrators' programs, which may be missing from `PATH`. */
export const administratorFolders: readonly string[] = ['/usr/sbin', '/usr/local/sbin', '/sbin'];

/** nginx as a peer. */
export function nginxPeer(mode: Mode, pinning: Pinning, executable: string): Peer {
  return {
    name: 'nginx',
    mode,
    async start(upstreamPort) {
      await using parts = new AsyncDisposableStack();
      const folder = parts.use(await scratchFolder());
      const port = await freePort();
      const file = join(folder.path, 'nginx.conf');
      await writeFile(file, nginxConfiguration({ mode, port, upstreamPort, folder: folder.path }));
      const command = pinning.wrap('peer', [executable, '-p', folder.path, '-e', 'stderr', '-c', file]);
      const child = parts.use(startChild(command, {}, processLimitMs));
      const deadlineMs = performance.now() + readyLimitMs;
      while (!(await isListening(port))) {
        if (!child.running() || performance.now() > deadlineMs) throw new Error(`nginx: ${child.printed()}`);
        await delay(25);
      }
      const owned = parts.move();
      return { process: child, port, [Symbol.asyncDispose]: () => owned.disposeAsync() };
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
