import { textTable } from '../figures/table.ts';

/** Nanoseconds of one request or question, by who was asked; see `comparisons.process.ts`. */
export type Comparison = Readonly<Record<string, number>>;

/** What is compared with what, by the ratio's name. `added`: minus what the empty plugin costs. */
const pairs: Readonly<Record<string, readonly [string, string, 'whole' | 'added']>> = {
  rate_limiter_to_flexible: ['rate_limiter', 'rate_limiter_flexible', 'added'],
  rate_limiter_no_headers_to_flexible: ['rate_limiter_no_headers', 'rate_limiter_flexible', 'added'],
  address_set_10000_to_1: ['set_10000', 'set_1', 'whole'],
  ip_whitelist_10000_to_1_whole_call: ['ip_whitelist_10000', 'ip_whitelist_1', 'whole'],
  address_set_1_to_block_list: ['set_1', 'block_list_1', 'whole'],
  address_set_10000_to_block_list: ['set_10000', 'block_list_10000', 'whole'],
  json_transform_10k_to_parse_and_stringify: ['json_transform_10k', 'json_parse_stringify_10k', 'added'],
  oas_validation_1k_to_ajv: ['oas_validation_1k', 'ajv_compiled_1k', 'added'],
  oas_validation_patterns_1k_to_ajv: ['oas_validation_patterns_1k', 'ajv_patterns_1k', 'added'],
  redis_limiter_to_round_trip: ['redis_rate_limiter', 'redis_round_trip', 'whole'],
};

/** The ratios of those that were measured. */
export function comparisonRatios(times: Comparison): Readonly<Record<string, number>> {
  const { empty = 0 } = times;
  return Object.fromEntries(
    Object.entries(pairs).flatMap(([name, [left, right, kind]]) => {
      const [ours, theirs] = [times[left], times[right]];
      return ours === undefined || theirs === undefined
        ? []
        : [[name, (kind === 'added' ? ours - empty : ours) / theirs] as const];
    }),
  );
}

/** All times and ratios as text. */
export function comparisonText(times: Comparison): string {
  const rows = Object.entries(times).map(([name, ns]) => [name, ns.toFixed(0)]);
  const ratios = Object.entries(comparisonRatios(times)).map(([name, ratio]) => `${name}: ${ratio.toFixed(2)}`);
  return `${textTable(['compared in one process', 'ns'], rows)}\n\n${ratios.join('\n')}`;
}
