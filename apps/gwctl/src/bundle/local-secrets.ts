import type { BundleRecord } from '@portcullis/bundle-diff';
import { secretFields } from '@portcullis/resources';
import type { bundleFamilies } from '@portcullis/resources';

type BundleFamily = (typeof bundleFamilies)[number];

/** Secrets that only a record's kind tells. Pointers are into the record; they may lead to nothing. */
const secretsByKind: Readonly<Record<string, (record: BundleRecord) => readonly string[]>> = {
  // Of a token credential, `key` is the public issuer.
  'consumer-credentials': ({ type }) => (type === 'api_key' ? ['/key'] : []),
  vaults: ({ driver }) => (driver === 'hashicorp' ? ['/config/token'] : []),
  plugins: ({ config }) => textPlaces(config, '/config'),
  routes: ({ plugins }) =>
    (Array.isArray(plugins) ? plugins : []).flatMap((entry: unknown, index) =>
      textPlaces((entry as BundleRecord | null)?.['config'], `/plugins/${index}/config`),
    ),
};

/**
 * JSON Pointers of what must not be printed of a record. Every text of a plugin's config counts: which of them are secrets, the
 * tenant's packages say, and those only the control plane knows.
 */
export function localSecrets(family: BundleFamily, record: BundleRecord): readonly string[] {
  return [...secretFields(family).map((field) => `/${field}`), ...(secretsByKind[family.name]?.(record) ?? [])];
}

function textPlaces(value: unknown, place: string): string[] {
  if (typeof value === 'string') return [place];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([step, inner]) =>
    textPlaces(inner, `${place}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}
