import { countProblems, renderProblems, validateBundle } from '@portcullis/bundle-diff';
import { localDescriptor } from '../bundle/local-descriptor.ts';
import { nameBothPlaces } from '../bundle/name-both-places.ts';
import { readBundle } from '../bundle/read-bundle.ts';
import { exitCodes } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { printDocument } from '../output/document.ts';
import { coloured } from '../output/terminal.ts';

/** Checks a bundle without any server. */
export async function validate(
  options: GlobalOptions & { readonly strict: boolean },
  files: readonly string[],
): Promise<number> {
  const input = await readBundle(files);
  const result = validateBundle(input.document, localDescriptor(), { strict: options.strict });
  await printDocument(options.outputFormat, result, () => {
    const records = Object.values(result.counts).reduce((sum, count) => sum + count, 0);
    const verdict = result.valid ? 'valid' : `invalid: ${countProblems(result.errors)} mistakes`;
    const placed = { placeOf: input.placeOf, paint: coloured };
    return [
      ...renderProblems(nameBothPlaces(result.errors, input), { level: 'error', ...placed }),
      ...renderProblems(result.warnings, { level: 'warning', ...placed }),
      `${verdict} (${records} records)`,
    ].join('\n');
  });
  return result.valid ? exitCodes.done : exitCodes.failed;
}
