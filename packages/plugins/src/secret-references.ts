import { pluginCatalogue, secretPathsOf } from './plugin-catalogue.ts';

/** A reference that stands where a config may hold a secret. */
export interface ReferencePlace {
  /** JSON Pointer into the config. */
  readonly pointer: string;
  /** `vault://prefix/secret[/key]` or `env://NAME`, perhaps malformed. */
  readonly reference: string;
}

/** What a text in a secret's place begins with when it names the secret in place of being it. */
const SCHEMES = ['vault://', 'env://'] as const;

/** The forms that gateways read; the same as `parseReference` and `parseEnvReference` of `@portcullis/vaults`. */
const WELL_FORMED =
  /^(?:vault:\/\/(?!(?:.*\/)?\.+(?:\/|$))[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\/[A-Za-z0-9._-]{1,128}){1,9}\/?|env:\/\/[A-Za-z_][A-Za-z0-9_]{0,255})$/;
const LENGTH_MAX = 512;
/** Names of a secret's path, and one more for its key. */
const NAMES_MAX = 8;

/**
 * Whether a text in a secret's place names a secret, well-formed or not. Such a text is never the secret itself: a malformed one would
 * else become a key or a password that everybody can read.
 */
export function isSecretReference(text: string): boolean {
  return SCHEMES.some((scheme) => text.startsWith(scheme));
}

/** Whether a text is a reference in a form that gateways can read. */
export function isWellFormedReference(text: string): boolean {
  if (text.length > LENGTH_MAX || !WELL_FORMED.test(text)) return false;
  if (!text.startsWith('vault://')) return true;
  const names = text.split('/').slice(3);
  const path = names.length === 1 ? names : names.slice(0, -1);
  return path.length <= NAMES_MAX;
}

/**
 * The references in the secret fields of a built-in plugin's config that its host reads before it is set up. None for plugins that read
 * references with each call, and for packages that are not built in: their schema says nothing to gateways.
 * @param config in its canonical form, see `canonicalConfig`
 */
export function hostReadReferences(pluginName: string, config: unknown): readonly ReferencePlace[] {
  if (pluginCatalogue.get(pluginName)?.readsReferences !== false) return [];
  return referencePlaces(config, secretPathsOf(pluginName, config));
}

/** Those of some places in a value that hold references. */
export function referencePlaces(value: unknown, pointers: readonly string[]): readonly ReferencePlace[] {
  return pointers.flatMap((pointer) => {
    const reference = textAt(value, pointer);
    return reference !== undefined && isSecretReference(reference) ? [{ pointer, reference }] : [];
  });
}

/** A text by its JSON Pointer, by own properties only. Source: RFC 6901. */
function textAt(value: unknown, pointer: string): string | undefined {
  let at = value;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[name];
  }
  return typeof at === 'string' ? at : undefined;
}
