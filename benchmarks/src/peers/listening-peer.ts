import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { startChild, type Child } from '../machine/child.ts';
import { freePort } from '@portcullis/testkit';
import type { Pinning } from '../machine/pinning.ts';
import { scratchFolder } from '../machine/scratch-folder.ts';
import { serverLimitMs, readyLimitMs } from './limits.ts';
import type { Peer, RunningPeer } from './peer.ts';

/** Folders of administrators' programs, which may be missing from `PATH`. */
export const administratorFolders: readonly string[] = ['/usr/sbin', '/usr/local/sbin', '/sbin'];

/** Where a program listens and leads to. */
export interface PeerPlace {
  readonly port: number;
  readonly upstreamPort: number;
  /** A folder of its own for everything that it writes. */
  readonly folder: string;
}

/** A program that is told its port in a configuration file. */
export interface ConfiguredProgram extends Pick<Peer, 'name' | 'mode'> {
  /** Beside `PATH` and `HOME`. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Writes the configuration. @returns the command that runs the program in the foreground */
  configure(place: PeerPlace): Promise<readonly [string, ...string[]]>;
}

/** A program as a peer: it is ready once it accepts connections. */
export function listeningPeer(program: ConfiguredProgram, pinning: Pinning): Peer {
  return {
    name: program.name,
    mode: program.mode,
    async start(upstreamPort): Promise<RunningPeer> {
      await using parts = new AsyncDisposableStack();
      const folder = parts.use(await scratchFolder());
      const port = await freePort();
      const command = await program.configure({ port, upstreamPort, folder: folder.path });
      const child = parts.use(startChild(pinning.wrap('peer', command), program.environment ?? {}, serverLimitMs));
      await untilListening(port, child, program.name);
      const owned = parts.move();
      return { process: child, port, [Symbol.asyncDispose]: () => owned.disposeAsync() };
    },
  };
}

/** Waits until a program accepts connections. @throws Error with what it printed when it ends before, or takes too long */
export async function untilListening(port: number, child: Child, name: string): Promise<void> {
  const deadlineMs = performance.now() + readyLimitMs;
  while (!(await isListening(port))) {
    if (!child.running() || performance.now() > deadlineMs) throw new Error(`${name}: ${child.printed()}`);
    await delay(25);
  }
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
