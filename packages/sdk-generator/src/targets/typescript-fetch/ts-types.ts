import type { SdkUnion, SdkVariant } from '../../model/named-types.ts';
import type { TypeRef } from '../../model/type-refs.ts';
import type { TsNames } from './ts-names.ts';
import { literal } from './ts-text.ts';

/** A type as it is written where it is used. @param from where named types are found: nothing in the file that has them */
export function typeText(names: TsNames, type: TypeRef, from = ''): string {
  switch (type.kind) {
    case 'string':
    case 'date':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'dateTime':
      return 'Date';
    case 'bytes':
      return 'Uint8Array';
    case 'binary':
      return 'FilePart';
    case 'any':
      return 'unknown';
    case 'named':
      return `${from}${names.typeOf(type.id)}`;
    case 'list':
      return `readonly ${parenthesised(typeText(names, type.items, from))}[]`;
    case 'map':
      // Not Record: types that lead to themselves through it would have no end for the compiler.
      return `{ readonly [key: string]: ${typeText(names, type.values, from)} }`;
    case 'nullable':
      return `${typeText(names, type.type, from)} | null`;
  }
}

function parenthesised(type: string): string {
  return /^readonly | \| /.test(type) ? `(${type})` : type;
}

/** What reads and writes a type. */
export function codecText(names: TsNames, type: TypeRef, from = ''): string {
  switch (type.kind) {
    case 'named':
      return namedCodec(names, type.id, from);
    case 'list':
      return `json.list(${codecText(names, type.items, from)})`;
    case 'map':
      return `json.map(${codecText(names, type.values, from)})`;
    case 'nullable':
      return `json.nullable(${codecText(names, type.type, from)})`;
    case 'binary':
      return 'undefined';
    default:
      return `json.${type.kind}`;
  }
}

/** Types stand in their order, and may lead to later ones: what is inside of them is looked up when it is needed. */
function namedCodec(names: TsNames, id: string, from: string): string {
  const type = names.types.get(id);
  if (type?.kind === 'enum') return `json.${type.base}`;
  return from === '' ? `json.lazy(() => ${names.codecOf(id)})` : `${from}${names.codecOf(id)}`;
}

/** The type of a variant, with the values of the field that tells it from the others. */
export function variantText(names: TsNames, union: SdkUnion, variant: SdkVariant): string {
  const plain = parenthesised(typeText(names, variant.type));
  const tag = tagField(names, union, variant);
  if (tag === undefined) return plain;
  return `(${plain} & { readonly ${tag.name}${tag.isRequired ? '' : '?'}: ${variant.tags.map(literal).join(' | ')} })`;
}

/** The field of a variant that tells it from the others, if it is a text. */
export function tagField(
  names: TsNames,
  { discriminator }: SdkUnion,
  { type }: SdkVariant,
): { readonly name: string; readonly isRequired: boolean } | undefined {
  const object = type.kind === 'named' ? names.types.get(type.id) : undefined;
  if (object?.kind !== 'object' || discriminator === undefined) return undefined;
  const index = object.properties.findIndex(({ wireName }) => wireName === discriminator);
  const [property, name] = [object.properties[index], names.fieldsOf(object)[index]];
  if (property === undefined || name === undefined) return undefined;
  const named = property.type.kind === 'named' ? names.types.get(property.type.id) : undefined;
  const isText = property.type.kind === 'string' || (named?.kind === 'enum' && named.base === 'string');
  return isText ? { name, isRequired: property.isRequired } : undefined;
}

/** A field of an interface. What need not be there may be given as undefined, too. */
export function fieldText(name: string, type: string, isRequired: boolean): string {
  if (isRequired) return `readonly ${name}: ${type};`;
  return `readonly ${name}?: ${type === 'unknown' ? type : `${type} | undefined`};`;
}
