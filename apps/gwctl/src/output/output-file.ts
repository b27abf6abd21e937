import { statSync } from 'node:fs';
import path from 'node:path';

/** The file that `--output` means: of a folder, the one in it of the given name. */
export function outputFile(output: string, name: string): string {
  return statSync(output, { throwIfNoEntry: false })?.isDirectory() === true ? path.join(output, name) : output;
}
