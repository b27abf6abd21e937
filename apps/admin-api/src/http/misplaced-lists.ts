import type * as v from 'valibot';
import { pointerTo } from './text-problems.ts';

/**
 * Pointers to lists that stand where a schema asks for an object. The schema library takes a list for an object
 * (`{"labels": []}` passes as a record), so they are looked for apart. Alternatives of a union are left to the library
 * unless none of them takes a list.
 */
export function misplacedLists(schema: v.GenericSchema, value: unknown): readonly string[] {
  const found: string[] = [];
  visit(schema, value, '', found);
  return found;
}

/** What is looked at of a schema of the library, by its `type`. */
interface SchemaView {
  readonly type: string;
  readonly entries?: Readonly<Record<string, SchemaView>>;
  readonly wrapped?: SchemaView;
  readonly item?: SchemaView;
  readonly value?: SchemaView;
  readonly options?: readonly unknown[];
}

const objectTypes: ReadonlySet<string> = new Set([
  'object',
  'strict_object',
  'loose_object',
  'object_with_rest',
  'record',
  'variant',
]);

function visit(schema: SchemaView, value: unknown, pointer: string, found: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (schema.wrapped) {
    visit(schema.wrapped, value, pointer, found);
  } else if (Array.isArray(value)) {
    if (takesNoList(schema)) found.push(pointer);
    else if (schema.item) visitItems(schema.item, value, pointer, found);
  } else {
    visitFields(schema, value, pointer, found);
  }
}

function visitItems(item: SchemaView, list: readonly unknown[], pointer: string, found: string[]): void {
  list.forEach((value, index) => visit(item, value, pointerTo(pointer, index), found));
}

function visitFields(schema: SchemaView, value: object, pointer: string, found: string[]): void {
  for (const key of Object.keys(value)) {
    const inner: unknown = (value as Readonly<Record<string, unknown>>)[key];
    // Most fields are neither: no pointer is made for them.
    if (typeof inner !== 'object' || inner === null) continue;
    const field = schema.entries && Object.hasOwn(schema.entries, key) ? schema.entries[key] : undefined;
    const next = field ?? (schema.type === 'record' ? schema.value : undefined);
    if (next) visit(next, inner, pointerTo(pointer, key), found);
  }
}

function takesNoList(schema: SchemaView): boolean {
  if (schema.wrapped) return takesNoList(schema.wrapped);
  return schema.type === 'union' ? (schema.options ?? []).every(isNoListOption) : objectTypes.has(schema.type);
}

function isNoListOption(option: unknown): boolean {
  const schema = option as SchemaView;
  return scalarTypes.has(schema.type) || takesNoList(schema);
}

const scalarTypes: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'null', 'literal', 'picklist']);
