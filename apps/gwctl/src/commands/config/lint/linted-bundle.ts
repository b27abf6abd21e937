import type { BundleRecord } from '@portcullis/bundle-diff';

/** A record of the bundle, and where it stands. */
export interface LintRecord {
  /** Key of its list in the bundle, such as `routes`. */
  readonly key: string;
  /** JSON Pointer into the bundle. */
  readonly pointer: string;
  readonly values: BundleRecord;
}

/** A bundle that is valid, as rules look at it. */
export interface LintedBundle {
  /** Records under a key, in their order; none for a key that the bundle lacks. */
  readonly records: (key: string) => readonly LintRecord[];
  /** Records that a record refers to by ID or by name; none when they are not in the bundle. */
  readonly referred: (from: LintRecord, key: string, idField: string, nameField: string) => readonly LintRecord[];
  /** Identifies the gateway of a record, however it is named. */
  readonly gatewayOf: (record: LintRecord) => string;
}

/** @param document a bundle that `validateBundle` accepts */
export function lintedBundle(document: BundleRecord): LintedBundle {
  const lists = new Map(
    Object.entries(document).flatMap(([key, list]) =>
      Array.isArray(list)
        ? [[key, list.map((values: BundleRecord, index) => ({ key, pointer: `/${key}/${index}`, values }))] as const]
        : [],
    ),
  );
  const records = (key: string): readonly LintRecord[] => lists.get(key) ?? [];
  const gatewayIds = new Map(
    records('gateways').map(({ values }) => [textOf(values, 'name'), textOf(values, 'id') ?? textOf(values, 'name')]),
  );
  const gatewayOf = ({ values }: LintRecord): string => {
    const name = textOf(values, 'gateway_name');
    return textOf(values, 'gateway_id') ?? gatewayIds.get(name) ?? name ?? '';
  };
  const byName = new Map<string, Map<string, LintRecord[]>>();
  const indexOf = (key: string): Map<string, LintRecord[]> => {
    const known = byName.get(key);
    if (known) return known;
    const made = new Map<string, LintRecord[]>();
    for (const record of records(key)) {
      const [id, name] = [textOf(record.values, 'id'), textOf(record.values, 'name')];
      for (const entry of [id && `id ${id}`, name && `name ${gatewayOf(record)} ${name}`]) {
        if (entry !== undefined && entry !== '') made.set(entry, [...(made.get(entry) ?? []), record]);
      }
    }
    byName.set(key, made);
    return made;
  };
  return {
    records,
    gatewayOf,
    referred: (from, key, idField, nameField) => {
      const [id, name] = [textOf(from.values, idField), textOf(from.values, nameField)];
      const byId = id === undefined ? undefined : indexOf(key).get(`id ${id}`);
      return byId ?? (name === undefined ? [] : (indexOf(key).get(`name ${gatewayOf(from)} ${name}`) ?? []));
    },
  };
}

/** A field that is a text. */
export function textOf(values: BundleRecord, field: string): string | undefined {
  const value = values[field];
  return typeof value === 'string' ? value : undefined;
}

/** A field that is a list of texts; empty when it is absent. */
export function textsOf(values: BundleRecord, field: string): readonly string[] {
  const value = values[field];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Whether a record takes part in traffic. */
export function isEnabled(values: BundleRecord): boolean {
  return values['enabled'] !== false;
}

/** Paths of a route, with the pointer of each within the record. */
export function pathsOf(values: BundleRecord): readonly { readonly path: string; readonly at: string }[] {
  const single = textOf(values, 'path');
  if (single !== undefined) return [{ path: single, at: '/path' }];
  return textsOf(values, 'paths').map((path, index) => ({ path, at: `/paths/${index}` }));
}

/** Inline plugins of a route, with the pointer of each within the record. */
export function inlinePluginsOf(
  values: BundleRecord,
): readonly { readonly plugin: BundleRecord; readonly at: string }[] {
  const list = values['plugins'];
  return (Array.isArray(list) ? list : []).map((plugin: BundleRecord, index) => ({ plugin, at: `/plugins/${index}` }));
}
