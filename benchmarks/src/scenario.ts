import type { BenchResult } from './figures/result-line.ts';

/** One benchmark that can be asked for by name. */
export interface Scenario {
  readonly name: string;
  /** One line for the list. */
  readonly summary: string;
  /** One line per option, for the list. */
  readonly options: string;
  /**
   * Measures, and prints a table.
   * @param args what follows the name on the command line
   */
  run(args: readonly string[]): Promise<BenchResult>;
}
