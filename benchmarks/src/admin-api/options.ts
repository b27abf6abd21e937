import { parseArgs } from 'node:util';
import { OptionError } from '../gateway/bench-options.ts';

/** Databases that the administration API is measured on. */
export const databaseKinds = ['sqlite', 'postgres'] as const;

/** See {@link databaseKinds}. */
export type DatabaseKind = (typeof databaseKinds)[number];

/** How much is measured. */
export interface AdminOptions {
  readonly repetitions: number;
  /** Operations of each kind in one repetition. */
  readonly operations: number;
  /** Routes of the one gateway whose pages are listed. */
  readonly routes: number;
  /** Requests for each of the two pages in one repetition. */
  readonly pages: number;
  readonly databases: readonly DatabaseKind[];
  /** Another built control plane to measure instead of this tree's. */
  readonly adminApi: string | undefined;
}

/** Options that are whole numbers: default and bounds. They keep memory and time finite. */
const numbers = {
  repetitions: { initial: 5, min: 1, max: 99 },
  operations: { initial: 2000, min: 16, max: 100_000 },
  routes: { initial: 100_000, min: 100, max: 1_000_000 },
  pages: { initial: 40, min: 1, max: 10_000 },
} as const;

/** One line for each option, for the list of scenarios. */
export const adminOptionHelp: string = [
  ...Object.entries(numbers).map(
    ([name, { initial, min, max }]) => `  --${name} N (default ${initial}, ${min} to ${max})`,
  ),
  `  --databases ${databaseKinds.join(',')} (those to measure on; default all)`,
  '  --admin-api FILE (another built main.js of the control plane; nothing is built then)',
].join('\n');

/**
 * Reads the options of the scenario.
 * @throws OptionError for an option that does not exist, or a value that is not in its range
 */
export function parseAdminOptions(args: readonly string[]): AdminOptions {
  const text = { type: 'string' } as const;
  const options = { repetitions: text, operations: text, routes: text, pages: text, databases: text };
  const values = parse(() => parseArgs({ args: [...args], options: { ...options, 'admin-api': text } }));
  const read = (name: keyof typeof numbers): number => {
    const { initial, min, max } = numbers[name];
    const value = Number(values[name] ?? initial);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new OptionError(`--${name} must be a whole number from ${min} to ${max}, not ${values[name]}`);
  };
  return {
    repetitions: read('repetitions'),
    operations: read('operations'),
    routes: read('routes'),
    pages: read('pages'),
    databases: databasesOf(values.databases),
    adminApi: values['admin-api'],
  };
}

function databasesOf(text: string | undefined): readonly DatabaseKind[] {
  if (text === undefined) return databaseKinds;
  const named = text.split(',');
  const known = databaseKinds.filter((kind) => named.includes(kind));
  if (known.length === named.length) return known;
  throw new OptionError(`--databases takes ${databaseKinds.join(' and ')}, with a comma between them, not ${text}`);
}

function parse<T>(attempt: () => { values: T }): T {
  try {
    return attempt().values;
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error));
  }
}
