import * as v from 'valibot';
import type { Family, FieldEntries } from './family.ts';
import { metadataOf } from './field-metadata.ts';
import type { FieldMetadata } from './field-metadata.ts';
import * as field from './fields.ts';

/** A Valibot schema of an object whose keys are decided at run time. */
export type RecordSchema = v.GenericSchema<Record<string, unknown>>;

/** Fields that say where a record is, beside the family's own. */
export function placeFields(family: Family): FieldEntries {
  return {
    id: v.optional(field.id),
    ...(family.scope === 'system' ? {} : { tenant_id: v.optional(field.tenantId) }),
    ...(family.scope === 'gateway' ? { gateway_id: v.optional(field.id) } : {}),
  };
}

const knownNameFields = new WeakMap<Family, FieldEntries>();

/** Write-only twins of reference fields: the target by its name. Made once for a family. */
export function nameFields(family: Family): FieldEntries {
  let fields = knownNameFields.get(family);
  if (!fields) knownNameFields.set(family, (fields = nameFieldsOf(family)));
  return fields;
}

function nameFieldsOf(family: Family): FieldEntries {
  const twins = family.references.flatMap(({ nameField, field: idField }) =>
    nameField
      ? [[nameField, v.optional(v.pipe(field.name, v.description(`In place of ${idField}: the record's name`)))]]
      : [],
  );
  return Object.fromEntries(twins) as FieldEntries;
}

/** A reference field may be left out where its by-name twin is given, so neither is required by the shape alone. */
function withOptionalReferences(family: Family): FieldEntries {
  const relaxed = new Set(family.references.filter((ref) => ref.nameField).map((ref) => ref.field));
  return Object.fromEntries(
    Object.entries(family.fields).map(([name, schema]) => [name, relaxed.has(name) ? v.optional(schema) : schema]),
  );
}

/** What a caller sends to create or replace a record. Unknown fields are refused, defaults filled in. */
export function writeSchema(family: Family): RecordSchema {
  const entries = {
    ...placeFields(family),
    ...withOptionalReferences(family),
    ...nameFields(family),
    ...aliasFields(family),
  };
  return v.pipe(v.strictObject(entries), v.title(`${typeName(family)}Write`)) as never;
}

/** What a caller sends to change some fields (RFC 7386); `null` removes one. For the API description only. */
export function patchSchema(family: Family): RecordSchema {
  const entries = { ...family.fields, ...nameFields(family), ...aliasFields(family) };
  const changeable = Object.entries(entries).filter(([, schema]) => !metadataOf(schema).immutable);
  const optional = Object.fromEntries(changeable.map(([name, schema]) => [name, v.nullish(withoutDefault(schema))]));
  return v.pipe(v.strictObject(optional), v.title(`${typeName(family)}Patch`)) as never;
}

/** What a read shows. */
export function readSchema(family: Family): RecordSchema {
  const visible = Object.entries(family.fields)
    .filter(([, schema]) => isVisible(schema))
    .map(([name, schema]) => [name, withStoredForm(family, name, schema)]);
  const entries: FieldEntries = {
    id: v.string(),
    ...(family.scope === 'system' ? {} : { tenant_id: v.nullable(v.string()) }),
    ...(family.scope === 'gateway' ? { gateway_id: v.string() } : {}),
    ...Object.fromEntries(visible),
    ...family.readOnlyFields,
    created_at: v.pipe(v.string(), v.isoTimestamp()),
    updated_at: v.pipe(v.string(), v.isoTimestamp()),
    revision: v.pipe(v.number(), v.integer(), v.description('Raised by every change; also the ETag')),
  };
  return v.pipe(v.object(entries), v.title(typeName(family))) as never;
}

const knownSecretFields = new WeakMap<Family, readonly string[]>();

/** Names of the fields whose value is a secret as a whole. Looked up once for a family. */
export function secretFields(family: Family): readonly string[] {
  let names = knownSecretFields.get(family);
  if (!names) knownSecretFields.set(family, (names = fieldsMarked(family, 'secret')));
  return names;
}

function fieldsMarked(family: Family, mark: keyof FieldMetadata): readonly string[] {
  return Object.keys(family.fields).filter((name) => {
    const schema = family.fields[name];
    return schema !== undefined && metadataOf(schema)[mark] === true;
  });
}

/** Names of the fields that cannot change after creation. */
export function immutableFields(family: Family): readonly string[] {
  return fieldsMarked(family, 'immutable');
}

/** The family's name as types are called: `consumer_credential` → `ConsumerCredential`. */
export function typeName(family: Family): string {
  return family.singular.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function aliasFields(family: Family): FieldEntries {
  const aliases = Object.entries(family.fieldAliases ?? {}).map(([alias, name]) => [
    alias,
    v.optional(v.pipe(v.unknown(), v.description(`Alias of ${name}`))),
  ]);
  return Object.fromEntries(aliases) as FieldEntries;
}

/** Lists of references take IDs and names; reads show the IDs, which is what is stored. Documents are shown as objects, and not in lists. */
function withStoredForm(family: Family, name: string, schema: v.GenericSchema): v.GenericSchema {
  if (family.documents?.fields.includes(name) === true) return shownDocument;
  const reference = family.references.find((candidate) => candidate.field === name && candidate.many);
  if (!reference) return schema;
  return v.pipe(schema, v.description(`IDs of ${reference.family.replaceAll('-', ' ')}, in the order given`));
}

const shownDocument = v.optional(
  v.pipe(
    v.record(v.string(), v.unknown()),
    v.description('The document as an object. Only where one record is shown: lists leave it out'),
  ),
);

function isVisible(schema: v.GenericSchema): boolean {
  return metadataOf(schema).writeOnly !== true;
}

function withoutDefault(schema: v.GenericSchema): v.GenericSchema {
  const wrapped = (schema as { type?: string; wrapped?: v.GenericSchema }).wrapped;
  return wrapped && schema.type === 'optional' ? wrapped : schema;
}
