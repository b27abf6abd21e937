import type { AnswerStore } from '../answer-store.ts';
import { noIndex } from './store-error.ts';

/** A store whose vectors must not be compared one by one, and cannot be compared otherwise: each search fails. Source: spec, AI gateway, rule 6. */
export function withoutIndex(store: AnswerStore): AnswerStore {
  return {
    get: (key, signal) => store.get(key, signal),
    findLike: () => {
      throw noIndex();
    },
    put: (entry) => store.put(entry),
    dispose: () => store.dispose?.(),
  };
}
