import { numberOptionHelp, parseNumberOptions } from '../number-options.ts';

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
export const aiOptionHelp: string = numberOptionHelp(numbers);

/** Reads the options. @throws OptionError for one that does not exist, or a value that is not in its range */
export function parseAiOptions(args: readonly string[]): AiOptions {
  const { 'memory-requests': memoryRequests, ...rest } = parseNumberOptions(args, numbers);
  return { ...rest, memoryRequests };
}
