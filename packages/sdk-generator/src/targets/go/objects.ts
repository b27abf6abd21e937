import type { SdkObject, SdkProperty } from '../../model/named-types.ts';
import type { TypeRef } from '../../model/type-refs.ts';
import { indented, type Lines } from '../../source-text/lines.ts';
import { typeComment } from './models.ts';
import { fieldNames } from './names.ts';
import { aligned, comment, literal, paragraph } from './text.ts';
import type { GoTypes } from './types.ts';

/** How a field may be missing, as `json.go` names it. */
export type Presence = 'required' | 'requiredOrNull' | 'optional' | 'settable';

export interface Field {
  readonly property: SdkProperty;
  readonly name: string;
  readonly presence: Presence;
  readonly goType: string;
  /** Of which nil means absent, but for `any`. */
  readonly isPointer: boolean;
}

/** A struct that reads and writes its fields by their exact names. */
export function objectStruct(type: SdkObject, name: string, types: GoTypes): Lines {
  const { fields, additional } = fieldsOf(type, types, ['MarshalJSON', 'UnmarshalJSON']);
  const rest = type.additional && additional !== undefined ? additional : undefined;
  const members = fields.length > 0 ? 'members' : 'nil';
  const sent = fields.filter(({ property }) => !property.isReadOnly);
  return [
    typeComment(type, name, 'is a type of this API'),
    structOf(
      name,
      fields,
      type.additional && additional !== undefined ? [additional, type.additional] : undefined,
      types,
    ),
    '',
    '// MarshalJSON writes what is set, but for fields that only answers have.',
    `func (o ${name}) MarshalJSON() ([]byte, error) {`,
    '\tvar w objectWriter',
    sent.map(writeLines),
    rest !== undefined && `\twriteRest(&w, o.${rest})`,
    '\treturn w.end()',
    '}',
    '',
    '// UnmarshalJSON reads the fields by their exact names.',
    `func (o *${name}) UnmarshalJSON(data []byte) error {`,
    '\treturn decodeJSON(data, o)',
    '}',
    '',
    `func (o *${name}) readFrom(d *decoding, value any) error {`,
    `\t*o = ${name}{}`,
    fields.length > 0 && [
      '\tmembers := []member{',
      fields.map(
        ({ property, presence, name: field }) => `\t\t{${literal(property.wireName)}, ${presence}, &o.${field}},`,
      ),
      '\t}',
    ],
    rest === undefined
      ? `\treturn d.readObject(value, ${members})`
      : [
          `\tif err := d.readObject(value, ${members}); err != nil {`,
          '\t\treturn err',
          '\t}',
          `\treturn readRest(d, value, ${members}, &o.${rest})`,
        ],
    '}',
  ];
}

function writeLines({ property, name, presence }: Field): Lines {
  const put = `w.field(${literal(property.wireName)}, o.${name})`;
  if (presence === 'required') return `\t${put}`;
  if (presence === 'requiredOrNull') return requiredOrNull(property, name);
  return [`\tif o.${name}${presence === 'settable' ? '.IsSet()' : ' != nil'} {`, `\t\t${put}`, '\t}'];
}

/** Lists and maps that are nil are null here, and empty ones elsewhere. */
function requiredOrNull({ wireName, type }: SdkProperty, name: string): Lines {
  const inner = type.kind === 'nullable' ? type.type.kind : type.kind;
  if (inner !== 'list' && inner !== 'map' && inner !== 'bytes') return `\tw.field(${literal(wireName)}, o.${name})`;
  return [
    `\tif o.${name} == nil {`,
    `\t\tw.field(${literal(wireName)}, nil)`,
    '\t} else {',
    `\t\tw.field(${literal(wireName)}, o.${name})`,
    '\t}',
  ];
}

/** The fields with their names; required ones stay where they are, since structs are written by names. */
export function fieldsOf(
  type: SdkObject,
  types: GoTypes,
  reserved: readonly string[],
): { readonly fields: readonly Field[]; readonly additional: string | undefined } {
  const names = fieldNames(reserved);
  const fields = type.properties.map((property) => fieldOf(property, names.take(property.words), type, types));
  return { fields, additional: type.additional === undefined ? undefined : names.take(['additional']) };
}

function fieldOf(property: SdkProperty, name: string, owner: SdkObject, types: GoTypes): Field {
  const { type } = property;
  const isNullable = type.kind === 'nullable';
  if (property.isRequired) {
    const isPointer = !isNullable && types.holds(type, owner.id);
    const goType = isPointer ? `*${types.of(type)}` : types.of(type);
    return {
      property,
      name,
      presence: isNullable || type.kind === 'any' ? 'requiredOrNull' : 'required',
      goType,
      isPointer,
    };
  }
  if (isNullable && !owner.isForm) {
    return { property, name, presence: 'settable', goType: `Settable[${types.of(type.type)}]`, isPointer: false };
  }
  return { property, name, presence: 'optional', goType: types.orNil(type), isPointer: !types.isNilable(type) };
}

/** The declaration of a struct, in which only fields without comments between them stand in columns. */
export function structOf(
  name: string,
  fields: readonly Pick<Field, 'property' | 'name' | 'goType'>[],
  additional: readonly [string, TypeRef] | undefined,
  types: GoTypes,
): Lines {
  const groups: { comment: readonly string[]; pairs: [string, string][] }[] = [];
  const add = (about: readonly string[], pair: [string, string]): void => {
    const last = groups.at(-1);
    if (about.length > 0 || last === undefined || last.comment.length > 0)
      groups.push({ comment: about, pairs: [pair] });
    else last.pairs.push(pair);
  };
  for (const { property, name: field, goType } of fields) {
    add(fieldComment(property, field), [field, goType]);
  }
  if (additional !== undefined) {
    const [field, type] = additional;
    add([`// ${field} are the fields beside those above.`], [field, `map[string]${types.of(type)}`]);
  }
  if (groups.length === 0) return `type ${name} struct{}`;
  return [
    `type ${name} struct {`,
    groups.map((group, index) => [index > 0 && '', indented([...group.comment, ...aligned(group.pairs)], '\t')]),
    '}',
  ];
}

/** The comment above a field or a parameter. */
function fieldComment({ description, isDeprecated }: SdkProperty, name: string): readonly string[] {
  return comment(
    description === undefined ? [] : paragraph(`${name}:`, description),
    isDeprecated ? ['Deprecated: the description says so.'] : [],
  );
}
