import { redactionMask } from '@portcullis/bundle-diff';
import { metadataOf } from '@portcullis/resources';
import type { Family, bundleFamilies } from '@portcullis/resources';
import { pointerSegments, toPointer, valueAt, withValuesAt } from '../resources/json-pointer.ts';
import type { Values } from '../resources/values.ts';
import { isValues } from '../resources/values.ts';
import type { StoredRecord } from '../store/resource-store.ts';
import { bundleBehaviours } from './bundle-behaviours.ts';
import type { ExportedNames } from './exported-names.ts';

type BundleFamily = (typeof bundleFamilies)[number];

/**
 * A record as a bundle holds it, without its ID: the fields that a caller may send, references by ID, secrets as masks.
 * What is not set is left out; lists whose order means nothing are sorted, and so are the keys of inner objects. Pure.
 */
export function exportedFields(family: BundleFamily, record: StoredRecord): Values {
  const body = withValuesAt(record.body, bareMasks(record));
  const shown: Record<string, unknown> = {};
  if (family.scope === 'gateway') shown['gateway_id'] = record.gatewayId;
  for (const [name, schema] of Object.entries(family.fields)) {
    const value = body[name] ?? null;
    if (value !== null && metadataOf(schema).writeOnly !== true) shown[name] = canonical(value);
  }
  for (const name of family.bundle.sets ?? []) {
    const list = shown[name];
    if (Array.isArray(list)) shown[name] = list.toSorted(byText);
  }
  return { ...shown, ...hashedMasks(family, record) };
}

/** The same with names in place of IDs, wherever a name says it without doubt. */
export function namedFields(family: BundleFamily, fields: Values, names: ExportedNames): Values {
  const named: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(fields)) {
    const reference = referenceOf(family, field);
    if (!reference || !names.holds(reference.family)) {
      named[field] = value;
    } else if (Array.isArray(value)) {
      const entries = value.map((id) => names.inList(reference.family, String(id)));
      named[field] = (family.bundle.sets ?? []).includes(field) ? entries.toSorted(byText) : entries;
    } else {
      const name = reference.nameField === undefined ? undefined : names.nameOf(reference.family, String(value));
      if (name === undefined || reference.nameField === undefined) {
        named[field] = value;
        names.keepId(reference.family, String(value));
      } else named[reference.nameField] = name;
    }
  }
  return named;
}

/**
 * What decides a record's place among its family: the gateway, what it belongs to, its names, and its ID where nothing else
 * tells it from others. Names stand for IDs, so that equal configurations have one order. Compare as plain text.
 */
export function exportOrder(family: BundleFamily, record: StoredRecord, names: ExportedNames): string {
  const parts = orderFields(family).map((field) => {
    const value =
      field === 'gateway_id' && family.scope === 'gateway' ? record.gatewayId : (record.body[field] ?? null);
    if (value === null) return '';
    const target = referenceOf(family, field)?.family;
    if (typeof value !== 'string') return JSON.stringify(canonical(value));
    return (target !== undefined ? names.nameOf(target, value) : undefined) ?? value;
  });
  // No text of a record holds U+0000, so no two places read the same.
  return [...parts, record.id].join('\0');
}

const orders = new WeakMap<BundleFamily, readonly string[]>();

function orderFields(family: BundleFamily): readonly string[] {
  const known = orders.get(family);
  if (known) return known;
  const fields = new Set<string>(family.scope === 'gateway' ? ['gateway_id'] : []);
  for (const { scope } of family.keys) if (typeof scope === 'object') fields.add(scope.field);
  for (const field of family.keys.flatMap((key) => key.fields)) if (field in family.fields) fields.add(field);
  for (const field of family.bundle.matchBy ?? ['name']) fields.add(field);
  const order = [...fields];
  orders.set(family, order);
  return order;
}

/** A gateway's records refer to it, though their family does not declare that. */
function referenceOf(
  family: Family,
  field: string,
): { readonly family: string; readonly nameField?: string } | undefined {
  const declared = family.references.find((one) => one.field === field);
  if (declared || field !== 'gateway_id' || family.scope !== 'gateway') return declared;
  return { family: 'gateways', nameField: 'gateway_name' };
}

/**
 * A mask that stands in a field of its own needs no digest. In a list it does: that is how its secret is found again when
 * entries before it come or go.
 */
function bareMasks({ body, secrets }: StoredRecord): ReadonlyMap<string, unknown> {
  const alone = Object.keys(secrets).filter((pointer) => !standsInList(body, pointer));
  return new Map(alone.map((pointer) => [pointer, redactionMask]));
}

function standsInList(body: Values, pointer: string): boolean {
  const segments = pointerSegments(pointer);
  return segments.some((_, depth) => Array.isArray(valueAt(body, toPointer(segments.slice(0, depth)))));
}

/** Masks of secrets that are kept as hashes only: they say that there is something to be given elsewhere. */
function hashedMasks(family: Family, { body }: StoredRecord): Values {
  const hashed = Object.entries(bundleBehaviours.get(family.name)?.hashedSecrets ?? {});
  const kept = hashed.filter(([, field]) => (body[field] ?? null) !== null);
  return Object.fromEntries(kept.map(([pointer]) => [pointerSegments(pointer)[0] ?? '', redactionMask]));
}

/** The value with the keys of all objects inside it in order: one database keeps their order, the other does not. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isValues(value)) return value;
  const keys = Object.keys(value).toSorted(byText);
  return Object.fromEntries(keys.map((key) => [key, canonical(value[key])]));
}

function byText(left: unknown, right: unknown): number {
  const [one, other] = [String(left), String(right)];
  return one < other ? -1 : Number(one > other);
}
