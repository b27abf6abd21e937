import type { SdkEnum } from '../../model/named-types.ts';
import { indented } from '../../source-text/lines.ts';
import type { SdkFile } from '../../target.ts';
import type { CsharpContext } from './csharp-context.ts';
import { sourceFile } from './csharp-file.ts';
import { constantNames } from './csharp-names.ts';
import { usingsOfModels } from './csharp-objects.ts';
import { csharpString, xmlDocumentation, xmlLine } from './csharp-text.ts';

/** A class with constants, since an `enum` could not hold values that a server adds later. */
export function enumFile(context: CsharpContext, type: SdkEnum): SdkFile {
  const className = context.names.get(type.id)?.type ?? '';
  const { primitive, method, literal } = bases[type.base];
  const unions = (context.unions.get(type.id) ?? []).map((union) => context.names.get(union.id)?.type ?? '');
  const names = constantNames(className);
  const constants = type.values.map(({ value, words }) => ({ value, name: names.take(words) }));
  const isText = primitive === 'string';
  return sourceFile(context, 'Models', className, usingsOfModels, [
    xmlDocumentation({
      texts: [type.description],
      notes: ['Values that a server may add later are values too: compare with ==.'],
    }),
    type.isDeprecated && '[Obsolete]',
    '[JsonConverter(typeof(ModelConverter))]',
    `public sealed class ${className} : ${[`IEquatable<${className}>`, 'IJsonModel', ...unions].join(', ')}`,
    '{',
    indented(
      [
        constants.map(({ value, name }) => [
          `/// <summary><c>${xmlLine(String(value))}</c></summary>`,
          `public static readonly ${className} ${name} = new ${className}(${literal(value)});`,
          '',
        ]),
        `private ${className}(${primitive} value)`,
        '{',
        isText ? '    Value = value ?? throw new ArgumentNullException("value");' : '    Value = value;',
        '}',
        '',
        '/// <summary>The values that the description lists.</summary>',
        `public static IReadOnlyList<${className}> Known { get; } = new ${className}[] { ${constants.map(({ name }) => name).join(', ')} };`,
        '',
        '/// <summary>As it stands in JSON.</summary>',
        `public ${primitive} Value { get; }`,
        '',
        '/// <summary>The value for a text or number, known or not.</summary>',
        `public static ${className} Of(${primitive} value)`,
        '{',
        `    return new ${className}(value);`,
        '}',
        '',
        `public static implicit operator ${className}(${primitive} value)`,
        '{',
        isText ? `    return value == null ? null : new ${className}(value);` : `    return new ${className}(value);`,
        '}',
        '',
        `public static bool operator ==(${className} left, ${className} right)`,
        '{',
        '    return ReferenceEquals(left, right) || (!ReferenceEquals(left, null) && left.Equals(right));',
        '}',
        '',
        `public static bool operator !=(${className} left, ${className} right)`,
        '{',
        '    return !(left == right);',
        '}',
        '',
        `public static ${className} FromJson(JToken json)`,
        '{',
        `    return new ${className}(Read.${method}(json));`,
        '}',
        '',
        'public JToken ToJson()',
        '{',
        `    return Write.${method}(Value);`,
        '}',
        '',
        `public bool Equals(${className} other)`,
        '{',
        '    return !ReferenceEquals(other, null) && Value.Equals(other.Value);',
        '}',
        '',
        'public override bool Equals(object other)',
        '{',
        `    return Equals(other as ${className});`,
        '}',
        '',
        'public override int GetHashCode()',
        '{',
        '    return Value.GetHashCode();',
        '}',
        '',
        'public override string ToString()',
        '{',
        isText ? '    return Value;' : '    return Value.ToString(System.Globalization.CultureInfo.InvariantCulture);',
        '}',
      ],
      '    ',
    ),
    '}',
  ]);
}

const bases = {
  string: { primitive: 'string', method: 'String', literal: (value: string | number) => csharpString(String(value)) },
  integer: {
    primitive: 'long',
    method: 'Int64',
    literal: (value: string | number) => `${BigInt.asIntN(64, BigInt(Math.trunc(Number(value)))).toString()}L`,
  },
  number: {
    primitive: 'double',
    method: 'Number',
    literal: (value: string | number) => `${Number(value).toString()}d`,
  },
} as const;
