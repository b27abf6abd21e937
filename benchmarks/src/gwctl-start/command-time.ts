import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { median } from '../figures/quantile.ts';

/** A command that is started over and over. */
export interface Contender {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

/** What one start costs. */
export interface CommandTime {
  /** Median from the start of the process to its end, in milliseconds. */
  readonly wallMs: number;
  /** Mean processor time, user and system, in milliseconds; `undefined` where there is no `/proc`. */
  readonly cpuMs: number | undefined;
}

/** Clock ticks in `/proc`, per second. */
const ticksPerSecond = 100;

/**
 * Times of commands that take turns, so that a noisy neighbour disturbs them all.
 * @throws Error for a command that does not end with 0
 */
export function commandTimes(
  contenders: readonly Contender[],
  rounds: number,
  env: Readonly<Record<string, string>>,
): readonly CommandTime[] {
  const series = contenders.map(() => ({ walls: [] as number[], cpuTicks: 0 }));
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { name, command }] of contenders.entries()) {
      const one = series[index];
      if (!one) continue;
      const [ticks, begin] = [childTicks(), performance.now()];
      const [program, ...args] = command;
      const { status, stderr } = spawnSync(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
      one.walls.push(performance.now() - begin);
      one.cpuTicks += childTicks() - ticks;
      if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr.toString('utf8')}`);
    }
  }
  return series.map(({ walls, cpuTicks }) => ({
    wallMs: median(walls),
    cpuMs: Number.isNaN(cpuTicks) ? undefined : ((cpuTicks / ticksPerSecond) * 1000) / rounds,
  }));
}

/** Processor time of all children that have ended, in ticks. What is cut off one reading is in the next. */
function childTicks(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(fields[13]) + Number(fields[14]);
  } catch {
    return Number.NaN;
  }
}
