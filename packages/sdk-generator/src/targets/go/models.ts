import type { NamedType, SdkEnum, SdkUnion } from '../../model/named-types.ts';
import { variantsToTry } from '../../model/variant-order.ts';
import { indented, type Lines } from '../../source-text/lines.ts';
import { fieldNames, type GoNames } from './names.ts';
import { objectStruct } from './objects.ts';
import { formStruct } from './form-structs.ts';
import { aligned, comment, literal, paragraph } from './text.ts';
import { GoTypes } from './types.ts';

/** The types of the package, in their order. */
export function modelDeclarations(names: GoNames): readonly Lines[] {
  const types = new GoTypes(names);
  return [...names.types.values()].map(({ type, name }) => {
    if (type.kind === 'enum') return enumType(type, name, names.values.get(type.id) ?? []);
    if (type.kind === 'union') return unionStruct(type, name, types);
    return type.isForm ? formStruct(type, name, types) : objectStruct(type, name, types);
  });
}

/** The comment above a type. */
export function typeComment(type: NamedType, name: string, otherwise: string): readonly string[] {
  return comment(
    type.description === undefined ? [`${name} ${otherwise}.`] : paragraph(`${name}:`, type.description),
    type.isDeprecated ? ['Deprecated: the description says so.'] : [],
  );
}

function enumType(type: SdkEnum, name: string, values: readonly string[]): Lines {
  const base = { string: 'string', integer: 'int64', number: 'float64' }[type.base];
  return [
    typeComment(type, name, 'is one of the values below, or one that a server learned later'),
    `type ${name} ${base}`,
    type.values.length > 0 && [
      '',
      `// Values of ${name}.`,
      'const (',
      indented(
        aligned(
          type.values.map(({ value }, index) => [
            values[index] ?? '',
            `${name} = ${typeof value === 'string' ? literal(value) : String(value)}`,
          ]),
        ),
        '\t',
      ),
      ')',
    ],
  ];
}

/** A struct of pointers, one of which is not nil. */
function unionStruct(union: SdkUnion, name: string, types: GoTypes): Lines {
  const names = fieldNames(['MarshalJSON', 'UnmarshalJSON']);
  const fields = new Map(union.variants.map((variant) => [variant, names.take(variant.words)]));
  const { discriminator } = union;
  const tagged = union.variants.filter(({ tags }) => tags.length > 0);
  return [
    typeComment(union, name, 'is one of several types'),
    '//',
    '// One field is set, the others are nil.',
    `type ${name} struct {`,
    indented(aligned(union.variants.map((variant) => [fields.get(variant) ?? '', `*${types.of(variant.type)}`])), '\t'),
    '}',
    '',
    '// MarshalJSON writes the variant that is set.',
    `func (u ${name}) MarshalJSON() ([]byte, error) {`,
    '\tswitch {',
    union.variants.map((variant) => {
      const field = fields.get(variant) ?? '';
      const [tag] = variant.tags;
      const written =
        discriminator === undefined || tag === undefined
          ? `encodeJSON(*u.${field})`
          : `withTag(u.${field}, ${literal(discriminator)}, ${literal(tag)})`;
      return [`\tcase u.${field} != nil:`, `\t\treturn ${written}`];
    }),
    '\t}',
    `\treturn nil, &InvalidValueError{${literal(name)}, "has no variant that is set"}`,
    '}',
    '',
    '// UnmarshalJSON reads the variant that the value says it is, or else the first one that fits.',
    `func (u *${name}) UnmarshalJSON(data []byte) error {`,
    `\t*u = ${name}{}`,
    discriminator !== undefined &&
      tagged.length > 0 && [
        `\tswitch tagOf(data, ${literal(discriminator)}) {`,
        tagged.map((variant) => [
          `\tcase ${variant.tags.map(literal).join(', ')}:`,
          `\t\tu.${fields.get(variant)} = new(${types.of(variant.type)})`,
          `\t\treturn decodeJSON(data, u.${fields.get(variant)})`,
        ]),
        '\t}',
      ],
    `\tif ${variantsToTry(types.byId, union)
      .map(
        (variant) => `${readerOf(variant.type, types)}(data, &u.${fields.get(variant)}${knownOf(variant.type, types)})`,
      )
      .join(' ||\n\t\t')} {`,
    '\t\treturn nil',
    '\t}',
    hasEnum(union, types) && [
      `\tif ${union.variants
        .filter(({ type }) => knownOf(type, types) !== '')
        .map((variant) => `readVariant(data, &u.${fields.get(variant)})`)
        .join(' ||\n\t\t')} {`,
      '\t\treturn nil',
      '\t}',
    ],
    '\treturn &DecodeError{Reason: "expected one of several types"}',
    '}',
  ];
}

function hasEnum(union: SdkUnion, types: GoTypes): boolean {
  return union.variants.some(({ type }) => knownOf(type, types) !== '');
}

function readerOf(type: SdkUnion['variants'][number]['type'], types: GoTypes): string {
  return knownOf(type, types) === '' ? 'readVariant' : 'readKnown';
}

/** The values of an enum: in a union only these count at first, since any other would hide the types after it. */
function knownOf(type: SdkUnion['variants'][number]['type'], types: GoTypes): string {
  if (type.kind !== 'named' || types.names.types.get(type.id)?.type.kind !== 'enum') return '';
  const values = types.names.values.get(type.id) ?? [];
  return values.map((value) => `, ${value}`).join('');
}
