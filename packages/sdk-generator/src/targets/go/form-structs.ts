import type { SdkObject } from '../../model/named-types.ts';
import type { Lines } from '../../source-text/lines.ts';
import { typeComment } from './models.ts';
import { fieldsOf, structOf, type Field } from './objects.ts';
import { literal } from './text.ts';
import type { GoTypes } from './types.ts';

/** A struct that is the body of a form. */
export function formStruct(type: SdkObject, name: string, types: GoTypes): Lines {
  const { additional, fields: plain } = fieldsOf(type, types, []);
  const fields = plain.map((field) => withFiles(field));
  const rest = type.additional && additional !== undefined ? additional : undefined;
  return [
    typeComment(type, name, 'is the body of a form'),
    structOf(
      name,
      fields,
      type.additional && additional !== undefined ? [additional, type.additional] : undefined,
      types,
    ),
    '',
    `func (o ${name}) formFields() []formField {`,
    '\tvar fields []formField',
    fields.map(fieldLines),
    rest !== undefined && [
      `\tfor _, name := range sortedKeys(o.${rest}) {`,
      `\t\tfields = append(fields, formField{name: name, kind: "text", isExploded: true, value: o.${rest}[name]})`,
      '\t}',
    ],
    '\treturn fields',
    '}',
  ];
}

/** Files are parts with names, not bytes. */
function withFiles(field: Field): Field {
  if (field.property.part?.kind !== 'file') return field;
  if (isList(field)) return { ...field, goType: '[]FilePart', isPointer: false };
  return {
    ...field,
    goType: field.presence === 'required' ? 'FilePart' : '*FilePart',
    isPointer: field.presence !== 'required',
  };
}

function isList({ property: { type } }: Field): boolean {
  return (type.kind === 'nullable' ? type.type : type).kind === 'list';
}

function fieldLines(field: Field): Lines {
  const { property, name, presence } = field;
  const part = property.part ?? { kind: 'text', contentType: undefined, style: 'form', isExploded: true };
  const values = [
    `name: ${literal(property.wireName)}`,
    `kind: ${literal(part.kind)}`,
    ...(part.contentType === undefined ? [] : [`contentType: ${literal(part.contentType)}`]),
    ...(part.style === 'form' ? [] : [`style: ${literal(part.style)}`]),
    ...(part.isExploded ? ['isExploded: true'] : []),
    part.kind === 'file' ? `files: ${filesOf(field)}` : `value: o.${name}`,
  ];
  const append = `fields = append(fields, formField{${values.join(', ')}})`;
  return presence === 'required' ? `\t${append}` : [`\tif o.${name} != nil {`, `\t\t${append}`, '\t}'];
}

function filesOf(field: Field): string {
  if (isList(field)) return `o.${field.name}`;
  return `[]FilePart{${field.isPointer ? '*' : ''}o.${field.name}}`;
}
