import type { SdkObject } from '../../model/named-types.ts';
import type { Lines } from '../../source-text/lines.ts';
import type { JavaFile } from './java-file.ts';
import type { JavaField, JavaFields } from './java-objects.ts';
import { javaString } from './java-text.ts';
import { styleOf, written } from './java-types.ts';

/** The method that gives the fields of a form. */
export function formWriter(file: JavaFile, object: SdkObject, { fields, additional }: JavaFields): Lines {
  const form = file.useOwn('internal', 'FormData');
  return [
    '/** For the client of this library: it may change at any time. */',
    `public ${form} toForm() {`,
    `    ${form} form = new ${form}();`,
    fields.map((field) => [`    if (this.${field.name} != null) {`, `        ${statement(file, field)}`, '    }']),
    object.additional !== undefined &&
      `    this.${additional}.forEach((name, value) -> form.text(name, ${written(file, object.additional, 'value', true)}, ${styleOf(file, 'form')}, true, null));`,
    '    return form;',
    '}',
    '',
  ];
}

function statement(file: JavaFile, { property, name, wire }: JavaField): string {
  const type = property.type.kind === 'nullable' ? property.type.type : property.type;
  const contentType = property.part?.contentType === undefined ? 'null' : javaString(property.part.contentType);
  if (property.part?.kind === 'file') {
    return `form.${type.kind === 'list' ? 'files' : 'file'}(${wire}, this.${name}, ${contentType});`;
  }
  const value = written(file, type, `this.${name}`, false);
  return property.part?.kind === 'json'
    ? `form.json(${wire}, ${value}, ${contentType});`
    : `form.text(${wire}, ${value}, ${styleOf(file, property.part?.style ?? 'form')}, ${String(property.part?.isExploded ?? true)}, ${contentType});`;
}
