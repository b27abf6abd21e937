import { parseArgs } from 'node:util';
import { OptionError } from '../gateway/bench-options.ts';
import { baseLine, wholeBaseLine } from './case-names.ts';

/** Repetitions where nothing is said, and at most. */
export const repetitionsInitial = 3;
const repetitionsMax = 99;

/** What is measured, and how often. */
export interface PluginBenchOptions {
  readonly repetitions: number;
  /** Whether somebody asked for so many. */
  readonly isCountGiven: boolean;
  /** Names of cases, the base line among them. */
  readonly plugins: readonly string[];
  /** Whether nothing was left out. */
  readonly isWhole: boolean;
}

/** Reads the options. @throws OptionError for an option that does not exist, or a value that is not in its range */
export function readOptions(args: readonly string[], names: readonly string[]): PluginBenchOptions {
  const { repetitions: given, plugins } = valuesOf(args);
  const repetitions = given ?? String(repetitionsInitial);
  const count = Number(repetitions);
  if (!Number.isInteger(count) || count < 1 || count > repetitionsMax) {
    throw new OptionError(`--repetitions must be a whole number from 1 to ${repetitionsMax}, not ${repetitions}`);
  }
  const chosen = plugins?.split(',');
  const odd = chosen?.find((name) => !names.includes(name));
  if (odd !== undefined) throw new OptionError(`--plugins: there is no plugin named ${odd}`);
  return {
    repetitions: count,
    isCountGiven: given !== undefined,
    plugins: chosen === undefined ? names : [...new Set([baseLine, wholeBaseLine, ...chosen])],
    isWhole: chosen === undefined,
  };
}

function valuesOf(args: readonly string[]): { repetitions?: string; plugins?: string } {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ args: [...args], options: { repetitions: text, plugins: text } }).values;
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error));
  }
}
