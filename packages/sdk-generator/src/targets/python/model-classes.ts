import type { FormPart, SdkObject, SdkProperty } from '../../model/named-types.ts';
import type { TypeRef } from '../../model/type-refs.ts';
import { indented, type Lines } from '../../source-text/lines.ts';
import type { Imports } from './imports.ts';
import { memberNames } from './names.ts';
import { comment, docstring, docText, literal } from './text.ts';
import type { TypeWriter } from './types.ts';

/** What the classes have beside fields. */
const objectReserved = ['from_json', 'to_json'];
const formReserved = ['form_fields'];

/** How a field may be missing: not at all, as None, or as UNSET since null means something. */
type Presence = 'required' | 'optional' | 'settable';

interface Field {
  readonly property: SdkProperty;
  readonly name: string;
  readonly presence: Presence;
  /** The type where it is there. */
  readonly type: TypeRef;
}

/** A frozen data class with `from_json` and `to_json`. One of a union says which fields it knows. */
export function objectClass(
  type: SdkObject,
  name: string,
  isVariant: boolean,
  imports: Imports,
  writer: TypeWriter,
): Lines {
  const { fields, additional } = fieldsOf(type, objectReserved);
  const call = (target: string, { property, presence, type: fieldType }: Field, value = ''): string =>
    `${target}.${presence}(${literal(property.wireName)}, ${writer.codec(fieldType)}${value})`;
  const rest = type.additional && additional ? { name: additional, codec: writer.codec(type.additional) } : undefined;
  imports.from('typing', 'Any');
  imports.from('typing', 'Dict');
  imports.from('._fields', 'ObjectReader');
  imports.from('._fields', 'ObjectWriter');
  return [
    classHead(type, name, imports.from('._codec', 'JsonObject'), imports),
    indented(
      [
        docOf(type, name),
        '',
        fieldLines(fields, type, additional, imports, writer),
        fields.length + (rest ? 1 : 0) > 0 && '',
        isVariant &&
          fields.length > 0 && [
            `_wire_names = (${fields.map(({ property }) => `${literal(property.wireName)},`).join(' ')})`,
            '',
          ],
        '@classmethod',
        `def from_json(cls, value: Any) -> ${name}:`,
        fields.length === 0 && !rest
          ? ['    ObjectReader(value)', '    return cls()']
          : [
              '    reader = ObjectReader(value)',
              '    return cls(',
              fields.map((field) => `        ${field.name}=${call('reader', field)},`),
              rest && `        ${rest.name}=reader.rest(${rest.codec}),`,
              '    )',
            ],
        '',
        'def to_json(self) -> Dict[str, Any]:',
        '    writer = ObjectWriter()',
        // What only answers have is not sent back.
        fields
          .filter(({ property }) => !property.isReadOnly)
          .map((field) => `    ${call('writer', field, `, self.${field.name}`)}`),
        rest && `    writer.rest(${rest.codec}, self.${rest.name})`,
        '    return writer.fields',
      ],
      '    ',
    ),
  ];
}

/** A frozen data class of the fields of a form. */
export function formClass(type: SdkObject, name: string, imports: Imports, writer: TypeWriter): Lines {
  const { fields, additional } = fieldsOf(type, formReserved);
  imports.from('typing', 'List');
  return [
    classHead(type, name, imports.from('._forms', 'FormObject'), imports),
    indented(
      [
        docOf(type, name),
        '',
        fieldLines(fields, type, additional, imports, writer),
        fields.length > 0 && '',
        `def form_fields(self) -> List[${imports.from('._forms', 'FormField')}]:`,
        `    writer = ${imports.from('._forms', 'FormWriter')}()`,
        fields.map((field) => `    ${partLine(field, writer)}`),
        type.additional &&
          additional !== undefined &&
          `    writer.rest(${writer.codec(type.additional)}, self.${additional})`,
        '    return writer.fields',
      ],
      '    ',
    ),
  ];
}

/** Where nothing is said. */
const plainPart: FormPart = { kind: 'text', contentType: undefined, style: 'form', isExploded: true };

function partLine({ property, name, type }: Field, writer: TypeWriter): string {
  const wireName = literal(property.wireName);
  const { kind, contentType, style, isExploded } = property.part ?? plainPart;
  const given = contentType === undefined ? '' : `, ${literal(contentType)}`;
  if (kind === 'file') return `writer.file(${wireName}, self.${name}${given})`;
  const codec = writer.codec(type.kind === 'nullable' && kind === 'text' ? type.type : type);
  if (kind === 'json') return `writer.json(${wireName}, ${codec}, self.${name}${given || ', "application/json"'})`;
  return `writer.text(${wireName}, ${codec}, self.${name}${given === '' ? '' : `, content_type=${literal(contentType ?? '')}`}${style === 'form' ? '' : `, style=${literal(style)}`}${isExploded ? '' : ', exploded=False'})`;
}

function classHead(type: SdkObject, name: string, base: string, imports: Imports): Lines {
  return [`@${imports.from('dataclasses', 'dataclass')}(frozen=True)`, `class ${name}(${base}):`];
}

function docOf(type: SdkObject, name: string): readonly string[] {
  const lines = docText(type.description);
  return docstring([...(lines.length === 0 ? [`${name}.`] : lines), ...(type.isDeprecated ? ['', 'Deprecated.'] : [])]);
}

function fieldsOf(
  type: SdkObject,
  reserved: readonly string[],
): { fields: readonly Field[]; additional: string | undefined } {
  const names = memberNames(reserved);
  const fields = type.properties.map((property) => ({
    property,
    name: names.take(property.words),
    presence: presenceOf(property, type.isForm),
    type: property.type,
  }));
  const required = fields.filter(({ presence }) => presence === 'required');
  return {
    fields: [...required, ...fields.filter((field) => !required.includes(field))],
    additional: type.additional === undefined ? undefined : names.take(['additional']),
  };
}

function presenceOf({ isRequired, type }: SdkProperty, isForm: boolean): Presence {
  if (isRequired) return 'required';
  return !isForm && (type.kind === 'nullable' || type.kind === 'any') ? 'settable' : 'optional';
}

function fieldLines(
  fields: readonly Field[],
  type: SdkObject,
  additional: string | undefined,
  imports: Imports,
  writer: TypeWriter,
): Lines {
  return [
    fields.map((field) => [
      comment(field.property.description),
      field.property.isDeprecated && '#: Deprecated.',
      `${field.name}: ${annotationOf(field, imports, writer)}${defaultOf(field, imports)}`,
    ]),
    type.additional !== undefined && [
      '#: Fields beside those above.',
      `${additional}: ${imports.from('typing', 'Dict')}[str, ${writer.annotation(type.additional)}] = ${imports.from('dataclasses', 'field', '_field')}(default_factory=dict)`,
    ],
  ];
}

function defaultOf({ presence }: Field, imports: Imports): string {
  if (presence === 'required') return '';
  return presence === 'optional' ? ' = None' : ` = ${imports.from('._fields', 'UNSET')}`;
}

function annotationOf({ property, presence, type }: Field, imports: Imports, writer: TypeWriter): string {
  const annotation = property.part?.kind === 'file' ? fileAnnotation(type, imports) : writer.annotation(type);
  if (presence === 'required') return annotation;
  if (presence === 'optional') return writer.optional(annotation);
  if (annotation === 'Any') return annotation;
  return `${imports.from('typing', 'Union')}[${annotation}, ${imports.from('._fields', 'Unset')}]`;
}

function fileAnnotation(type: TypeRef, imports: Imports): string {
  const file = `${imports.from('typing', 'Union')}[${imports.from('._forms', 'FilePart')}, bytes]`;
  const inner = type.kind === 'nullable' ? type.type : type;
  return inner.kind === 'list' ? `${imports.from('typing', 'List')}[${file}]` : file;
}

/** The fields that a value cannot be made without, with their names. */
export function requiredFields(type: SdkObject): readonly Field[] {
  return fieldsOf(type, type.isForm ? formReserved : objectReserved).fields.filter(
    ({ presence }) => presence === 'required',
  );
}
