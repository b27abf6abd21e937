import * as v from 'valibot';
import { choice, configObject, flag, headerName, text, writtenHeaderName } from '../shared/config-fields.ts';
import { crossFieldRule } from '../shared/config-rules.ts';

/** Longest seed, in characters. */
const SEED_LENGTH_MAX = 256;

/** What the decision is made by. Those of one row mean the same. */
export const STRATEGIES = [
  'consistent',
  'deterministic',
  'hash',
  'request_id',
  'trace_id',
  'consumer',
  'client_ip',
  'header',
  'random',
] as const;

const fields = configObject({
  rate: v.pipe(
    v.number('must be a number'),
    v.minValue(0, 'must be at least 0'),
    v.maxValue(1, 'must be at most 1'),
    v.description('Part of the requests whose records are kept: 0 keeps none, 1 all'),
  ),
  seed: v.optional(
    v.pipe(
      v.union(
        [
          text('Text', SEED_LENGTH_MAX, 0),
          v.pipe(
            v.number(),
            v.integer(),
            v.minValue(Number.MIN_SAFE_INTEGER),
            v.maxValue(Number.MAX_SAFE_INTEGER),
            v.description('Number'),
          ),
        ],
        'must be text or a whole number',
      ),
      v.description('Instances of one seed decide alike, those of different seeds independently'),
    ),
  ),
  strategy: v.optional(choice('What the decision is made by', STRATEGIES), 'consistent'),
  header_name: v.optional(
    headerName('Request header by whose value the strategies consistent and header decide; header needs it'),
  ),
  include_decision_header: v.optional(
    flag('Whether the request tells the upstream the decision. When absent: only if decision_header is given'),
  ),
  decision_header: v.optional(
    writtenHeaderName('Request header that tells the decision, 1 or 0; X-Sampling-Decision when absent'),
  ),
});

/** Config of `sampling`. */
export const config = crossFieldRule(fields, ({ strategy, header_name: name }) => [
  ...(strategy === 'header' && name === undefined
    ? [{ field: 'header_name', message: 'is required by the strategy header' }]
    : []),
  ...(name !== undefined && !HEADER_STRATEGIES.has(strategy)
    ? [{ field: 'header_name', message: `means nothing to the strategy ${strategy}` }]
    : []),
]);

/** Those that look at a header. */
const HEADER_STRATEGIES: ReadonlySet<string> = new Set(['consistent', 'deterministic', 'hash', 'header']);

/** See {@link config}. Rules between fields do not change its form. */
export type Config = v.InferOutput<typeof fields>;
