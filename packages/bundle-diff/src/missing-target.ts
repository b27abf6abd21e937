import { recordProblem } from './bundle-problem.ts';
import type { BundleProblem } from './bundle-problem.ts';
import type { RecordProblem } from './descriptor.ts';
import type { MissingTarget } from './link-references.ts';

/** A reference that leads nowhere, as a mistake. A foreign tenant's ID reads exactly like an unknown one. */
export function missingProblem(target: MissingTarget): RecordProblem {
  const message = `no such record in ${target.reference.collection}`;
  return { pointer: target.pointer, code: 'reference_not_found', message };
}

/** A reference that may be live, as a warning about the bundle. */
export function missingWarning(target: MissingTarget): BundleProblem {
  const message = `not in the bundle: it must exist in ${target.reference.collection} already`;
  const problem = { pointer: target.pointer, code: 'reference_outside_bundle', message };
  return recordProblem(target.collection, target.entry.index, target.entry.values, problem);
}
