import type { NamedType, SdkEnum, SdkUnion, SdkVariant } from '../../model/named-types.ts';
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
    '// UnmarshalJSON reads the variant that the value says it is, or else the one that fits and knows most of it.',
    `func (u *${name}) UnmarshalJSON(data []byte) error {`,
    '\treturn decodeJSON(data, u)',
    '}',
    '',
    `func (u *${name}) readFrom(d *decoding, value any) error {`,
    `\t*u = ${name}{}`,
    `\treturn readUnion(d, value, u, ${literal(discriminator ?? '')},`,
    variantsToTry(types.byId, union).map(
      (variant) => `\t\tvariant{${variantFields(variant, `&u.${fields.get(variant)}`, types)}},`,
    ),
    '\t)',
    '}',
  ];
}

function variantFields({ type, tags }: SdkVariant, target: string, types: GoTypes): string {
  const named = type.kind === 'named' ? types.byId.get(type.id) : undefined;
  const names = named?.kind === 'object' ? named.properties.map(({ wireName }) => literal(wireName)) : [];
  const known = named?.kind === 'enum' ? (types.names.values.get(named.id) ?? []) : [];
  return [
    `target: ${target}`,
    tags.length > 0 && `tags: []string{${tags.map(literal).join(', ')}}`,
    names.length > 0 && `names: []string{${names.join(', ')}}`,
    named?.kind === 'enum' && `known: []${types.of(type)}{${known.join(', ')}}`,
  ]
    .filter((part) => part !== false)
    .join(', ');
}
