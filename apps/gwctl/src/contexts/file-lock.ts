import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { CommandFailure } from '../failure.ts';
import { errorCode } from './error-code.ts';

/** Who waits longer than this for another process, in milliseconds, gives up. */
const waitMsMax = 20_000;

/** Nobody holds the lock longer than this, in milliseconds: one that is older was left behind. */
const heldMsMax = 60_000;

const pollMs = 20;

/**
 * Does something while no other gwctl does the same with this file: a file `FILE.lock` beside it says whose turn it is. The
 * lock of a process that was killed is taken over.
 * @throws CommandFailure when another process keeps it, Error with a `code` when the folder cannot be written
 */
export async function withFileLock<T>(file: string, work: () => T | Promise<T>): Promise<T> {
  const lock = `${file}.lock`;
  const mine = `${hostname()} ${process.pid}`;
  const deadlineMs = Date.now() + waitMsMax;
  while (!taken(lock, mine)) {
    if (isLeftBehind(lock)) takeAway(lock);
    else if (Date.now() > deadlineMs)
      throw new CommandFailure(`another gwctl is using ${file}: try again, or remove ${lock}`);
    else await wait(pollMs);
  }
  const release = (): void => rmSync(lock, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.removeListener('exit', release);
    release();
  }
}

function taken(lock: string, mine: string): boolean {
  try {
    writeFileSync(lock, mine, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function isLeftBehind(lock: string): boolean {
  try {
    if (Date.now() - statSync(lock).mtimeMs > heldMsMax) return true;
    const [host, pid] = readFileSync(lock, 'utf8').split(' ');
    return host === hostname() && pid !== undefined && !isRunning(Number(pid));
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

/** Two may find the same lock left behind; what the slower one took away by then is the faster one's, and is put back. */
function takeAway(lock: string): void {
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
    if (!isLeftBehind(aside)) linkSync(aside, lock);
  } catch {
    // Somebody was faster: the next attempt to take it tells.
  } finally {
    rmSync(aside, { force: true });
  }
}
