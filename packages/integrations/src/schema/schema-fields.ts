import type * as v from 'valibot';

/** What a form and a guard need to know of one field. */
export interface SchemaField {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  readonly isAddress: boolean;
  readonly isUrl: boolean;
  /** Not to be seen while it is typed. */
  readonly isHidden: boolean;
  readonly type: string;
  readonly default?: unknown;
  readonly options?: readonly string[];
  readonly min?: number;
  readonly max?: number;
}

/** The parts of valibot's schemas and actions that are read here. */
interface Part {
  readonly type?: string;
  readonly kind?: string;
  readonly pipe?: readonly Part[];
  readonly wrapped?: Part;
  readonly default?: unknown;
  readonly entries?: Readonly<Record<string, Part>>;
  readonly options?: readonly string[];
  readonly requirement?: unknown;
  readonly title?: string;
  readonly description?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/**
 * The fields of a strict object, in its order.
 * @throws TypeError for a schema that is none, and for a field without a title
 */
export function schemaFields(schema: v.GenericSchema): readonly SchemaField[] {
  const [object] = partsOf(schema).filter(({ type }) => type === 'strict_object');
  if (object?.entries === undefined) throw new TypeError("a driver's schema has to be a strict object");
  return Object.entries(object.entries).map(([name, field]) => readField(name, field));
}

/** What the whole schema carries, such as `anyOf`. */
export function schemaMetadata(schema: v.GenericSchema): Readonly<Record<string, unknown>> {
  return metadataOf(partsOf(schema));
}

function readField(name: string, field: Part): SchemaField {
  const parts = partsOf(field);
  const metadata = metadataOf(parts);
  const title = parts.find((part) => part.type === 'title')?.title;
  if (title === undefined) throw new TypeError(`the field ${name} has no title`);
  const picked = parts.find(({ type }) => type === 'picklist')?.options;
  const bound = (type: string): number | undefined => {
    const requirement = parts.find((part) => part.type === type)?.requirement;
    return typeof requirement === 'number' ? requirement : undefined;
  };
  const found = { default: field.default, options: picked, min: bound('min_value'), max: bound('max_value') };
  return {
    name,
    title,
    description: parts.find((part) => part.type === 'description')?.description ?? '',
    isRequired: field.type !== 'optional',
    isSecret: metadata['x-secret'] === true,
    isAddress: metadata['x-address'] === true,
    isUrl: metadata['format'] === 'uri',
    isHidden: metadata['format'] === 'password',
    type: parts.find(({ kind }) => kind === 'schema')?.type ?? 'unknown',
    ...(Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) as Partial<SchemaField>),
  };
}

/** A schema's parts with those of what it wraps: the schemas first, then their actions. */
function partsOf(part: Part): readonly Part[] {
  if (part.wrapped !== undefined) return partsOf(part.wrapped);
  return part.pipe === undefined
    ? [part]
    : part.pipe.flatMap((item) => (item.pipe === part.pipe ? [item] : partsOf(item)));
}

function metadataOf(parts: readonly Part[]): Readonly<Record<string, unknown>> {
  return Object.assign(
    {},
    ...parts.flatMap(({ type, metadata }) => (type === 'metadata' && metadata ? [metadata] : [])),
  );
}
