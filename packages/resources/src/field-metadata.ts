import type * as v from 'valibot';

/**
 * Facts about a field that its type does not say. A schema carries them with `v.metadata({ 'x-secret': true })`,
 * `'x-immutable'` and `writeOnly`, so that everything derived from it sees them.
 */
export interface FieldMetadata {
  /** Sealed at rest, masked on every read. */
  readonly secret?: boolean;
  /** Set at creation, refused in an update unless equal to the stored value. */
  readonly immutable?: boolean;
  /** Accepted on writes, never part of a read. */
  readonly writeOnly?: boolean;
}

const marks = { secret: 'x-secret', immutable: 'x-immutable', writeOnly: 'writeOnly' } as const;

/** The marks of a field, looked up through `optional`, `nullable` and pipes. */
export function metadataOf(schema: v.GenericSchema): FieldMetadata {
  const found: Record<string, unknown> = {};
  collect(schema, found);
  return {
    secret: found[marks.secret] === true,
    immutable: found[marks.immutable] === true,
    writeOnly: found[marks.writeOnly] === true,
  };
}

interface SchemaParts {
  readonly pipe?: readonly SchemaParts[];
  readonly wrapped?: SchemaParts;
  readonly type?: string;
  readonly metadata?: Record<string, unknown>;
}

function collect(schema: SchemaParts, found: Record<string, unknown>): void {
  for (const part of schema.pipe ?? []) {
    if (part.type === 'metadata') Object.assign(found, part.metadata);
    else if (part !== schema) collect(part, found);
  }
  if (schema.wrapped) collect(schema.wrapped, found);
}
