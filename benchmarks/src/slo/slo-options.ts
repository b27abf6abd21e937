import { parseArgs } from 'node:util';
import { databaseKinds, type DatabaseKind } from '../admin-api/options.ts';
import { OptionError } from '../gateway/bench-options.ts';

/** How much is measured. */
export interface SloOptions {
  readonly seconds: number;
  /** Observations a second. */
  readonly rate: number;
  /** Turns of the ingest beside plain inserts. */
  readonly turns: number;
  /** Objectives that are evaluated at once. */
  readonly objectives: number;
  readonly databases: readonly DatabaseKind[];
}

const initial = { seconds: '60', rate: '10000', turns: '7', objectives: '1000' } as const;

/** One line for each option, for the list of scenarios. */
export const sloOptionHelp: string = [
  `  --seconds N --rate N (of the load: observations a second; default ${initial.seconds} and ${initial.rate})`,
  `  --turns N (of the ingest beside plain inserts; default ${initial.turns})`,
  `  --objectives N (that are evaluated at once; default ${initial.objectives})`,
  `  --databases ${databaseKinds.join(',')} (default all)`,
].join('\n');

/** Reads the options. @throws OptionError for an unknown option, or a value that is not in its range */
export function parseSloOptions(args: readonly string[]): SloOptions {
  const values = valuesOf(args);
  const whole = (name: keyof typeof initial, min: number, max: number): number => {
    const value = Number(values[name] ?? initial[name]);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new OptionError(`--${name} must be a whole number from ${min} to ${max}, not ${values[name]}`);
  };
  const named = values.databases?.split(',') ?? [...databaseKinds];
  const databases = databaseKinds.filter((kind) => named.includes(kind));
  if (databases.length !== named.length) throw new OptionError(`--databases takes ${databaseKinds.join(', ')}`);
  return {
    seconds: whole('seconds', 1, 3600),
    rate: whole('rate', 100, 1_000_000),
    turns: whole('turns', 1, 100),
    objectives: whole('objectives', 10, 5000),
    databases,
  };
}

function valuesOf(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = { seconds: text, rate: text, turns: text, objectives: text, databases: text };
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error));
  }
}
