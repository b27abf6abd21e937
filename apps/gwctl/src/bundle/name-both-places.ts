import type { BundleProblem, BundleRecord, CollectionDescriptor } from '@portcullis/bundle-diff';
import { localDescriptor } from './local-descriptor.ts';
import type { BundleInput } from './read-bundle.ts';

/**
 * Problems of which those about a record that is given twice also say where it was given first. The place is found by the
 * record's ID or natural key; where one entry goes by an ID and the other by a name, only the second one is known.
 */
export function nameBothPlaces(
  problems: readonly BundleProblem[],
  { document, placeOf }: Pick<BundleInput, 'document' | 'placeOf'>,
): readonly BundleProblem[] {
  if (problems.every(({ code }) => code !== 'duplicate')) return problems;
  const { collections } = localDescriptor();
  const firsts = new Map<string, ReadonlyMap<string, number>>();
  return problems.map((problem) => {
    const collection = collections.find(({ key }) => key === problem.resource_type);
    if (problem.code !== 'duplicate' || !collection || problem.index === null) return problem;
    const records = recordsOf(document, collection.key);
    let known = firsts.get(collection.key);
    if (!known) firsts.set(collection.key, (known = firstPlaces(records, collection)));
    const index = problem.index;
    const first = identitiesOf(records[index], collection)
      .map((identity) => known.get(identity) ?? index)
      .find((place) => place < index);
    if (first === undefined) return problem;
    return { ...problem, message: `${problem.message}: ${placeOf(`/${collection.key}/${first}`)}` };
  });
}

/** Index of the first record of each identity. */
function firstPlaces(records: readonly unknown[], collection: CollectionDescriptor): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [index, record] of records.entries()) {
    for (const identity of identitiesOf(record, collection)) {
      if (!places.has(identity)) places.set(identity, index);
    }
  }
  return places;
}

/** What a record may be known by, each as one text: its ID, and every natural key within what it lies in. */
function identitiesOf(given: unknown, collection: CollectionDescriptor): readonly string[] {
  if (typeof given !== 'object' || given === null) return [];
  const { names, fields } = asChecked(given as BundleRecord, collection);
  const checked = collection.check(fields);
  const values = { ...fields, ...(checked.ok ? checked.values : {}), ...names };
  const id = typeof values['id'] === 'string' ? [JSON.stringify(['id', values['id']])] : [];
  const keys = collection.keys.flatMap((key, position) => {
    const parts = key.fields.map((field) => values[field]);
    if (parts.some((part) => part === undefined || part === null)) return [];
    const within = key.within === undefined ? undefined : scopeOf(values, key.within, collection);
    return [JSON.stringify([position, within ?? null, ...parts])];
  });
  return [...id, ...keys];
}

/** A record as its collection checks it: each field under its own name, and apart from it what the record lies in. */
function asChecked(given: BundleRecord, { aliases, ownNameFields }: CollectionDescriptor) {
  const names: Record<string, unknown> = {};
  const fields: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(given)) {
    if (ownNameFields.includes(field)) names[field] = value;
    else if (field !== 'tenant_id') fields[aliases[field] ?? field] = value;
  }
  return { names, fields };
}

/** What a record lies in, by ID or by name: the two are not taken for each other. */
function scopeOf(values: Readonly<Record<string, unknown>>, field: string, collection: CollectionDescriptor): unknown {
  const nameField = collection.references.find((reference) => reference.field === field)?.nameField;
  return values[field] ?? (nameField === undefined ? undefined : [values[nameField]]);
}

function recordsOf(document: unknown, key: string): readonly unknown[] {
  const list = (document as Readonly<Record<string, unknown>> | null)?.[key];
  return Array.isArray(list) ? (list as unknown[]) : [];
}
