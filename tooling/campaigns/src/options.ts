import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { OptionError } from './campaign.ts';

/** Databases that a campaign runs on. */
export const databaseKinds = ['sqlite', 'postgres'] as const;

/** See {@link databaseKinds}. */
export type DatabaseKind = (typeof databaseKinds)[number];

/** How much a campaign does, and with what. */
export interface CampaignOptions {
  /** Rounds on all databases together; they take turns. */
  readonly rounds: number;
  /** Index of the first round: one that failed is repeated by beginning with it. */
  readonly first: number;
  /** No round begins later than this, in minutes. */
  readonly minutes: number;
  /** Decides everything that is drawn. */
  readonly seed: number;
  readonly databases: readonly DatabaseKind[];
  /** Kinds of work to draw from; all that the campaign knows by default. None where there is but one. */
  readonly operations: readonly string[];
  /** The built control plane. */
  readonly adminApi: string;
}

/** What differs between campaigns. */
export interface OptionDefaults {
  readonly rounds: number;
  readonly operations: readonly string[];
}

/** Bounds that keep a run finite. */
const limits = {
  rounds: { min: 1, max: 1_000_000 },
  first: { min: 0, max: 1_000_000 },
  minutes: { min: 1, max: 24 * 60 },
  seed: { min: 0, max: 2 ** 31 - 1 },
} as const;

const minutesDefault = 60;
const seedDefault = 1;
const builtAdminApi = fileURLToPath(new URL('../../../apps/admin-api/dist/main.js', import.meta.url));

/** One line for each option, for the list of campaigns. */
export function optionHelp({ rounds, operations }: OptionDefaults): string {
  return [
    `  --minutes N (no round begins later; default ${minutesDefault})`,
    `  --rounds N (default ${rounds}; without limit when only --minutes is given)`,
    `  --seed N (default ${seedDefault})`,
    '  --first N (index of the first round; default 0)',
    `  --databases ${databaseKinds.join(',')} (default all that can be reached)`,
    ...(operations.length === 0 ? [] : [`  --operations ${operations.join(',')} (default all)`]),
    "  --admin-api FILE (another built main.js of the control plane; default this tree's)",
  ].join('\n');
}

/**
 * Reads the options of a campaign.
 * @throws OptionError for an option that does not exist, or a value that is not in its range
 */
export function parseOptions(args: readonly string[], defaults: OptionDefaults): CampaignOptions {
  const values = valuesOf(args);
  const whole = (name: keyof typeof limits, fallback: number): number => {
    const { min, max } = limits[name];
    const value = Number(values[name] ?? fallback);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new OptionError(`--${name} must be a whole number from ${min} to ${max}, not ${values[name]}`);
  };
  return {
    rounds: whole('rounds', values.minutes === undefined ? defaults.rounds : limits.rounds.max),
    first: whole('first', 0),
    minutes: whole('minutes', minutesDefault),
    seed: whole('seed', seedDefault),
    databases: listed('databases', values.databases, databaseKinds),
    operations: listed('operations', values.operations, defaults.operations),
    adminApi: values['admin-api'] ?? builtAdminApi,
  };
}

function valuesOf(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = { rounds: text, first: text, minutes: text, seed: text, databases: text, operations: text };
  try {
    return parseArgs({ args: [...args], options: { ...options, 'admin-api': text } }).values;
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error));
  }
}

function listed<Name extends string>(
  option: string,
  text: string | undefined,
  known: readonly Name[],
): readonly Name[] {
  if (text === undefined) return known;
  const named = text.split(',');
  const found = known.filter((name) => named.includes(name));
  if (found.length === named.length) return found;
  throw new OptionError(`--${option} takes ${known.join(', ')}, with commas between them, not ${text}`);
}
