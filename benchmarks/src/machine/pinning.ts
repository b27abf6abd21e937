import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { findExecutable } from './executable.ts';

/** The two sides of a measurement: what is measured, and what makes and answers the load. */
export type Side = 'peer' | 'load';

/** Gives each side a processor of its own, where the machine has two and `taskset`. */
export interface Pinning {
  /** One sentence for the report. */
  readonly description: string;
  /** The command that runs `command` on a side's processor. */
  wrap(side: Side, command: readonly [string, ...string[]]): readonly [string, ...string[]];
}

const processorOf: Readonly<Record<Side, string>> = { peer: '0', load: '1' };

/** Decides once how processes are pinned, and moves this process itself to the load's side. */
export function pinProcesses(): Pinning {
  const taskset = findExecutable('taskset');
  if (taskset === undefined || availableParallelism() < 2) {
    const reason = taskset === undefined ? 'taskset is not installed' : 'the machine has one processor';
    return { description: `not pinned: ${reason}`, wrap: (_side, command) => command };
  }
  execFileSync(taskset, ['-a', '-p', '-c', processorOf.load, String(process.pid)], { stdio: 'ignore' });
  return {
    description: 'each peer on CPU 0; load, upstream and control plane on CPU 1',
    // taskset replaces itself by the command: the process ID stays that of the peer.
    wrap: (side, command) => [taskset, '-c', processorOf[side], ...command],
  };
}
