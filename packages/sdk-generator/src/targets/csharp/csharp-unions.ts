import type { SdkUnion } from '../../model/named-types.ts';
import type { TypeRef } from '../../model/type-refs.ts';
import { variantsToTry } from '../../model/variant-order.ts';
import { indented } from '../../source-text/lines.ts';
import type { Lines } from '../../source-text/lines.ts';
import type { SdkFile } from '../../target.ts';
import type { CsharpContext } from './csharp-context.ts';
import { sourceFile } from './csharp-file.ts';
import { usingsOfModels } from './csharp-objects.ts';
import { csharpString, xmlDocumentation } from './csharp-text.ts';
import { CsharpTypes, isValueType } from './csharp-types.ts';

/** An interface that the classes of its variants implement, and a class that reads it. */
export function unionFile(context: CsharpContext, union: SdkUnion): SdkFile {
  const { type, reader, wrappers } = context.names.get(union.id) ?? {
    type: '',
    reader: '',
    wrappers: new Map<number, string>(),
  };
  const types = new CsharpTypes(context, 'Models');
  const classes = [
    ...new Set(
      union.variants.map((variant, index) =>
        variant.type.kind === 'named' ? types.typeOf(variant.type) : (wrappers.get(index) ?? ''),
      ),
    ),
  ];
  return sourceFile(context, 'Models', reader, usingsOfModels, [
    xmlDocumentation({ texts: [union.description], notes: [`One of ${classes.join(', ')}.`] }),
    union.isDeprecated && '[Obsolete]',
    `[JsonConverter(typeof(ModelConverter)), ModelReader(typeof(${reader}))]`,
    `public interface ${type} : IJsonModel`,
    '{',
    '}',
    '',
    `/// <summary>Reads <see cref="${type}"/>.</summary>`,
    `public static class ${reader}`,
    '{',
    indented(
      [
        `public static ${type} FromJson(JToken json)`,
        '{',
        indented(reading(context, types, union, type, wrappers), '    '),
        '}',
      ],
      '    ',
    ),
    '}',
    union.variants.map((variant, index) => {
      const className = wrappers.get(index);
      return (
        className !== undefined && [
          '',
          wrapper(new CsharpTypes(context, 'Models', ['Value']), type, className, variant.type),
        ]
      );
    }),
  ]);
}

function reading(
  context: CsharpContext,
  types: CsharpTypes,
  union: SdkUnion,
  type: string,
  wrappers: ReadonlyMap<number, string>,
): Lines {
  const byTag = union.variants.flatMap((variant) =>
    variant.tags.flatMap((tag) => [
      `if (tag == ${csharpString(tag)})`,
      '{',
      `    return ${types.readerOf(variant.type)}(json);`,
      '}',
    ]),
  );
  const indexes = new Map(union.variants.map((variant, index) => [variant, index]));
  const ordered = variantsToTry(context.types, union);
  const candidate = (variant: (typeof ordered)[number]): string => {
    const wrapperName = wrappers.get(indexes.get(variant) ?? -1);
    const read = types.readerOf(variant.type);
    if (variant.type.kind === 'named' && context.types.get(variant.type.id)?.kind === 'object') {
      const className = types.readerClassOf(variant.type.id);
      return `${read}, ${className}.RequiredNames, ${className}.KnownNames`;
    }
    return wrapperName === undefined ? read : `item => new ${wrapperName}(${read}(item))`;
  };
  const isEnum = ({ type: { kind, ...named } }: (typeof ordered)[number]): boolean =>
    kind === 'named' && 'id' in named && context.types.get(named.id)?.kind === 'enum';
  // Enums take only what they know at first: what is new to them may be meant for another variant.
  const candidates = [
    ...ordered.map((variant) =>
      isEnum(variant)
        ? `Read.KnownOf<${types.typeOf(variant.type)}>(${candidate(variant)}, ${types.typeOf(variant.type)}.Known)`
        : candidate(variant),
    ),
    ...ordered.filter(isEnum).map(candidate),
  ];
  const all = [...new Set(candidates)].map((text) => `Read.Variant<${type}>(${text})`);
  return [
    union.discriminator !== undefined &&
      byTag.length > 0 && [`var tag = Read.Tag(json, ${csharpString(union.discriminator)});`, byTag],
    `return Read.FirstOf<${type}>(`,
    '    json,',
    indented(
      all.map((text, index) => (index < all.length - 1 ? `${text},` : `${text});`)),
      '    ',
    ),
  ];
}

function wrapper(types: CsharpTypes, union: string, className: string, type: TypeRef): Lines {
  const written = types.typeOf(type);
  return [
    `/// <summary>A ${union} that is no object of its own.</summary>`,
    '[JsonConverter(typeof(ModelConverter))]',
    `public sealed class ${className} : ${union}`,
    '{',
    indented(
      [
        `public ${className}(${written} value)`,
        '{',
        isValueType(type) ? '    Value = value;' : '    Value = value ?? throw new ArgumentNullException("value");',
        '}',
        '',
        `public ${written} Value { get; }`,
        '',
        `public static ${className} FromJson(JToken json)`,
        '{',
        `    return new ${className}(${types.readerOf(type)}(json));`,
        '}',
        '',
        'public JToken ToJson()',
        '{',
        `    return ${types.written(type, 'Value')};`,
        '}',
      ],
      '    ',
    ),
    '}',
  ];
}
