import { parseArgs } from 'node:util';
import { OptionError } from './gateway/bench-options.ts';

/** Options that are whole numbers: name, default, and the range that keeps memory and time finite. */
export type NumberOptions = Readonly<
  Record<string, { readonly initial: number; readonly min: number; readonly max: number }>
>;

/** One line for each option, for the list of scenarios. */
export function numberOptionHelp(numbers: NumberOptions): string {
  return Object.entries(numbers)
    .map(([name, { initial, min, max }]) => `  --${name} N (default ${initial}, ${min} to ${max})`)
    .join('\n');
}

/** Reads the options of a command line. @throws OptionError for one that does not exist, or a value that is not in its range */
export function parseNumberOptions<Numbers extends NumberOptions>(
  args: readonly string[],
  numbers: Numbers,
): Readonly<Record<keyof Numbers, number>> {
  const known = Object.keys(numbers).map((name) => [name, { type: 'string' }] as const);
  let values: Readonly<Record<string, string | boolean | undefined>>;
  try {
    ({ values } = parseArgs({ args: [...args], options: Object.fromEntries(known) }));
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error));
  }
  const read = Object.entries(numbers).map(([name, { initial, min, max }]) => {
    const value = Number(values[name] ?? initial);
    if (Number.isInteger(value) && value >= min && value <= max) return [name, value] as const;
    throw new OptionError(`--${name} must be a whole number from ${min} to ${max}, not ${values[name]}`);
  });
  return Object.fromEntries(read) as Readonly<Record<keyof Numbers, number>>;
}
