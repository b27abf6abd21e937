import { existsSync } from 'node:fs';
import { freePort } from './free-port.ts';
import { startProcess, type RunningProcess } from './start-process.ts';

/** A running Redis of its own, without files. Disposing of it ends the process. */
export interface RedisServer extends AsyncDisposable {
  /** `redis://[:password@]127.0.0.1:port`. */
  readonly url: string;
  readonly port: number;
  readonly process: RunningProcess;
  /** It answers nothing any more, and keeps its connections, until {@link RedisServer.thaw}. */
  freeze(): void;
  thaw(): void;
}

/** What a server is started with. */
export interface RedisServerOptions {
  /** Default: a free one. Give the port of a server that ended to have it begin anew. */
  readonly port?: number;
  /** Default: none is asked for. */
  readonly password?: string;
}

const REDIS = ['/usr/bin/redis-server', '/usr/local/bin/redis-server', '/usr/bin/valkey-server'].find((path) =>
  existsSync(path),
);

/** Whether a server can be started here. Tests that need one are skipped by name where it is not. */
export const hasRedis: boolean = REDIS !== undefined;

/**
 * Starts a server on 127.0.0.1 that keeps nothing: for tests that kill and freeze it.
 * @throws Error where no server is installed, or with everything it printed when it does not start
 */
export async function startRedis(options: RedisServerOptions = {}): Promise<RedisServer> {
  if (REDIS === undefined) throw new Error('redis-server is not installed');
  const port = options.port ?? (await freePort());
  const { password } = options;
  const secret = password === undefined ? [] : ['--requirepass', password];
  const process = await startProcess({
    command: REDIS,
    args: ['--bind', '127.0.0.1', '--port', `${port}`, '--save', '', '--appendonly', 'no', ...secret],
    readyWhen: ({ stdout }) => /Ready to accept connections/.test(stdout()),
  });
  return {
    url: `redis://${password === undefined ? '' : `:${encodeURIComponent(password)}@`}127.0.0.1:${port}`,
    port,
    process,
    freeze: () => void globalThis.process.kill(process.pid, 'SIGSTOP'),
    thaw: () => void globalThis.process.kill(process.pid, 'SIGCONT'),
    // A frozen process takes no other signal.
    [Symbol.asyncDispose]: async () => void (await process.kill('SIGKILL')),
  };
}
