import { parseArgs } from 'node:util';
import { OptionError } from '../gateway/bench-options.ts';

/** How much the AI scenario measures. */
export interface AiOptions {
  readonly repetitions: number;
  /** Measured requests of one peer, kind and repetition. */
  readonly requests: number;
  readonly connections: number;
  /** Streams of each place whose time to the first event is taken. */
  readonly streams: number;
  /** Requests over which the gateway's memory is watched; 0 for none. */
  readonly memoryRequests: number;
}

const numbers = {
  repetitions: { initial: 3, min: 1, max: 99 },
  requests: { initial: 12_000, min: 100, max: 1_000_000 },
  connections: { initial: 32, min: 1, max: 1000 },
  streams: { initial: 500, min: 10, max: 100_000 },
  'memory-requests': { initial: 100_000, min: 0, max: 10_000_000 },
} as const;

/** One line for each option. */
export const aiOptionHelp: string = Object.entries(numbers)
  .map(([name, { initial, min, max }]) => `  --${name} N (default ${initial}, ${min} to ${max})`)
  .join('\n');

/** Reads the options. @throws OptionError for one that does not exist, or a value that is not in its range */
export function parseAiOptions(args: readonly string[]): AiOptions {
  const text = { type: 'string' } as const;
  let values: Readonly<Record<string, string | undefined>>;
  try {
    const options = { repetitions: text, requests: text, connections: text, streams: text, 'memory-requests': text };
    ({ values } = parseArgs({ args: [...args], options }));
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error));
  }
  const read = (name: keyof typeof numbers): number => {
    const { initial, min, max } = numbers[name];
    const value = Number(values[name] ?? initial);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new OptionError(`--${name} must be a whole number from ${min} to ${max}, not ${values[name]}`);
  };
  return {
    repetitions: read('repetitions'),
    requests: read('requests'),
    connections: read('connections'),
    streams: read('streams'),
    memoryRequests: read('memory-requests'),
  };
}
