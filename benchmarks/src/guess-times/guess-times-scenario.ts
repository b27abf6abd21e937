import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { BenchResult } from '../figures/result-line.ts';
import { textTable } from '../figures/table.ts';
import { OptionError } from '../gateway/bench-options.ts';
import { startChild } from '../machine/child.ts';
import type { Scenario } from '../scenario.ts';

const guessesInitial = 100_000;
const guessesMax = 10_000_000;
const limitMs = 1_800_000;

const program = fileURLToPath(new URL('guess-times.process.ts', import.meta.url));

/**
 * Whether the time of a refusal tells how much of a guess is right. It is no check that fails, because time is measured; a size of t
 * that stays above 4.5 from run to run is a leak. Source: security rules, API keys in plugin config.
 */
export const guessTimesScenario: Scenario = {
  name: 'guess-times',
  summary: 'whether guesses that begin like a key, token or session are refused in another time than others',
  options: `  --guesses N (of each plugin; default ${guessesInitial})`,
  async run(args): Promise<BenchResult> {
    const guesses = readGuesses(args);
    const command = [process.execPath, '--conditions=@portcullis/source', program, `${guesses}`] as const;
    const figures = JSON.parse(await startChild(command, {}, limitMs).output) as Record<string, number>;
    const rows = Object.entries(figures).map(([name, t]) => [name, t.toFixed(2)]);
    console.log(`\n${textTable(['plugin', "Welch's t"], rows)}\n`);
    return { bench: guessTimesScenario.name, ratios: {}, figures: { guesses, welch_t: figures } };
  },
};

function readGuesses(args: readonly string[]): number {
  const values = ((): { guesses?: string } => {
    try {
      return parseArgs({ args: [...args], options: { guesses: { type: 'string' } } }).values;
    } catch (error) {
      throw new OptionError(error instanceof Error ? error.message : String(error));
    }
  })();
  const guesses = Number(values.guesses ?? guessesInitial);
  if (Number.isInteger(guesses) && guesses >= 1000 && guesses <= guessesMax) return guesses;
  throw new OptionError(`--guesses must be a whole number from 1000 to ${guessesMax}, not ${values.guesses}`);
}
