import type { Plugin } from '@portcullis/plugin-runtime';
import { canonicalConfig, hostReadReferences, isSecretReference, type ReferencePlace } from '@portcullis/plugins';
import { LockedConfig } from './lockable-plugin.ts';
import type { KnownSecret, SecretTrouble } from './secret-watch.ts';

/** An instance or an entry of a route. */
interface Configured {
  readonly name: string;
  readonly config?: unknown;
}

/** A secret that is missing, at a place of a config. */
export interface MissingSecret {
  /** JSON Pointer into the config. */
  readonly pointer: string;
  readonly trouble: SecretTrouble | 'unfit';
}

/** A record with secrets in the places of references. */
export interface Resolved<Entry> {
  readonly entry: Entry;
  /** Why it is locked; empty when it is not. */
  readonly missing: readonly MissingSecret[];
}

/** Where a config has references that have to be read before it is set up. */
export function configReferences({ name, config }: Configured): readonly ReferencePlace[] {
  return mayRefer(config) ? hostReadReferences(name, canonicalConfig(name, config)) : [];
}

/**
 * Puts secrets in the places of references. An entry of which one is missing, or whose plugin refuses the secret, is locked.
 * What the plugin says of a secret is not shown: it might quote it.
 */
export function resolveEntry<Entry extends Configured>(
  entry: Entry,
  plugin: Pick<Plugin, 'compile'> | undefined,
  knownOf: (reference: string) => KnownSecret,
): Resolved<Entry> {
  const places = configReferences(entry);
  if (places.length === 0) return { entry, missing: [] };
  const missing: MissingSecret[] = [];
  const secrets = new Map<string, string>();
  for (const { pointer, reference } of places) {
    const known = knownOf(reference);
    if ('secret' in known) secrets.set(pointer, known.secret);
    else missing.push({ pointer, trouble: known.trouble });
  }
  const config = withTextsAt(canonicalConfig(entry.name, entry.config), secrets, '');
  const compiled = plugin?.compile(config);
  const issues = compiled === undefined || compiled.ok ? [] : compiled.issues;
  const isOfSecrets = ({ pointer }: { readonly pointer: string }): boolean =>
    places.some((place) => place.pointer === pointer);
  // A mistake elsewhere is the configuration's, whether the secrets are there or not, and told as such.
  if (!issues.every(isOfSecrets)) return { entry: { ...entry, config }, missing: [] };
  if (missing.length > 0) return locked(entry, missing);
  if (issues.length === 0) return { entry: { ...entry, config }, missing: [] };
  return locked(
    entry,
    issues.map(({ pointer }) => ({ pointer, trouble: 'unfit' as const })),
  );
}

function locked<Entry extends Configured>(entry: Entry, missing: readonly MissingSecret[]): Resolved<Entry> {
  return { entry: { ...entry, config: LockedConfig.because(missing[0]?.trouble ?? 'unavailable') }, missing };
}

/** Whether any text of a config reads like a reference: few do, and finding the secret places takes longer than this. */
function mayRefer(value: unknown): boolean {
  if (typeof value === 'string') return isSecretReference(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, inner]) => isSecretReference(name) || mayRefer(inner));
}

/** A copy of a value of JSON with other texts at some pointers. */
function withTextsAt(value: unknown, texts: ReadonlyMap<string, string>, at: string): unknown {
  const text = texts.get(at);
  if (text !== undefined) return text;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown, index) => withTextsAt(item, texts, `${at}/${index}`));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      withTextsAt(inner, texts, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    ]),
  );
}
