import type { Referred } from '@portcullis/openapi';
import { JSON_TYPES, contentTypeMatcher } from '../../shared/bodies/content-types.ts';
import type { Direction } from '../schemas/convert-schema.ts';
import type { SchemaCheck } from '../schemas/schema-checks.ts';
import { shapeOf, type ValueShape } from '../values/scalar-types.ts';
import { checkOf, entriesIn, schemaOf, type ContractParts } from './contract.ts';

/** Whether a media type in lower case, without parameters, is JSON. */
export const isJsonType: (type: string) => boolean = contentTypeMatcher(JSON_TYPES);

/** What a body of a media type has to be. */
export interface MediaType {
  /** The media type object, for `encoding`. */
  readonly described: Referred;
  /** Nothing where the description says nothing of what is in it: then it is not read. */
  readonly check: SchemaCheck | undefined;
  readonly shape: () => ValueShape;
  /** Whether it stands for many types (`*` in it): then the type says nothing of the form. */
  readonly isRange: boolean;
}

/** The media types that a body may have. */
export interface MediaTypes {
  readonly isEmpty: boolean;
  /** The one that says most of a type: itself, all of its kind, all. @param type in lower case, without parameters */
  find(type: string): MediaType | undefined;
}

/** Compiles a `content` map. */
export function mediaTypes(parts: ContractParts, content: Referred | undefined, direction: Direction): MediaTypes {
  const known = new Map(
    entriesIn(parts, content).map(([name, described]) => {
      const schema = schemaOf(described.value, described.pointer);
      const check = schema && checkOf(parts, schema, direction);
      let shape: ValueShape | undefined;
      const isRange = name.includes('*');
      const media: MediaType = { described, check, isRange, shape: () => (shape ??= shapeOf(schema, parts.follow)) };
      return [name.split(';', 1).join('').trim().toLowerCase(), media];
    }),
  );
  return {
    isEmpty: known.size === 0,
    find: (type) => known.get(type) ?? known.get(`${type.split('/', 1).join('')}/*`) ?? known.get('*/*'),
  };
}
