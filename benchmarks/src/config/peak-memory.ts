import { readFileSync, writeFileSync } from 'node:fs';

/** Resets what `peakMegabytes` reads. Source: proc(5), clear_refs. */
const resetPeak = '5';

/** Starts the measurement of a process's highest resident memory. */
export function beginPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, resetPeak);
}

/** The highest resident memory since {@link beginPeak}, in megabytes. */
export function peakMegabytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) / 1024;
}
