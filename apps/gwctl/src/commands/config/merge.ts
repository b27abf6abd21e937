import { validateBundle } from '@portcullis/bundle-diff';
import { localDescriptor } from '../../bundle/local-descriptor.ts';
import { nameBothPlaces } from '../../bundle/name-both-places.ts';
import { readBundle } from '../../bundle/read-bundle.ts';
import { CommandFailure, exitCodes } from '../../failure.ts';
import { writeBundle } from './write-bundle.ts';
import type { BundleOutput } from './write-bundle.ts';

/** Rules that files break together. What one of them breaks alone is for `gwctl validate`. */
const conflicts: ReadonlySet<string> = new Set(['duplicate', 'contradiction', 'tenant_mismatch']);

/** Puts several files into one document. Asks no server. @throws CommandFailure for conflicts, with both places */
export async function mergeFiles(options: BundleOutput, files: readonly string[]): Promise<number> {
  const bundle = await readBundle(files);
  const { errors } = validateBundle(bundle.document, localDescriptor(), { strict: false });
  const found = errors.filter(({ code }) => conflicts.has(code));
  if (found.length > 0) {
    const lines = nameBothPlaces(found, bundle).map(
      ({ pointer, message, code }) => `${bundle.placeOf(pointer)}: ${pointer}: ${message} [${code}]`,
    );
    throw new CommandFailure('the files contradict each other', lines);
  }
  await writeBundle(Object(bundle.document), options);
  return exitCodes.done;
}
