import { readdirSync, readFileSync } from 'node:fs';
import { parseProcessStat, parseResidentKilobytes, processTree } from './process-stat.ts';
import type { ProcessStat } from './process-stat.ts';

/** What a process and all below it have used. */
export interface ProcessUsage {
  readonly cpuSeconds: number;
  readonly residentMegabytes: number;
}

/**
 * Reads the usage of a whole process tree from `/proc`.
 * @throws Error when the process has ended: its figures are gone with it
 */
export function processUsage(pid: number): ProcessUsage {
  const tree = processTree(allProcesses(), pid);
  if (tree.length === 0) throw new Error(`process ${pid} has ended`);
  const residentKilobytes = tree.reduce((sum, member) => sum + residentOf(member.pid), 0);
  return {
    cpuSeconds: tree.reduce((sum, member) => sum + member.cpuSeconds, 0),
    residentMegabytes: residentKilobytes / 1024,
  };
}

function allProcesses(): readonly ProcessStat[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => parseProcessStat(readOrEmpty(`/proc/${pid}/stat`)) ?? []);
}

function residentOf(pid: number): number {
  return parseResidentKilobytes(readOrEmpty(`/proc/${pid}/status`));
}

/** A process may end between the listing and the reading. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
