import { spawn, type ChildProcess } from 'node:child_process';
import { OutputBuffer } from './output-buffer.ts';

/** Options of `startProcess`. */
export interface StartProcessOptions {
  /** Program to run. Default: the Node that runs the test. */
  readonly command?: string;
  readonly args: readonly string[];
  /** The whole environment of the child but for `PATH` and `HOME`, which it inherits: a test names what it needs. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Written to the child's standard input, which is then closed. Default: no input. */
  readonly input?: string;
  /** Asked until it says true (a throw is "not yet"); gets the child to look at. Default: ready at once. */
  readonly readyWhen?: (child: RunningProcess) => boolean | Promise<boolean>;
  /** How long to wait for `readyWhen`, in milliseconds. Default 20000. */
  readonly readyTimeoutMs?: number;
}

/** How a process ended: exactly one of the two is not null. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A real child process with what it printed. Disposing of it kills it. */
export interface RunningProcess extends AsyncDisposable {
  readonly pid: number;
  /** What it printed so far (the last 4 MiB of each stream). */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves when the process ended and its output was read. */
  readonly exited: Promise<ProcessExit>;
  /** False once it ended. */
  readonly running: () => boolean;
  /** Sends a signal (default SIGTERM) and waits for the end; SIGKILL follows after `graceMs` (default 10000). */
  kill(signal?: NodeJS.Signals, graceMs?: number): Promise<ProcessExit>;
}

/**
 * Starts a process and waits until it is ready.
 * @throws Error with everything the child printed when it cannot be started, ends, or is not ready in time. It is killed
 * before that is thrown, so no process stays behind.
 */
export async function startProcess(options: StartProcessOptions): Promise<RunningProcess> {
  const command = options.command ?? process.execPath;
  const child = spawn(command, options.args, {
    cwd: options.cwd,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const running = watch(child);
  child.stdin.on('error', () => undefined); // A child that ends before it read its input is no failure of the test kit.
  child.stdin.end(options.input ?? '');
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  if (options.readyWhen === undefined) return running;
  const failure = await waitUntilReady(running, options.readyWhen, options.readyTimeoutMs ?? 20_000);
  if (failure === undefined) return running;
  await running.kill('SIGKILL');
  const printed = `stdout:\n${running.stdout()}\nstderr:\n${running.stderr()}`;
  throw new Error(`${command} ${options.args.join(' ')} ${failure}\n${printed}`);
}

function watch(child: ChildProcess): RunningProcess {
  const stdout = new OutputBuffer(child.stdout);
  const stderr = new OutputBuffer(child.stderr);
  let ended = false;
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', () => (ended = true));
    child.once('error', () => (ended = true));
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  const kill = async (signal: NodeJS.Signals = 'SIGTERM', graceMs = 10_000): Promise<ProcessExit> => {
    if (!ended) child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
    const exit = await exited;
    clearTimeout(timer);
    return exit;
  };
  return {
    pid: child.pid ?? -1,
    stdout: () => stdout.text(),
    stderr: () => stderr.text(),
    exited,
    running: () => !ended,
    kill,
    [Symbol.asyncDispose]: async () => {
      await kill();
    },
  };
}

async function waitUntilReady(
  running: RunningProcess,
  readyWhen: (child: RunningProcess) => boolean | Promise<boolean>,
  timeoutMs: number,
): Promise<string | undefined> {
  const deadlineMs = performance.now() + timeoutMs;
  while (performance.now() < deadlineMs) {
    if (!running.running()) {
      const { code, signal } = await running.exited;
      return `ended before it was ready (${signal ?? `exit code ${code}`})`;
    }
    try {
      if (await readyWhen(running)) return undefined;
    } catch {
      // Not listening yet: the next try will tell.
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return `was not ready within ${timeoutMs} ms`;
}
