import type { SdkObject, SdkProperty } from '../../model/named-types.ts';
import { onlyTag } from '../../model/union-members.ts';
import { indented } from '../../source-text/lines.ts';
import type { Lines } from '../../source-text/lines.ts';
import type { JavaContext } from './java-context.ts';
import type { JavaFile } from './java-file.ts';
import type { JavaField, JavaFields } from './java-objects.ts';
import { javadoc, javadocText, javaString } from './java-text.ts';
import { copied, isCopied, requiredTypeOf, typeOf } from './java-types.ts';

/** The class that makes objects of a class step by step. */
export function objectBuilder(
  file: JavaFile,
  context: JavaContext,
  object: SdkObject,
  { fields, additional }: JavaFields,
  objects: string,
): Lines {
  const { className } = file;
  const needed = fields.filter(({ isAlwaysThere }) => isAlwaysThere);
  return [
    `/** Makes a {@link ${className}}. Lists and maps are copied. */`,
    'public static final class Builder {',
    indented(
      [
        fields.map(({ property, name, flag }) => [
          `private ${typeOf(file, property.type)} ${name}${initial(file, context, object, property)};`,
          flag !== undefined && `private boolean ${flag};`,
        ]),
        additionalField(file, object, additional),
        '',
        'private Builder() {}',
        '',
        `private Builder(${className} from) {`,
        fields.map(({ name, flag }) => [
          `    this.${name} = from.${name};`,
          flag !== undefined && `    this.${flag} = from.${flag};`,
        ]),
        object.additional !== undefined && `    this.${additional} = from.${additional};`,
        '}',
        '',
        fields.map((field) => setter(file, field, objects)),
        additionalSetter(file, object, additional),
        needed.length > 0 && '/** @throws NullPointerException when something that is required was not set */',
        `public ${className} build() {`,
        needed.map(({ name }) => `    ${objects}.requireNonNull(${name}, ${javaString(name)});`),
        `    return new ${className}(this);`,
        '}',
      ],
      '    ',
    ),
    '}',
  ];
}

/** A field that tells which one of a union the object is holds that from the start, where there is only one thing to say. */
function initial(file: JavaFile, context: JavaContext, object: SdkObject, property: SdkProperty): string {
  const tag = onlyTag(context.unions, object, property);
  if (tag === undefined) return '';
  if (property.type.kind === 'string') return ` = ${javaString(tag)}`;
  const named = property.type.kind === 'named' ? context.types.get(property.type.id) : undefined;
  return named?.kind === 'enum' && named.base === 'string'
    ? ` = ${file.useModel(named.id)}.of(${javaString(tag)})`
    : '';
}

function setter(file: JavaFile, { property, name, flag }: JavaField, objects: string): Lines {
  const isNullable = property.type.kind === 'nullable';
  const isNeeded = property.isRequired && !isNullable;
  const type = isNeeded ? requiredTypeOf(file, property.type) : typeOf(file, property.type);
  const isPrimitive = isNeeded && type !== typeOf(file, property.type);
  const value = isNeeded
    ? isPrimitive
      ? 'value'
      : copied(file, property.type, `${objects}.requireNonNull(value, ${javaString(name)})`)
    : isCopied(property.type)
      ? `value == null ? null : ${copied(file, property.type, 'value')}`
      : 'value';
  return [
    javadoc({
      texts: [property.description],
      notes: [
        ...(property.isReadOnly ? ['Only in answers.'] : []),
        ...(isNullable ? ['May be null.'] : property.isRequired ? [] : ['Null leaves it out.']),
      ],
      tags: property.isDeprecated ? ['@deprecated as the description says'] : [],
    }),
    property.isDeprecated && '@Deprecated',
    `public Builder ${name}(${type} value) {`,
    `    this.${name} = ${value};`,
    flag !== undefined && `    this.${flag} = true;`,
    '    return this;',
    '}',
    '',
    flag !== undefined && [
      `/** Takes {@code ${javadocText(name)}} out again, so that it is not even null. */`,
      `public Builder without${name.charAt(0).toUpperCase()}${name.slice(1)}() {`,
      `    this.${name} = null;`,
      `    this.${flag} = false;`,
      '    return this;',
      '}',
      '',
    ],
  ];
}

function additionalField(file: JavaFile, object: SdkObject, additional: string): Lines {
  if (object.additional === undefined) return false;
  const type = typeOf(file, { kind: 'map', values: object.additional });
  return `private ${type} ${additional} = new ${file.use('java.util.LinkedHashMap')}<>();`;
}

function additionalSetter(file: JavaFile, object: SdkObject, additional: string): Lines {
  if (object.additional === undefined) return false;
  const type = typeOf(file, { kind: 'map', values: object.additional });
  return [
    '/** Fields beside those that the description names. */',
    `public Builder ${additional}(${type} values) {`,
    `    this.${additional} = new ${file.use('java.util.LinkedHashMap')}<>(values);`,
    '    return this;',
    '}',
    '',
  ];
}
