/** What `/proc/PID/stat` says of one process. */
export interface ProcessStat {
  readonly pid: number;
  readonly parentPid: number;
  /** User and system time of the process and of children that it has waited for, in seconds. */
  readonly cpuSeconds: number;
}

/** `USER_HZ`: the unit of times in `/proc`, the same on every architecture that Node runs on. */
const ticksPerSecond = 100;

/**
 * Reads a line of `/proc/PID/stat`.
 * @param text the file's content; the name in parentheses may hold spaces and parentheses itself
 * @returns `undefined` when the text has no such form
 */
export function parseProcessStat(text: string): ProcessStat | undefined {
  const nameEnd = text.lastIndexOf(')');
  const pid = Number.parseInt(text, 10);
  if (nameEnd < 0 || Number.isNaN(pid)) return undefined;
  // After the name: state, parent, …; utime, stime, cutime and cstime are fields 14 to 17 of the whole line.
  const fields = text.slice(nameEnd + 2).split(' ');
  const parentPid = Number(fields[1]);
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  if (fields.length < 15 || Number.isNaN(parentPid) || Number.isNaN(ticks)) return undefined;
  return { pid, parentPid, cpuSeconds: ticks / ticksPerSecond };
}

/**
 * A process and everything below it.
 * @param stats all processes of the machine
 * @returns empty when the process is not among them
 */
export function processTree(stats: readonly ProcessStat[], rootPid: number): readonly ProcessStat[] {
  const own = stats.find(({ pid }) => pid === rootPid);
  if (own === undefined) return [];
  const children = stats.filter(({ pid, parentPid }) => parentPid === rootPid && pid !== rootPid);
  return [own, ...children.flatMap(({ pid }) => processTree(stats, pid))];
}

/** Kilobytes of resident memory in the text of `/proc/PID/status`; 0 for a process that has none left (a zombie). */
export function parseResidentKilobytes(text: string): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0);
}
