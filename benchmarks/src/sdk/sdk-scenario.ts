import { parseDescription, readDescription } from '@portcullis/openapi';
import { generateSdk, sdkTargets } from '@portcullis/sdk-generator';
import { median } from '../figures/quantile.ts';
import { textTable } from '../figures/table.ts';
import { numberOptionHelp, parseNumberOptions } from '../number-options.ts';
import type { Scenario } from '../scenario.ts';
import { largeDocument } from './large-document.ts';

const options = {
  operations: { initial: 600, min: 1, max: 2000 },
  rounds: { initial: 5, min: 1, max: 100 },
} as const;

/** What it costs to make a client library of a large description, beside reading the description. */
export const sdkScenario: Scenario = {
  name: 'sdk',
  summary: 'client libraries of a description with 600 operations: processor time and bytes, by language',
  options: numberOptionHelp(options),
  run: async (args) => {
    const { operations, rounds } = parseNumberOptions(args, options);
    const text = JSON.stringify(largeDocument(operations));
    const read = (): unknown => {
      const parsed = parseDescription(text);
      if (!parsed.ok || !readDescription(parsed.document).ok) throw new Error('the description is refused');
      return parsed.document;
    };
    const document = read();
    const readTimes: number[] = [];
    const series = sdkTargets.map((target) => ({ target, seconds: [] as number[], bytes: 0 }));
    // By turns, after a round that does not count: a noisy neighbour disturbs all.
    for (let round = 0; round <= rounds; round += 1) {
      const readSeconds = cpuSeconds(read);
      if (round > 0) readTimes.push(readSeconds);
      for (const one of series) {
        const seconds = cpuSeconds(() => {
          const generation = generateSdk(document, { target: one.target });
          if (!generation.ok) throw new Error(`${one.target}: ${JSON.stringify(generation.problems[0])}`);
          one.bytes = generation.sdk.bytes.length;
        });
        if (round > 0) one.seconds.push(seconds);
      }
    }
    const reading = median(readTimes);
    const rows = series.map(({ target, seconds, bytes }) => ({ target, seconds: median(seconds), bytes }));
    const cells = rows.map((row) => [
      row.target,
      row.seconds.toFixed(3),
      (row.seconds / reading).toFixed(1),
      row.bytes.toLocaleString('en'),
    ]);
    console.log(
      `${operations} operations, ${text.length.toLocaleString('en')} bytes of JSON, read in ${reading.toFixed(3)} s\n`,
    );
    console.log(textTable(['library', 'CPU s', 'to reading', 'bytes'], cells));
    return {
      bench: 'sdk',
      ratios: Object.fromEntries(rows.map(({ target, seconds }) => [target, seconds / reading])),
      figures: {
        read_cpu_seconds: reading,
        ...Object.fromEntries(rows.map(({ target, seconds, bytes }) => [target, { cpu_seconds: seconds, bytes }])),
      },
    };
  },
};

/** Processor time of some work in this process, collections of garbage included. */
function cpuSeconds(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
