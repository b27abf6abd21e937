import type { SdkParameter } from '../model/operations.ts';
import type { TypeRef } from '../model/type-refs.ts';
import { isScalar, stringType, withoutNull } from './schemas/scalar-types.ts';
import type { TypeBuilder } from './schemas/type-builder.ts';

type Written = Pick<SdkParameter, 'type' | 'style' | 'isExploded'>;

/**
 * What a parameter takes, given how it is written: null is left out instead, choices become what all of them are as text, and what the
 * specification leaves open becomes JSON. What would be written wrong is refused.
 */
export function addressType(
  builder: TypeBuilder,
  { type: given, style, isExploded }: Written,
  pointer: string,
): Written | undefined {
  const { findings } = builder.source;
  const type = chosen(builder, withoutNull(given), style, pointer);
  if (isText(builder, type)) {
    if (style === 'deepObject')
      findings.warn(pointer, 'has the style deepObject and is no object: it is written as form');
    return { type, style: style === 'deepObject' ? 'form' : style, isExploded };
  }
  if (type.kind === 'list') {
    const items = chosen(builder, withoutNull(type.items), 'form', pointer);
    if (isText(builder, items)) {
      if (style === 'deepObject')
        findings.warn(pointer, 'has the style deepObject and is no object: its items repeat its name');
      const list: TypeRef = { kind: 'list', items };
      return style === 'deepObject'
        ? { type: list, style: 'form', isExploded: true }
        : { type: list, style, isExploded };
    }
    findings.warn(pointer, 'is a list of lists or objects, which no style can write: it is one JSON text');
    return { type, style: 'json', isExploded: false };
  }
  if (style === 'deepObject' || style === 'form') return { type, style, isExploded };
  findings.refuse(
    pointer,
    'must not be an object in this style: objects are written as deepObject or form in a query, as form in a cookie, or as JSON',
  );
  return undefined;
}

/** Texts, numbers and what is written like them. */
function isText(builder: TypeBuilder, type: TypeRef): boolean {
  return isScalar(type) || (type.kind === 'named' && builder.types.get(type.id)?.kind === 'enum');
}

/** One type instead of a choice. */
function chosen(builder: TypeBuilder, type: TypeRef, style: SdkParameter['style'], pointer: string): TypeRef {
  const { findings } = builder.source;
  if (type.kind === 'any' || type.kind === 'binary') {
    findings.warn(pointer, 'has no type that tells how it is written: it is a text');
    return stringType;
  }
  const union = type.kind === 'named' ? builder.types.unionAt(type.id) : undefined;
  if (union === undefined) return type;
  const variants = union.variants.map((variant) => variant.type);
  const list = variants.find(({ kind }) => kind === 'list');
  const object = variants.find((one) => one.kind === 'map' || (one.kind === 'named' && !isText(builder, one)));
  findings.warn(pointer, 'is a choice between types: the one that is written like the others is taken');
  if (style === 'deepObject' && object) return object;
  return list ?? (variants.every((one) => isText(builder, one)) ? stringType : (object ?? stringType));
}
