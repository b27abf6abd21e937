import { exitCodes } from '../failure.ts';
import { scripts } from '../completion/scripts.ts';
import type { Shell } from '../completion/shells.ts';
import type { GlobalOptions } from '../options.ts';
import { printData } from '../output/terminal.ts';

/** Prints the script of a shell. */
export function completion(_options: GlobalOptions, shell: Shell): number {
  printData(scripts[shell]);
  return exitCodes.done;
}
