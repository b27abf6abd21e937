import { parseArgs } from 'node:util';
import { databaseKinds } from '../admin-api/options.ts';
import type { DatabaseKind } from '../admin-api/options.ts';
import { OptionError } from '../gateway/bench-options.ts';

/** How much is measured. */
export interface ConfigOptions {
  readonly repetitions: number;
  /** Entities of the bundles, ascending. */
  readonly sizes: readonly number[];
  /** The bundle of the no-op sync that has figures of its own; 0 leaves it out. */
  readonly routes: number;
  readonly consumers: number;
  readonly databases: readonly DatabaseKind[];
  /** Whether the library is measured alone, too; parsing YAML is what takes long. */
  readonly library: boolean;
  /** Another built control plane to measure instead of this tree's. */
  readonly adminApi: string | undefined;
  /** Folder for CPU profiles of the control plane's threads. */
  readonly profiles: string | undefined;
}

const sizeMin = 100;
const sizeMax = 150_000;
const sizesMax = 8;
const repetitionsMax = 99;
const initial = { repetitions: '3', sizes: '1000,10000,100000', routes: '10000', consumers: '50000' } as const;

/** One line for each option, for the list of scenarios. */
export const configOptionHelp: string = [
  `  --repetitions N (default ${initial.repetitions}, 1 to ${repetitionsMax})`,
  `  --sizes N,… (entities of a bundle; default ${initial.sizes}, ${sizeMin} to ${sizeMax})`,
  `  --routes N --consumers N (of one more sync without changes; default ${initial.routes} and ${initial.consumers}, 0: none)`,
  `  --databases ${databaseKinds.join(',')} (those to measure on; default all; "none": the library alone)`,
  '  --skip-library (the control plane only)',
  '  --admin-api FILE (another built main.js of the control plane; nothing is built then)',
  '  --profiles FOLDER (CPU profiles of the control plane go there)',
].join('\n');

/** Reads the options of the scenario. @throws OptionError for an unknown option, or a value that is not in its range */
export function parseConfigOptions(args: readonly string[]): ConfigOptions {
  const text = { type: 'string' } as const;
  const names = { repetitions: text, sizes: text, routes: text, consumers: text, databases: text, profiles: text };
  const values = parse(() =>
    parseArgs({ args: [...args], options: { ...names, 'admin-api': text, 'skip-library': { type: 'boolean' } } }),
  );
  const whole = (name: string, given: string, min: number, max: number): number => {
    const value = Number(given);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new OptionError(`--${name} must be a whole number from ${min} to ${max}, not ${given}`);
  };
  const sizes = (values.sizes ?? initial.sizes).split(',').map((size) => whole('sizes', size, sizeMin, sizeMax));
  if (sizes.length > sizesMax) throw new OptionError(`--sizes takes at most ${sizesMax}`);
  return {
    repetitions: whole('repetitions', values.repetitions ?? initial.repetitions, 1, repetitionsMax),
    sizes: sizes.toSorted((left, right) => left - right),
    routes: whole('routes', values.routes ?? initial.routes, 0, sizeMax),
    consumers: whole('consumers', values.consumers ?? initial.consumers, 0, sizeMax),
    databases: databasesOf(values.databases),
    library: values['skip-library'] !== true,
    adminApi: values['admin-api'],
    profiles: values.profiles,
  };
}

function databasesOf(text: string | undefined): readonly DatabaseKind[] {
  if (text === undefined) return databaseKinds;
  if (text === 'none') return [];
  const named = text.split(',');
  const known = databaseKinds.filter((kind) => named.includes(kind));
  if (known.length === named.length) return known;
  throw new OptionError(`--databases takes ${databaseKinds.join(' and ')}, or none, not ${text}`);
}

function parse<T>(attempt: () => { values: T }): T {
  try {
    return attempt().values;
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error));
  }
}
