import { validateBundle } from '@portcullis/bundle-diff';
import { problemCount, problemLines } from '../bundle/bundle-text.ts';
import { localDescriptor } from '../bundle/local-descriptor.ts';
import { exitCodes } from '../failure.ts';
import { readInputFile } from '../input-file.ts';
import type { GlobalOptions } from '../options.ts';
import { printDocument } from '../output/document.ts';

/** Checks a bundle without any server. */
export async function validate(options: GlobalOptions & { readonly strict: boolean }, file: string): Promise<number> {
  const input = await readInputFile(file);
  const result = validateBundle(input.document, localDescriptor(), { strict: options.strict });
  await printDocument(options.outputFormat, result, () => {
    const records = Object.values(result.counts).reduce((sum, count) => sum + count, 0);
    const verdict = result.valid ? 'valid' : `invalid: ${problemCount(result.errors)} mistakes`;
    return [
      ...problemLines(result.errors, 'error', file, input.positions),
      ...problemLines(result.warnings, 'warning', file, input.positions),
      `${verdict} (${records} records)`,
    ].join('\n');
  });
  return result.valid ? exitCodes.done : exitCodes.failed;
}
