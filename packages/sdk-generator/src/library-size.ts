import { sdkLimits } from './build/limits.ts';
import type { SdkModel } from './model/sdk-model.ts';
import type { SdkFile } from './target.ts';

/** The files as they are made, until they are too long together: nothing where they are, and then no more of them is made. */
export function filesWithin(files: Iterable<SdkFile>, lengthMax: number): readonly SdkFile[] | undefined {
  const kept: SdkFile[] = [];
  let length = 0;
  for (const file of files) {
    length += file.text.length;
    if (length > lengthMax) return undefined;
    kept.push(file);
  }
  return kept;
}

/**
 * Whether the texts of a model alone are too long for a library. A description that many operations share is one text in memory, and
 * as many as there are operations in a file.
 */
export function hasTooMuchText(model: SdkModel): boolean {
  let left: number = sdkLimits.filesLengthMax;
  const open: unknown[] = [model];
  while (open.length > 0 && left >= 0) {
    const value = open.pop();
    if (typeof value === 'string') left -= value.length;
    else if (Array.isArray(value)) for (const item of value) open.push(item);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) if (!unprinted.has(key)) open.push(item);
    }
  }
  return left < 0;
}

/** Fields that tell parts of a model apart and stand in no file. */
const unprinted: ReadonlySet<string> = new Set(['id', 'pointer']);
