import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

/** A process that a scenario has started. */
export interface Child extends AsyncDisposable {
  readonly pid: number;
  /** The first line that it prints. Rejects when it ends before. */
  readonly firstLine: Promise<string>;
  /** Everything it printed on standard output, once it has ended with code 0. Rejects for any other end. */
  readonly output: Promise<string>;
  readonly running: () => boolean;
  /** The end of what it printed on both outputs, for messages. */
  readonly printed: () => string;
  /** Asks it to end (SIGTERM), forces it after ten seconds, and waits until it has. */
  stop(): Promise<void>;
}

const live = new Set<ChildProcess>();

/** Kills whatever is still running, for a scenario that is broken off: no process stays behind. */
export function killChildren(): void {
  for (const child of live) child.kill('SIGKILL');
}

const keptCharactersMax = 64 * 1024;
const graceMs = 10_000;

/**
 * Starts a process.
 * @param environment added to `PATH` and `HOME`; nothing else is inherited
 * @param limitMs it is killed after that
 */
export function startChild(
  command: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>>,
  limitMs: number,
): Child {
  const [program, ...args] = command;
  const { PATH, HOME } = process.env;
  const child = spawn(program, args, { env: { PATH, HOME, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  live.add(child);
  let text = '';
  let errors = '';
  let ended = false;
  const firstLine = Promise.withResolvers<string>();
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text = (text + part).slice(-keptCharactersMax);
    const lineEnd = text.indexOf('\n');
    if (lineEnd >= 0) firstLine.resolve(text.slice(0, lineEnd));
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => (errors = (errors + part).slice(-keptCharactersMax)));
  const printed = (): string => `${text}${errors}`.trim();
  const closed = new Promise<Error | undefined>((resolve) => {
    child.once('error', (error) => resolve(error));
    child.once('close', (code, signal) => {
      resolve(code === 0 ? undefined : new Error(`${command.join(' ')} ended with ${signal ?? code}: ${printed()}`));
    });
  }).then((failure) => {
    ended = true;
    live.delete(child);
    clearTimeout(limit);
    firstLine.reject(failure ?? new Error(`${program} ended without a word`));
    return failure;
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), limitMs);
  const output = closed.then((failure) => {
    if (failure !== undefined) throw failure;
    return text;
  });
  output.catch(() => undefined); // Whoever wants the output sees the failure; a server's end is nobody's failure.
  firstLine.promise.catch(() => undefined);
  const stop = async (): Promise<void> => {
    if (ended) return;
    child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await closed;
    clearTimeout(force);
  };
  return {
    pid: child.pid ?? -1,
    firstLine: firstLine.promise,
    output,
    running: () => !ended,
    printed,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Waits until a child that listens on a port of its own choice has printed it as its first line. */
export async function portOf(child: Child): Promise<number> {
  const port = Number(await child.firstLine);
  if (!Number.isInteger(port)) throw new Error(`a port was expected: ${child.printed()}`);
  return port;
}
