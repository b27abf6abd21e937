import type { Plugin } from '@portcullis/plugin-runtime';
import type { ErrorList } from '../configuration/configuration-errors.ts';
import { resolveEntry } from './resolved-secrets.ts';
import type { KnownSecret, SecretTrouble } from './secret-watch.ts';

/** Puts secrets in the places where configs of plugins refer to them. */
export class SecretPlaces {
  readonly #plugins: ReadonlyMap<string, Plugin>;
  readonly #knownOf: (reference: string) => KnownSecret;

  /** @param knownOf what is known of a secret; by default nothing, so that everything that refers to one is locked */
  constructor(
    plugins: readonly Plugin[],
    knownOf: (reference: string) => KnownSecret = () => ({ trouble: 'unknown_vault' }),
  ) {
    this.#plugins = new Map(plugins.map((plugin) => [plugin.name, plugin]));
    this.#knownOf = knownOf;
  }

  /** The entry with its secrets, or locked; then `missing` says which secret and why. */
  filled<Entry extends { readonly name: string; readonly config?: unknown }>(
    entry: Entry & { readonly enabled?: boolean },
    place: string,
    missing: ErrorList,
  ): Entry {
    if (entry.enabled === false) return entry;
    const resolved = resolveEntry(entry, this.#plugins.get(entry.name), this.#knownOf);
    for (const { pointer, trouble } of resolved.missing) {
      missing.add(
        `${place}/config${pointer}`,
        `${whyMissing(trouble)}; requests that this matches are answered with 503`,
      );
    }
    return resolved.entry;
  }
}

/** What is said of a secret that is missing. */
export function whyMissing(trouble: SecretTrouble | 'unfit'): string {
  return `the secret that it refers to ${words[trouble]}`;
}

const words: Readonly<Record<SecretTrouble | 'unfit', string>> = {
  unknown_vault: 'is in no vault that the tenant has',
  not_found: 'is not in its vault',
  denied: 'may not be read',
  unavailable: 'cannot be read now: its vault does not answer',
  too_many: 'is one too many for this gateway',
  unfit: 'is none that this field may hold',
};
