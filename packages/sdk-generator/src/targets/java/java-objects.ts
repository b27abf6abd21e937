import type { SdkObject, SdkProperty } from '../../model/named-types.ts';
import { impliedTags } from '../../model/union-members.ts';
import { indented } from '../../source-text/lines.ts';
import type { Lines } from '../../source-text/lines.ts';
import type { SdkFile } from '../../target.ts';
import { objectBuilder } from './java-builders.ts';
import type { JavaContext } from './java-context.ts';
import { fieldNames } from './java-field-names.ts';
import { formWriter } from './java-forms.ts';
import { JavaFile } from './java-file.ts';
import { memberNames } from './java-names.ts';
import { javadoc, javadocText, javaString } from './java-text.ts';
import { copied, readerOf, requiredTypeOf, typeOf, written } from './java-types.ts';

/** Fields that one method reads or writes: the class format holds 64 KB of code in each. */
const fieldsOfMethodMax = 200;

/** A property with what it is called in Java. */
export interface JavaField {
  readonly property: SdkProperty;
  readonly name: string;
  /** An expression for the name in JSON. */
  readonly wire: string;
  /** Of the flag that tells null from absence, where both may be. */
  readonly flag: string | undefined;
  /** Whether there always is a value, whoever made the object. */
  readonly isAlwaysThere: boolean;
}

export interface JavaFields {
  readonly fields: readonly JavaField[];
  /** What holds the fields without a name of their own. */
  readonly additional: string;
}

export function fieldsOf(object: SdkObject): JavaFields {
  const names = memberNames(['builder', 'toBuilder', 'toJson', 'fromJson', 'toForm', 'equals', 'values', 'build']);
  const plain = object.properties.map((property) => ({ property, name: names.take(property.words) }));
  const fields = plain.map(({ property, name }) => {
    const isNullable = property.type.kind === 'nullable';
    return {
      property,
      name,
      wire: javaString(property.wireName),
      flag:
        isNullable && !property.isRequired && property.part === undefined
          ? names.take(['has', ...property.words])
          : undefined,
      isAlwaysThere: property.isRequired && !isNullable,
    };
  });
  return { fields, additional: names.take(['additional', 'properties']) };
}

export function objectFile(context: JavaContext, object: SdkObject): SdkFile {
  const className = context.classes.get(object.id) ?? '';
  const file = new JavaFile(context, 'model', className);
  const named = fieldsOf(object);
  const unions = (context.unions.get(object.id) ?? []).map((union) => file.useModel(union.id));
  const objects = file.use('java.util.Objects');
  const optional = file.use('java.util.Optional');
  const { fields } = named;
  return file.finish(
    javadoc({ texts: [object.description], tags: object.isDeprecated ? ['@deprecated as the description says'] : [] }),
    object.isDeprecated && '@Deprecated',
    context.hasDeprecated && '@SuppressWarnings("deprecation")',
    `public final class ${className}${unions.length > 0 ? ` implements ${unions.join(', ')}` : ''} {`,
    indented(
      [
        fieldNames(file, context, object),
        fields.map(({ property, name, flag }) => [
          `private final ${typeOf(file, property.type)} ${name};`,
          flag !== undefined && `private final boolean ${flag};`,
        ]),
        object.additional !== undefined && `private final ${additionalType(file, object)} ${named.additional};`,
        '',
        `private ${className}(Builder builder) {`,
        indented(
          [
            fields.map(({ name, flag }) => [
              `this.${name} = builder.${name};`,
              flag !== undefined && `this.${flag} = builder.${flag};`,
            ]),
            object.additional !== undefined &&
              `this.${named.additional} = ${copied(file, { kind: 'map', values: object.additional }, `builder.${named.additional}`)};`,
          ],
          '    ',
        ),
        '}',
        '',
        'public static Builder builder() {',
        '    return new Builder();',
        '}',
        '',
        '/** A builder that holds the values of this object, for another one that differs from it. */',
        'public Builder toBuilder() {',
        '    return new Builder(this);',
        '}',
        '',
        fields.map((field) => getter(file, field, optional)),
        object.additional !== undefined && [
          '/** Fields beside those that the description names. */',
          `public ${additionalType(file, object)} ${named.additional}() {`,
          `    return ${named.additional};`,
          '}',
          '',
        ],
        object.isForm
          ? formWriter(file, object, named)
          : [reader(file, object, named), writer(file, context, object, named)],
        commonMethods(className, named, object, file),
        objectBuilder(file, context, object, named, objects),
      ],
      '    ',
    ),
    '}',
  );
}

export function additionalType(file: JavaFile, object: SdkObject): string {
  return object.additional === undefined ? '' : typeOf(file, { kind: 'map', values: object.additional });
}

function getter(file: JavaFile, field: JavaField, optional: string): Lines {
  const { property, name, flag, isAlwaysThere } = field;
  const value = property.type.kind === 'bytes' && isAlwaysThere ? `${name}.clone()` : name;
  return [
    javadoc({
      texts: [property.description],
      notes: [
        ...(property.isReadOnly ? ['Only in answers.'] : []),
        ...(property.isWriteOnly ? ['Only in requests.'] : []),
      ],
      tags: property.isDeprecated ? ['@deprecated as the description says'] : [],
    }),
    property.isDeprecated && '@Deprecated',
    isAlwaysThere
      ? [`public ${requiredTypeOf(file, property.type)} ${name}() {`, `    return ${value};`, '}']
      : [
          `public ${optional}<${typeOf(file, property.type)}> ${name}() {`,
          `    return ${optional}.ofNullable(${name});`,
          '}',
        ],
    '',
    flag !== undefined && [
      `/** Whether {@code ${javadocText(name)}} is there at all, as a value or as null. */`,
      `public boolean ${flag}() {`,
      `    return ${flag};`,
      '}',
      '',
    ],
  ];
}

function reader(file: JavaFile, object: SdkObject, { fields, additional }: JavaFields): Lines {
  const json = file.useOwn('internal', 'JsonReader');
  const node = file.use('com.fasterxml.jackson.databind.JsonNode');
  const creator = file.use('com.fasterxml.jackson.annotation.JsonCreator');
  const statements = fields.map(({ property, name, wire, flag }) => {
    const { isRequired } = property;
    const inner = property.type.kind === 'nullable' && !isRequired ? property.type.type : property.type;
    const read = readerOf(file, inner);
    // The null of JSON is a value of a field that takes anything.
    const method = isRequired ? 'required' : inner.kind === 'any' ? 'optionalAny' : 'optional';
    return [
      method === 'optionalAny'
        ? `builder.${name} = json.get(${wire});`
        : `builder.${name} = ${json}.${method}(json, ${wire}, ${read});`,
      flag !== undefined && `builder.${flag} = json.has(${wire});`,
    ];
  });
  const { calls, methods } = inPieces(statements, 'read', `${node} json, Builder builder`, 'json, builder', 'static ');
  return [
    `@${creator}(mode = ${creator}.Mode.DELEGATING)`,
    `public static ${file.className} fromJson(${node} json) {`,
    `    ${json}.object(json);`,
    '    Builder builder = new Builder();',
    indented(calls, '    '),
    object.additional !== undefined &&
      `    builder.${additional} = ${json}.others(json, KNOWN, ${readerOf(file, object.additional)});`,
    `    return new ${file.className}(builder);`,
    '}',
    '',
    methods,
  ];
}

function writer(file: JavaFile, context: JavaContext, object: SdkObject, { fields, additional }: JavaFields): Lines {
  const node = file.use('com.fasterxml.jackson.databind.node.ObjectNode');
  const json = file.useOwn('internal', 'JsonWriter');
  const sent = fields.filter(({ property }) => !property.isReadOnly);
  const statements = sent.map(({ property, name, wire, flag, isAlwaysThere }) => {
    const isNullable = property.type.kind === 'nullable';
    const set = `json.set(${wire}, ${written(file, property.type, `this.${name}`, isNullable)});`;
    if (isAlwaysThere || (property.isRequired && isNullable)) return set;
    return [`if (${flag === undefined ? `this.${name} != null` : `this.${flag}`}) {`, `    ${set}`, '}'];
  });
  const { calls, methods } = inPieces(statements, 'write', `${node} json`, 'json', '');
  return [
    sent.length < fields.length && '/** As it is sent: without what is only in answers. */',
    (context.unions.get(object.id) ?? []).length > 0 && '@Override',
    `@${file.use('com.fasterxml.jackson.annotation.JsonValue')}`,
    `public ${node} toJson() {`,
    `    ${node} json = ${json}.object();`,
    indented(calls, '    '),
    impliedTags(context.unions, object).map(([name, tag]) => `    json.put(${javaString(name)}, ${javaString(tag)});`),
    object.additional !== undefined && `    ${json}.others(json, this.${additional}, ${mapWriter(file, object)});`,
    '    return json;',
    '}',
    '',
    methods,
  ];
}

function mapWriter(file: JavaFile, object: SdkObject): string {
  return object.additional === undefined
    ? ''
    : `value -> ${written(file, object.additional, 'value', object.additional.kind === 'nullable')}`;
}

/** Statements in one method, or in several where they are too many. */
function inPieces(
  statements: readonly Lines[],
  name: string,
  parameters: string,
  args: string,
  modifier: string,
): {
  readonly calls: Lines;
  readonly methods: Lines;
} {
  if (statements.length <= fieldsOfMethodMax) return { calls: statements, methods: [] };
  const pieces: Lines[][] = [];
  for (let at = 0; at < statements.length; at += fieldsOfMethodMax)
    pieces.push(statements.slice(at, at + fieldsOfMethodMax));
  return {
    calls: pieces.map((_, index) => `${name}Part${String(index)}(${args});`),
    methods: pieces.map((piece, index) => [
      `private ${modifier}void ${name}Part${String(index)}(${parameters}) {`,
      indented(piece, '    '),
      '}',
      '',
    ]),
  };
}

function commonMethods(
  className: string,
  { fields, additional }: JavaFields,
  object: SdkObject,
  file: JavaFile,
): Lines {
  const arrays = file.use('java.util.Arrays');
  const values = [
    ...fields.flatMap(({ name, flag }) => (flag === undefined ? [name] : [name, flag])),
    ...(object.additional === undefined ? [] : [additional]),
  ];
  return [
    '@Override',
    'public boolean equals(Object other) {',
    `    return other instanceof ${className} that && ${arrays}.deepEquals(values(), that.values());`,
    '}',
    '',
    '@Override',
    'public int hashCode() {',
    `    return ${arrays}.deepHashCode(values());`,
    '}',
    '',
    '@Override',
    'public String toString() {',
    `    return ${file.useOwn('internal', 'Texts')}.ofObject(${[`"${className}"`, 'values()', ...values.map((name) => `"${name}"`)].join(', ')});`,
    '}',
    '',
    'private Object[] values() {',
    `    return new Object[] {${values.join(', ')}};`,
    '}',
    '',
  ];
}
