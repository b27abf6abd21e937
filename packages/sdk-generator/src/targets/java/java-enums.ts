import type { SdkEnum } from '../../model/named-types.ts';
import { indented } from '../../source-text/lines.ts';
import type { SdkFile } from '../../target.ts';
import type { JavaContext } from './java-context.ts';
import { JavaFile } from './java-file.ts';
import { constantNames } from './java-names.ts';
import { javadoc, javadocLine, javaString } from './java-text.ts';

/** Values that get a constant. More would not fit into what a class may do when it is loaded; the others are made with `of`. */
const constantsMax = 1000;

/** A class with constants, since an `enum` could not hold values that a server adds later. */
export function enumFile(context: JavaContext, type: SdkEnum): SdkFile {
  const className = context.classes.get(type.id) ?? '';
  const file = new JavaFile(context, 'model', className);
  const unions = (context.unions.get(type.id) ?? []).map((union) => file.useModel(union.id));
  const creator = file.use('com.fasterxml.jackson.annotation.JsonCreator');
  const node = file.use('com.fasterxml.jackson.databind.JsonNode');
  const list = file.use('java.util.List');
  const reader = file.useOwn('internal', 'JsonReader');
  const writer = file.useOwn('internal', 'JsonWriter');
  const { primitive, method, literal, isEqual } = bases[type.base];
  const names = constantNames(['KNOWN']);
  const constants = type.values.slice(0, constantsMax).map(({ value, words }) => ({ value, name: names.take(words) }));
  return file.finish(
    javadoc({
      texts: [type.description],
      notes: ['Values that a server may add later are values too: compare with {@code equals}.'],
      tags: type.isDeprecated ? ['@deprecated as the description says'] : [],
    }),
    type.isDeprecated && '@Deprecated',
    context.hasDeprecated && '@SuppressWarnings("deprecation")',
    `public final class ${className}${unions.length > 0 ? ` implements ${unions.join(', ')}` : ''} {`,
    indented(
      [
        constants.map(({ value, name }) => [
          `/** <code>${javadocLine(String(value))}</code> */`,
          `public static final ${className} ${name} = new ${className}(${literal(value)});`,
          '',
        ]),
        `private static final ${list}<${className}> KNOWN = ${list}.of(${constants.map(({ name }) => name).join(', ')});`,
        '',
        `private final ${primitive} value;`,
        '',
        `private ${className}(${primitive} value) {`,
        primitive === 'String'
          ? `    this.value = ${file.use('java.util.Objects')}.requireNonNull(value, "value");`
          : '    this.value = value;',
        '}',
        '',
        '/** The value for a text or number, known or not. */',
        `public static ${className} of(${primitive} value) {`,
        `    return new ${className}(value);`,
        '}',
        '',
        '/** The values that the description lists. */',
        `public static ${list}<${className}> known() {`,
        '    return KNOWN;',
        '}',
        '',
        '/** As it stands in JSON. */',
        `public ${primitive} value() {`,
        '    return value;',
        '}',
        '',
        `@${creator}(mode = ${creator}.Mode.DELEGATING)`,
        `public static ${className} fromJson(${node} json) {`,
        `    return new ${className}(${reader}.${method}(json));`,
        '}',
        '',
        unions.length > 0 && '@Override',
        `@${file.use('com.fasterxml.jackson.annotation.JsonValue')}`,
        `public ${node} toJson() {`,
        `    return ${writer}.${method}(value);`,
        '}',
        '',
        '@Override',
        'public boolean equals(Object other) {',
        `    return other instanceof ${className} that && ${isEqual};`,
        '}',
        '',
        '@Override',
        'public int hashCode() {',
        `    return ${primitive === 'String' ? 'value.hashCode()' : `${primitive === 'long' ? 'Long' : 'Double'}.hashCode(value)`};`,
        '}',
        '',
        '@Override',
        'public String toString() {',
        '    return String.valueOf(value);',
        '}',
      ],
      '    ',
    ),
    '}',
  );
}

const bases = {
  string: {
    primitive: 'String',
    method: 'string',
    literal: (value: string | number) => javaString(String(value)),
    isEqual: 'value.equals(that.value)',
  },
  integer: {
    primitive: 'long',
    method: 'int64',
    literal: (value: string | number) => `${BigInt.asIntN(64, BigInt(Math.trunc(Number(value)))).toString()}L`,
    isEqual: 'value == that.value',
  },
  number: {
    primitive: 'double',
    method: 'number',
    literal: (value: string | number) => `${Number(value).toString()}d`,
    isEqual: 'Double.compare(value, that.value) == 0',
  },
} as const;
