import { wordsOf, type Words } from '../names/words.ts';
import type { SdkOperation } from './operations.ts';

/** Operations that share their first tag. */
export interface OperationGroup {
  /** Nothing for those without any. */
  readonly tag: string | undefined;
  readonly words: Words;
  readonly operations: readonly SdkOperation[];
}

/** The operations by their first tag, for languages that put them into several classes. In the order in which the tags come. */
export function groupsByTag(operations: readonly SdkOperation[]): readonly OperationGroup[] {
  const byTag = new Map<string | undefined, SdkOperation[]>();
  for (const operation of operations) {
    const [tag] = operation.tags;
    const group = byTag.get(tag);
    if (group === undefined) byTag.set(tag, [operation]);
    else group.push(operation);
  }
  return [...byTag].map(([tag, all]) => ({
    tag,
    words: tag === undefined ? ['default'] : wordsOf(tag),
    operations: all,
  }));
}
