import { parseArgs } from 'node:util';
import { peerNames } from './peer-list.ts';

/** How much a scenario measures. */
export interface BenchOptions {
  readonly repetitions: number;
  /** Measured requests of one peer in one repetition. */
  readonly requests: number;
  /** Keep-alive connections that the load uses. */
  readonly connections: number;
  /** Requests before the measured ones, so that code is compiled and connections are open. */
  readonly warmUp: number;
  /** Another built gateway to measure instead of this tree's. */
  readonly gateway: string | undefined;
  /** Names of the peers that are measured. */
  readonly peers: readonly string[];
}

/** The command line is not understood; the message says what is. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
  readonly code = 'bench_option';
}

/** Options that are whole numbers: default and largest value. The bounds keep memory and time finite. */
const numbers = {
  repetitions: { initial: 5, max: 99 },
  requests: { initial: 60_000, max: 2_000_000 },
  connections: { initial: 64, max: 1000 },
  'warm-up': { initial: 15_000, max: 1_000_000 },
} as const;

/** One line for each option, for the list of scenarios. */
export const optionHelp: string = [
  ...Object.entries(numbers).map(([name, { initial, max }]) => `  --${name} N (default ${initial}, at most ${max})`),
  `  --peers NAME,NAME,… (of gateway and proxy; of ${peerNames.join(', ')}; all of them in gateway)`,
  '  --gateway FILE (another built main.js of the gateway; nothing of it is built then)',
].join('\n');

/**
 * Reads the options of a scenario.
 * @param without options that mean nothing to it, and are refused
 * @throws OptionError for an option that does not exist, or a value that is not in its range
 */
export function parseBenchOptions(args: readonly string[], without: readonly string[] = []): BenchOptions {
  const text = { type: 'string' } as const;
  const odd = without.find((name) => args.some((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`)));
  if (odd !== undefined) throw new OptionError(`--${odd} means nothing to this benchmark`);
  const values = parse(() =>
    parseArgs({
      args: [...args],
      options: { repetitions: text, requests: text, connections: text, 'warm-up': text, gateway: text, peers: text },
    }),
  );
  const read = (name: keyof typeof numbers): number => {
    const { initial, max } = numbers[name];
    const value = Number(values[name] ?? initial);
    if (Number.isInteger(value) && value >= 1 && value <= max) return value;
    throw new OptionError(`--${name} must be a whole number from 1 to ${max}, not ${values[name]}`);
  };
  return {
    repetitions: read('repetitions'),
    requests: read('requests'),
    connections: read('connections'),
    warmUp: read('warm-up'),
    gateway: values.gateway,
    peers: readPeers(values.peers),
  };
}

function readPeers(text: string | undefined): readonly string[] {
  if (text === undefined) return peerNames;
  const named = text.split(',').map((name) => name.trim());
  const odd = named.find((name) => !peerNames.includes(name));
  if (odd !== undefined) throw new OptionError(`--peers: there is no peer named ${odd}`);
  return named;
}

function parse<T>(attempt: () => { values: T }): T {
  try {
    return attempt().values;
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error));
  }
}
