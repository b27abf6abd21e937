import type { NamedType, SdkEnum, SdkObject, SdkProperty, SdkUnion } from '../../model/named-types.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import { variantsToTry } from '../../model/variant-order.ts';
import { camelCase } from '../../names/casing.ts';
import { UniqueNames } from '../../names/unique-names.ts';
import { indented, textOf, type Lines } from '../../source-text/lines.ts';
import type { TsNames } from './ts-names.ts';
import { deprecated, docComment, literal } from './ts-text.ts';
import { codecText, fieldText, tagField, typeText, variantText } from './ts-types.ts';

/** `src/models.ts` */
export function modelsText(model: SdkModel, names: TsNames, head: string): string {
  const isForm = (type: NamedType): boolean => type.kind === 'object' && type.isForm;
  const hasCodecs = model.types.some(({ kind }) => kind !== 'enum');
  return textOf(
    head,
    hasCodecs && "import * as json from './runtime/codec.ts';",
    model.types.some(isForm) && "import type { FilePart, FormField } from './runtime/forms.ts';",
    model.types.length === 0 && 'export {};',
    model.types.flatMap((type) => ['', ...[typeDeclaration(names, type)]]),
  );
}

function typeDeclaration(names: TsNames, type: NamedType): Lines {
  if (type.kind === 'enum') return enumLines(names, type);
  if (type.kind === 'union') return unionLines(names, type);
  return [interfaceLines(names, type), '', type.isForm ? formLines(names, type) : objectCodec(names, type)];
}

/** Values that the server learns later are of the type, too, and editors still offer the known ones. */
function enumLines(names: TsNames, type: SdkEnum): Lines {
  const name = names.typeOf(type.id);
  const own = new UniqueNames(camelCase);
  const base = type.base === 'string' ? 'string' : 'number';
  const text = (value: string | number): string => (typeof value === 'string' ? literal(value) : String(value));
  return [
    docComment([type.description], deprecated(type.isDeprecated)),
    `export type ${name} = ${[...type.values.map(({ value }) => text(value)), `(${base} & {})`].join(' | ')};`,
    '',
    `export const ${name} = {`,
    indented(type.values.map(({ value, words }) => `${own.take(words)}: ${text(value)},`)),
    '} as const;',
  ];
}

function interfaceLines(names: TsNames, type: SdkObject): Lines {
  const fields = names.fieldsOf(type);
  return [
    docComment([type.description], deprecated(type.isDeprecated)),
    `export interface ${names.typeOf(type.id)} {`,
    indented(type.properties.map((property, index) => fieldLines(names, property, fields[index] ?? ''))),
    type.additional !== undefined &&
      indented([
        '/** Fields beside the known ones. */',
        `readonly additional?: Readonly<Record<string, ${typeText(names, type.additional)}>> | undefined;`,
      ]),
    '}',
  ];
}

function fieldLines(names: TsNames, property: SdkProperty, name: string): Lines {
  const { type, isRequired, description, isDeprecated, isReadOnly, isWriteOnly } = property;
  const way = isReadOnly ? 'Only in answers.' : isWriteOnly ? 'Only in requests.' : undefined;
  return [docComment([description, way], deprecated(isDeprecated)), fieldText(name, typeText(names, type), isRequired)];
}

function objectCodec(names: TsNames, type: SdkObject): Lines {
  const fields = names.fieldsOf(type);
  const field = ({ wireName, type, isRequired, isReadOnly }: SdkProperty, index: number): string => {
    const parts = [literal(wireName), literal(fields[index] ?? ''), codecText(names, type)].join(', ');
    const known = `json.${isRequired ? 'required' : 'optional'}(${parts})`;
    return `${isReadOnly ? `json.readOnly(${known})` : known},`;
  };
  const name = names.typeOf(type.id);
  const additional = type.additional === undefined ? '' : `, ${codecText(names, type.additional)}`;
  return [
    `export const ${names.codecOf(type.id)}: json.Codec<${name}> = json.object<${name}>([`,
    indented(type.properties.map(field)),
    `]${additional});`,
  ];
}

function formLines(names: TsNames, type: SdkObject): Lines {
  const fields = names.fieldsOf(type);
  const field = ({ wireName, type, isRequired, part }: SdkProperty, index: number): string => {
    const { kind = 'text', contentType, style = 'form', isExploded = true } = part ?? {};
    const texts = [
      `wire: ${literal(wireName)}`,
      `name: ${literal(fields[index] ?? '')}`,
      `codec: ${kind === 'file' ? 'undefined' : codecText(names, type)}`,
      `isRequired: ${isRequired}`,
      `kind: ${literal(kind)}`,
      `contentType: ${contentType === undefined ? 'undefined' : literal(contentType)}`,
      `style: ${literal(style)}`,
      `isExploded: ${isExploded}`,
    ];
    return `{ ${texts.join(', ')} },`;
  };
  return [
    `export const ${names.codecOf(type.id)}: readonly FormField[] = [`,
    indented(type.properties.map(field)),
    '];',
  ];
}

function unionLines(names: TsNames, type: SdkUnion): Lines {
  const name = names.typeOf(type.id);
  const variant = (one: SdkUnion['variants'][number]): string => {
    const tag = type.discriminator === undefined ? undefined : tagField(names, type, one)?.name;
    const texts = one.tags.length === 0 ? [] : [literal(tag ?? ''), ...one.tags.map(literal)];
    return `json.variant(${[codecText(names, one.type), ...texts].join(', ')}),`;
  };
  return [
    docComment([type.description], deprecated(type.isDeprecated)),
    `export type ${name} = ${type.variants.map((one) => variantText(names, type, one)).join(' | ')};`,
    '',
    `export const ${names.codecOf(type.id)}: json.Codec<${name}> = json.union<${name}>([`,
    indented(variantsToTry(names.types, type).map(variant)),
    `]${type.discriminator === undefined ? '' : `, ${literal(type.discriminator)}`});`,
  ];
}
