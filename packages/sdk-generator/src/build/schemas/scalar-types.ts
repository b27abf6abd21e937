import { fieldOf } from '@portcullis/openapi';
import type { Referred } from '@portcullis/openapi';
import type { TypeRef } from '../../model/type-refs.ts';

/** Any JSON value. */
export const anyType: TypeRef = { kind: 'any' };
export const stringType: TypeRef = { kind: 'string' };

/** A type that null is a value of, too. */
export function nullable(type: TypeRef): TypeRef {
  return type.kind === 'nullable' || type.kind === 'any' ? type : { kind: 'nullable', type };
}

export function withoutNull(type: TypeRef): TypeRef {
  return type.kind === 'nullable' ? type.type : type;
}

/** Formats with a meaning. Source: OpenAPI 3.0.4, Data Types; the format registry. */
const formats: Readonly<Record<string, TypeRef>> = {
  date: { kind: 'date' },
  'date-time': { kind: 'dateTime' },
  byte: { kind: 'bytes' },
};

/** A text, number or boolean of a schema's parts. Raw bytes have no place in JSON, and are texts there. */
export function scalarOf(type: string, parts: readonly Referred[]): TypeRef | undefined {
  const said = (keyword: string): unknown =>
    parts.map(({ value }) => fieldOf(value, keyword)).findLast((one) => one !== undefined);
  const format = said('format');
  switch (type) {
    case 'string':
      if (said('contentEncoding') === 'base64') return { kind: 'bytes' };
      return (typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : undefined) ?? stringType;
    case 'integer':
      return { kind: 'integer', bits: format === 'int32' ? 32 : 64 };
    case 'number':
      return { kind: 'number' };
    case 'boolean':
      return { kind: 'boolean' };
    default:
      return undefined;
  }
}

/** Whether a type is one value that stands in an address or a header as a text. */
export function isScalar(type: TypeRef): boolean {
  return ['string', 'number', 'integer', 'boolean', 'date', 'dateTime', 'bytes'].includes(type.kind);
}
