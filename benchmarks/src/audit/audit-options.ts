import { parseArgs } from 'node:util';
import { databaseKinds, type DatabaseKind } from '../admin-api/options.ts';
import { OptionError } from '../gateway/bench-options.ts';

/** How much is measured. */
export interface AuditOptions {
  /** Writers at once, of the appends. */
  readonly writers: readonly number[];
  readonly turns: number;
  readonly turnMs: number;
  /** Records of the log that is verified. */
  readonly records: number;
  /** Writes through HTTP. */
  readonly calls: number;
  readonly databases: readonly DatabaseKind[];
  /** Another built control plane to measure instead of this tree's. */
  readonly adminApi: string | undefined;
}

const initial = { writers: '1,4,16', turns: '5', 'turn-ms': '3000', records: '1000000', calls: '10000' } as const;

/** One line for each option, for the list of scenarios. */
export const auditOptionHelp: string = [
  `  --writers N,… (of the appends at once; default ${initial.writers})`,
  `  --turns N --turn-ms N (with and without the chain; default ${initial.turns} and ${initial['turn-ms']})`,
  `  --records N (of the log that is verified; default ${initial.records}; 0: none)`,
  `  --calls N (writes through HTTP; default ${initial.calls}; 0: none)`,
  `  --databases ${databaseKinds.join(',')} (default all)`,
  '  --admin-api FILE (another built main.js of the control plane; nothing is built then)',
].join('\n');

/** Reads the options. @throws OptionError for an unknown option, or a value that is not in its range */
export function parseAuditOptions(args: readonly string[]): AuditOptions {
  const values = valuesOf(args);
  const whole = (name: string, text: string, min: number, max: number): number => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new OptionError(`--${name} must be a whole number from ${min} to ${max}, not ${text}`);
  };
  const named = values.databases?.split(',') ?? [...databaseKinds];
  const databases = databaseKinds.filter((kind) => named.includes(kind));
  if (databases.length !== named.length) throw new OptionError(`--databases takes ${databaseKinds.join(', ')}`);
  return {
    writers: (values.writers ?? initial.writers).split(',').map((text) => whole('writers', text, 1, 64)),
    turns: whole('turns', values.turns ?? initial.turns, 1, 1000),
    turnMs: whole('turn-ms', values['turn-ms'] ?? initial['turn-ms'], 100, 600_000),
    records: whole('records', values.records ?? initial.records, 0, 100_000_000),
    calls: whole('calls', values.calls ?? initial.calls, 0, 10_000_000),
    databases,
    adminApi: values['admin-api'],
  };
}

function valuesOf(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = { writers: text, turns: text, 'turn-ms': text, records: text, calls: text, databases: text };
  try {
    return parseArgs({ args: [...args], options: { ...options, 'admin-api': text } }).values;
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error));
  }
}
