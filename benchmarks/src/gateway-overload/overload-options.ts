import { parseArgs } from 'node:util';
import { OptionError } from '../gateway/bench-options.ts';
import { modes, type Mode } from '../peers/terms.ts';

/** How the gateway is overloaded. */
export interface OverloadOptions {
  readonly mode: Mode;
  /** Multiple of the capacity. */
  readonly times: number;
  /** Length of the overload, and of the calm after it. */
  readonly seconds: number;
  readonly connections: number;
  /** Processor time that a plugin takes of each request that is let in, in microseconds. */
  readonly workUs: number;
  /** Another built gateway to measure instead of this tree's. */
  readonly gateway: string | undefined;
}

/** One line for each option. */
export const overloadOptionHelp = `  --mode plain|policies (default plain)
  --times N (of the capacity that is measured first; default 3)
  --seconds N (of overload, and of calm after it; default 10)
  --connections N (of the open load; default 2000)
  --work-us N (processor time that a plugin takes of each request; default 300, 1 is none)
  --gateway FILE (another built main.js of the gateway; nothing of it is built then)`;

/** @throws OptionError naming the option that is wrong */
export function parseOverloadOptions(args: readonly string[]): OverloadOptions {
  const text = { type: 'string' } as const;
  const options = { mode: text, times: text, seconds: text, connections: text, 'work-us': text, gateway: text };
  const values = ((): Partial<Record<keyof typeof options, string>> => {
    try {
      return parseArgs({ args: [...args], options }).values;
    } catch (error) {
      throw new OptionError(error instanceof Error ? error.message : String(error));
    }
  })();
  const number = (name: string, value: string, most: number): number => {
    const read = Number(value);
    if (read >= 1 && read <= most) return read;
    throw new OptionError(`--${name} must be a number from 1 to ${most}, not ${value}`);
  };
  const mode = modes.find((one) => one === (values.mode ?? 'plain'));
  if (mode === undefined) throw new OptionError(`--mode must be one of ${modes.join(', ')}`);
  return {
    mode,
    times: number('times', values.times ?? '3', 100),
    seconds: number('seconds', values.seconds ?? '10', 600),
    connections: Math.round(number('connections', values.connections ?? '2000', 15_000)),
    workUs: number('work-us', values['work-us'] ?? '300', 100_000),
    gateway: values.gateway,
  };
}
