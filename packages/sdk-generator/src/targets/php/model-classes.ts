import type { FormPart, SdkObject, SdkProperty } from '../../model/named-types.ts';
import type { TypeRef } from '../../model/type-refs.ts';
import { indented, type Lines } from '../../source-text/lines.ts';
import { variableNames } from './names.ts';
import { docComment, docText, listLiteral, literal } from './text.ts';
import type { TypeWriter } from './types.ts';

/** How a field may be missing: not at all, as null, or as `Absent` since null means something. */
type Presence = 'required' | 'optional' | 'settable';

export interface Field {
  readonly property: SdkProperty;
  readonly name: string;
  readonly presence: Presence;
}

/** A class of read-only properties with `fromJson` and `jsonSerialize`. One of a union says which fields it knows. */
export function objectClass(type: SdkObject, name: string, isVariant: boolean, writer: TypeWriter): Lines {
  const { fields, additional } = fieldsOf(type);
  const rest =
    type.additional && additional !== undefined
      ? { name: additional, codec: writer.codec(type.additional) }
      : undefined;
  const call = (target: string, { property, presence }: Field, value = ''): string =>
    `${target}->${presence}(${literal(property.wireName)}, ${writer.codec(property.type)}${value})`;
  return [
    `final class ${name} implements JsonObject`,
    '{',
    indented(
      [
        isVariant &&
          fields.length > 0 && [
            `public const WIRE_NAMES = ${listLiteral(fields.map(({ property }) => property.wireName))};`,
            '',
          ],
        constructor(fields, type, additional, writer),
        '',
        'public static function fromJson(mixed $value): self',
        '{',
        fields.length === 0 && !rest
          ? ['    new ObjectReader($value);', '    return new self();']
          : [
              '    $reader = new ObjectReader($value);',
              '    return new self(',
              fields.map((field) => `        ${field.name}: ${call('$reader', field)},`),
              rest && `        ${rest.name}: $reader->rest(${rest.codec}),`,
              '    );',
            ],
        '}',
        '',
        'public function jsonSerialize(): \\stdClass',
        '{',
        '    $writer = new ObjectWriter();',
        // What only answers have is not sent back.
        fields
          .filter(({ property }) => !property.isReadOnly)
          .map((field) => `    ${call('$writer', field, `, $this->${field.name}`)};`),
        rest && `    $writer->rest(${rest.codec}, $this->${rest.name});`,
        '    return $writer->toObject();',
        '}',
      ],
      '    ',
    ),
    '}',
  ];
}

/** A class of the fields of a form. */
export function formClass(type: SdkObject, name: string, writer: TypeWriter): Lines {
  const { fields, additional } = fieldsOf(type);
  return [
    `final class ${name} implements FormObject`,
    '{',
    indented(
      [
        constructor(fields, type, additional, writer),
        '',
        'public function formFields(): array',
        '{',
        '    return [',
        fields.map((field) => `        ...${partOf(field, writer)},`),
        type.additional &&
          additional !== undefined &&
          `        ...FormField::rest(${writer.codec(type.additional)}, $this->${additional}),`,
        '    ];',
        '}',
      ],
      '    ',
    ),
    '}',
  ];
}

/** Where nothing is said. */
const plainPart: FormPart = { kind: 'text', contentType: undefined, style: 'form', isExploded: true };

function partOf({ property, name }: Field, writer: TypeWriter): string {
  const wireName = literal(property.wireName);
  const { kind, contentType, style, isExploded } = property.part ?? plainPart;
  const given = contentType === undefined ? '' : `, ${literal(contentType)}`;
  if (kind === 'file') return `FormField::file(${wireName}, $this->${name}${given})`;
  const codec = writer.codec(property.type);
  if (kind === 'json')
    return `FormField::json(${wireName}, ${codec}, $this->${name}${given === '' ? ", 'application/json'" : given})`;
  return `FormField::text(${wireName}, ${codec}, $this->${name}${given}${style === 'form' ? '' : `, style: ${literal(style)}`}${isExploded ? '' : ', isExploded: false'})`;
}

export function fieldsOf(type: SdkObject): {
  readonly fields: readonly Field[];
  readonly additional: string | undefined;
} {
  const names = variableNames();
  const fields = type.properties.map((property) => ({
    property,
    name: names.take(property.words),
    presence: presenceOf(property, type.isForm),
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

function constructor(
  fields: readonly Field[],
  type: SdkObject,
  additional: string | undefined,
  writer: TypeWriter,
): Lines {
  if (fields.length === 0 && additional === undefined) return ['public function __construct()', '{', '}'];
  return [
    'public function __construct(',
    fields.map((field) => [
      indented(fieldComment(field, writer), '    '),
      `    public readonly ${nativeOf(field, writer)} $${field.name}${defaultOf(field)},`,
    ]),
    type.additional !== undefined && [
      `    /** @var array<string, ${writer.documented(type.additional)}> fields beside those above */`,
      `    public readonly array $${additional} = [],`,
    ],
    ') {',
    '}',
  ];
}

function fieldComment({ property, presence }: Field, writer: TypeWriter): Lines {
  const more = { required: '', optional: '|null', settable: '|Absent' }[presence];
  const isFile = property.part?.kind === 'file';
  const documented = isFile ? 'list<FilePart|string>' : writer.documented(property.type);
  const saysMore = isFile ? isList(property.type) : writer.saysMore(property.type);
  return docComment([
    docText(property.description),
    saysMore && `@var ${documented}${more}`,
    property.isDeprecated && '@deprecated',
  ]);
}

function nativeOf({ property, presence }: Field, writer: TypeWriter): string {
  const more = { required: [], optional: ['null'], settable: ['Absent'] }[presence];
  if (property.part?.kind !== 'file') return writer.native(property.type, more);
  const file = isList(property.type) ? 'array' : 'FilePart|string';
  if (presence === 'required') return file;
  return file === 'array' ? '?array' : `${file}|null`;
}

function isList(type: TypeRef): boolean {
  return (type.kind === 'nullable' ? type.type : type).kind === 'list';
}

function defaultOf({ presence }: Field): string {
  return { required: '', optional: ' = null', settable: ' = Absent::Field' }[presence];
}
