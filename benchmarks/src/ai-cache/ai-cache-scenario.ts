import { fileURLToPath } from 'node:url';
import type { BenchResult } from '../figures/result-line.ts';
import { textTable } from '../figures/table.ts';
import { startChild } from '../machine/child.ts';
import type { Scenario } from '../scenario.ts';

const limitMs = 300_000;

/** What caches and guards cost in the router itself, without a connection. Source: goals of AI caches in benchmarks/README.md. */
export const aiCacheScenario: Scenario = {
  name: 'ai-cache',
  summary: 'an exact hit, a search by meaning among 2,000 questions and guards on 10 KiB, in the AI router alone',
  options: '  none',
  run,
};

async function run(): Promise<BenchResult> {
  const program = fileURLToPath(new URL('./ai-cache.process.ts', import.meta.url));
  const command = [process.execPath, '--conditions=@portcullis/source', program] as const;
  const times = JSON.parse(await startChild(command, {}, limitMs).output) as Readonly<Record<string, number>>;
  const rows = Object.entries(times).map(([name, us]) => [name, us.toFixed(1)]);
  console.log(`\n${textTable(['what', 'µs of processor'], rows)}\n`);
  const { exact_hit: hit = 0, without_cache: without = 1 } = times;
  return {
    bench: aiCacheScenario.name,
    ratios: { exact_hit_to_call: hit / without },
    figures: { microseconds: { ...times } },
  };
}
