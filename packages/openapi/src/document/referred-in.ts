import { ProblemList } from '../problem.ts';
import { referencesOf, type FollowReferences } from './references.ts';

/**
 * Follows references inside of a document that was read already: for schemas, bodies and responses, which `readDescription` leaves as they
 * are. What is broken leads nowhere.
 */
export function referredIn(document: unknown): FollowReferences {
  return referencesOf(document, new ProblemList());
}
