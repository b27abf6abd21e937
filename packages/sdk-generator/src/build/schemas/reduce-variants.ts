import type { SdkEnum } from '../../model/named-types.ts';
import type { TypeRef } from '../../model/type-refs.ts';
import { anyType, stringType } from './scalar-types.ts';
import type { TypeRegistry } from './type-registry.ts';

/**
 * The types of a choice that can be told apart in JSON: one for texts, one for numbers, and each object, list and map. An enum takes
 * unknown values anyway, so that one enum beside plain texts stays.
 */
export function reducedVariants(types: TypeRegistry, variants: readonly TypeRef[]): readonly TypeRef[] {
  const flat = variants.flatMap((type) => {
    const union = type.kind === 'named' ? types.unionAt(type.id) : undefined;
    return union === undefined ? [type] : union.variants.map((variant) => variant.type);
  });
  if (flat.some(({ kind }) => kind === 'any' || kind === 'nullable')) return [anyType];
  const unique = [...new Map(flat.map((type) => [JSON.stringify(type), type])).values()];
  const texts = unique.filter((type) => isText(types, type));
  const numbers = unique.filter((type) => isNumber(types, type));
  const [firstText, firstNumber] = [texts[0], numbers[0]];
  return unique.flatMap((type) => {
    if (type === firstText) return [oneText(types, texts)];
    if (type === firstNumber) return [oneNumber(types, numbers)];
    return isText(types, type) || isNumber(types, type) ? [] : [type];
  });
}

function enumAt(types: TypeRegistry, type: TypeRef): SdkEnum | undefined {
  const named = type.kind === 'named' ? types.get(type.id) : undefined;
  return named?.kind === 'enum' ? named : undefined;
}

function isText(types: TypeRegistry, type: TypeRef): boolean {
  return ['string', 'date', 'dateTime', 'bytes'].includes(type.kind) || enumAt(types, type)?.base === 'string';
}

function isNumber(types: TypeRegistry, type: TypeRef): boolean {
  const base = enumAt(types, type)?.base;
  return type.kind === 'integer' || type.kind === 'number' || (base !== undefined && base !== 'string');
}

function oneText(types: TypeRegistry, texts: readonly TypeRef[]): TypeRef {
  const [only] = texts;
  if (texts.length === 1 && only) return only;
  const enums = texts.filter((type) => enumAt(types, type));
  const [known] = enums;
  const isRestPlain = texts.every((type) => type.kind === 'string' || type === known);
  return known && enums.length === 1 && isRestPlain ? known : stringType;
}

function oneNumber(types: TypeRegistry, numbers: readonly TypeRef[]): TypeRef {
  const [only] = numbers;
  if (numbers.length === 1 && only) return only;
  const isWhole = numbers.every((type) => type.kind === 'integer' || enumAt(types, type)?.base === 'integer');
  return isWhole ? { kind: 'integer', bits: 64 } : { kind: 'number' };
}
