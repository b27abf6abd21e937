import { readdirSync, readFileSync } from 'node:fs';
import { parseProcessStat } from '../machine/process-stat.ts';

/**
 * Processor seconds of this process with all its threads, and of the server processes that work for it: PostgreSQL names the database in
 * the title of each. A connection that ends takes its figures with it, so take differences while all are open.
 */
export function cpuSeconds(url: string): number {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1e6;
  if (url.startsWith('sqlite:')) return own;
  const name = new URL(url).pathname.slice(1);
  return own + readdirSync('/proc').reduce((sum, pid) => sum + serverSeconds(pid, name), 0);
}

function serverSeconds(pid: string, databaseName: string): number {
  if (!/^\d+$/.test(pid)) return 0;
  try {
    const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    if (!title.startsWith('postgres:') || !title.includes(` ${databaseName} `)) return 0;
    return parseProcessStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.cpuSeconds ?? 0;
  } catch {
    return 0; // It ended between the listing and the reading.
  }
}

/** Processor seconds of this thread alone. */
export function threadSeconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e6;
}
