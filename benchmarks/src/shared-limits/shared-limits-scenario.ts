import { fileURLToPath } from 'node:url';
import { hasRedis } from '@portcullis/testkit';
import { textTable } from '../figures/table.ts';
import { OptionError } from '../gateway/bench-options.ts';
import { startChild } from '../machine/child.ts';
import type { Scenario } from '../scenario.ts';

const childLimitMs = 300_000;

const program = fileURLToPath(new URL('./shared-limits.process.ts', import.meta.url));

type Figures = Readonly<
  Record<string, { readonly per_second: number; readonly own_us: number; readonly redis_us: number }>
>;

/** Limits that several gateways share, beside those of rate-limiter-flexible. Source: the goals of the plugins in benchmarks/README.md. */
export const sharedLimitsScenario: Scenario = {
  name: 'shared-limits',
  summary: 'limits in Redis beside rate-limiter-flexible on the same client, 64 requests at a time',
  options: '  (none; needs redis-server)',
  async run(args) {
    if (args.length > 0) throw new OptionError('shared-limits takes no options');
    if (!hasRedis) throw new OptionError('redis-server is not installed');
    const command = [process.execPath, '--conditions=@portcullis/source', program] as const;
    const figures = JSON.parse(await startChild([...command], {}, childLimitMs).output) as Figures;
    const rows = Object.entries(figures).map(([name, { per_second: calls, own_us: own, redis_us: redis }]) => [
      name,
      calls.toFixed(0),
      own.toFixed(1),
      redis.toFixed(1),
    ]);
    console.log(`\n${textTable(['limiter', 'calls / s', 'own µs / call', 'Redis µs / call'], rows)}\n`);
    const ratio = (one: string, other: string): number => (figures[one]?.own_us ?? 0) / (figures[other]?.own_us ?? 1);
    return {
      bench: 'shared-limits',
      ratios: {
        own_time_to_flexible: ratio('rate_limiter', 'flexible'),
        own_time_to_flexible_pipelined: ratio('rate_limiter', 'flexible_pipelined'),
        own_time_to_flexible_in_plugin: ratio('rate_limiter', 'flexible_in_plugin'),
        three_windows_to_one: ratio('rate_limiter_three_windows', 'rate_limiter'),
        sync_rate_to_local: ratio('rate_limiter_sync_rate', 'rate_limiter_local'),
      },
      figures,
    };
  },
};
