import { parseArgs } from 'node:util';
import { OptionError } from '../gateway/bench-options.ts';

/** How much is measured. */
export interface ChangesOptions {
  /** Sizes of the table, one run each. */
  readonly routes: readonly number[];
  /** Times that a route is made, changed and deleted. */
  readonly cycles: number;
  /** Connections of the steady load. */
  readonly connections: number;
}

const routesMax = 1_000_000;
const cyclesMax = 10_000;
const connectionsMax = 256;

/** One line for each option. */
export const changesOptionHelp = `  --routes N,N,… (default 1000,100000)
  --cycles N (each makes, changes and deletes a route; default 40)
  --connections N (of the load meanwhile; default 4)`;

/** @throws OptionError naming the option that is wrong */
export function parseChangesOptions(args: readonly string[]): ChangesOptions {
  const text = { type: 'string' } as const;
  const values = ((): { routes?: string; cycles?: string; connections?: string } => {
    try {
      return parseArgs({ args: [...args], options: { routes: text, cycles: text, connections: text } }).values;
    } catch (error) {
      throw new OptionError(error instanceof Error ? error.message : String(error));
    }
  })();
  const whole = (name: string, value: string, max: number): number => {
    const number = Number(value);
    if (Number.isInteger(number) && number >= 1 && number <= max) return number;
    throw new OptionError(`--${name} must be a whole number from 1 to ${max}, not ${value}`);
  };
  return {
    routes: (values.routes ?? '1000,100000').split(',').map((part) => whole('routes', part, routesMax)),
    cycles: whole('cycles', values.cycles ?? '40', cyclesMax),
    connections: whole('connections', values.connections ?? '4', connectionsMax),
  };
}
