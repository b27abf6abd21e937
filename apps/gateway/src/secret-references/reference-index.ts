import type { RecordKey } from '../configuration/received-configuration.ts';

/** Which records of a configuration refer to which secrets. */
export class ReferenceIndex {
  readonly #referencesOf = new Map<RecordKey, ReadonlySet<string>>();
  readonly #usersOf = new Map<string, Set<RecordKey>>();

  /** All references of the configuration. */
  get all(): ReadonlySet<string> {
    return new Set(this.#usersOf.keys());
  }

  /** @param references those of the record as it is now; none for one that is gone */
  put(key: RecordKey, references: Iterable<string>): void {
    for (const reference of this.#referencesOf.get(key) ?? []) {
      const users = this.#usersOf.get(reference);
      users?.delete(key);
      if (users?.size === 0) this.#usersOf.delete(reference);
    }
    const now = new Set(references);
    if (now.size === 0) this.#referencesOf.delete(key);
    else this.#referencesOf.set(key, now);
    for (const reference of now) {
      const users = this.#usersOf.get(reference);
      if (users === undefined) this.#usersOf.set(reference, new Set([key]));
      else users.add(key);
    }
  }

  /** The records that refer to any of these. */
  usersOf(references: Iterable<string>): ReadonlySet<RecordKey> {
    const users = new Set<RecordKey>();
    for (const reference of references) for (const key of this.#usersOf.get(reference) ?? []) users.add(key);
    return users;
  }
}
