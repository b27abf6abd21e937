import type { Command } from 'commander';
import { timeoutMsOfEnvironment, variables } from '../contexts/environment.ts';
import { defaultTimeoutMs } from '../options.ts';

/** Loads a command: it gets all options and its arguments, and gives the exit code. */
export type Load = () => Promise<(options: never, ...args: never[]) => number | Promise<number>>;

/** Makes commander's action out of a command. */
export type Run = (load: Load) => (...received: unknown[]) => Promise<void>;

/** The option that names the tenant, for every command that works on one. */
export const tenantOption = [
  '--tenant-id <id>',
  `tenant (env: ${variables.tenantId}; default: the context's)`,
] as const;

/**
 * Makes actions that load their command only when it is run, so that `--help` is there at once.
 * @param finish gets the exit code of the command that ran
 */
export function runner(finish: (exitCode: number) => void): Run {
  return (load) =>
    async (...received) => {
      const { timeout, ...options } = (received.at(-1) as Command).optsWithGlobals();
      const timeoutMs = (timeout as number | undefined) ?? timeoutMsOfEnvironment() ?? defaultTimeoutMs;
      const [command, args] = [await load(), received.slice(0, -2)] as const;
      finish(await Reflect.apply(command, undefined, [{ ...options, timeoutMs }, ...args]));
    };
}
