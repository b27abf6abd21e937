import type { SdkObject } from '../../model/named-types.ts';
import type { ParameterStyle } from '../../model/operations.ts';
import type { Lines } from '../../source-text/lines.ts';
import type { CsharpField, CsharpFields } from './csharp-objects.ts';
import { csharpString } from './csharp-text.ts';
import { isValueType } from './csharp-types.ts';
import type { CsharpTypes } from './csharp-types.ts';

/** The method that gives the fields of a form. */
export function formWriter(types: CsharpTypes, object: SdkObject, { fields, additional }: CsharpFields): Lines {
  return [
    'internal FormData ToForm()',
    '{',
    '    var form = new FormData();',
    fields.map((field) => fieldWriter(types, field)),
    object.additional !== undefined && [
      `    foreach (var pair in ${additional})`,
      '    {',
      `        form.Text(pair.Key, ${types.written(object.additional, 'pair.Value')}, ParameterStyle.Form, true, null);`,
      '    }',
    ],
    '    return form;',
    '}',
  ];
}

function fieldWriter(types: CsharpTypes, field: CsharpField): Lines {
  const { property, name, mayBeNull } = field;
  const isReference = !isValueType(property.type.kind === 'nullable' ? property.type.type : property.type);
  if (!mayBeNull) {
    return `    ${statement(types, field, isReference ? `Write.Required(${name}, ${csharpString(name)})` : name)}`;
  }
  return [
    `    if (${name} != null)`,
    '    {',
    `        ${statement(types, field, isReference ? name : `${name}.Value`)}`,
    '    }',
  ];
}

function statement(types: CsharpTypes, { property, wire }: CsharpField, value: string): string {
  const type = property.type.kind === 'nullable' ? property.type.type : property.type;
  const contentType = property.part?.contentType === undefined ? 'null' : csharpString(property.part.contentType);
  if (property.part?.kind === 'file') {
    return `form.${type.kind === 'list' ? 'Files' : 'File'}(${wire}, ${value}, ${contentType});`;
  }
  if (property.part?.kind === 'json') return `form.Json(${wire}, ${types.written(type, value)}, ${contentType});`;
  const style = styleOf(property.part?.style ?? 'form');
  return `form.Text(${wire}, ${types.written(type, value)}, ${style}, ${String(property.part?.isExploded ?? true)}, ${contentType});`;
}

/** A field of `ParameterStyle`. */
export function styleOf(style: ParameterStyle): string {
  return `ParameterStyle.${style.charAt(0).toUpperCase()}${style.slice(1)}`;
}
