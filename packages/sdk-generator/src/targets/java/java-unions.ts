import type { SdkUnion, SdkVariant } from '../../model/named-types.ts';
import { variantsToTry } from '../../model/variant-order.ts';
import { indented } from '../../source-text/lines.ts';
import type { Lines } from '../../source-text/lines.ts';
import type { SdkFile } from '../../target.ts';
import type { JavaContext } from './java-context.ts';
import { JavaFile } from './java-file.ts';
import { typeNames } from './java-names.ts';
import { javadoc, javaString } from './java-text.ts';
import { copied, isCopied, readerOf, requiredTypeOf, written } from './java-types.ts';

interface JavaVariant {
  readonly variant: SdkVariant;
  /** The class that is one of the union: the one of a model, or a record here around what has no class of ours. */
  readonly className: string;
  readonly isRecord: boolean;
}

/** A sealed interface that the classes of its variants implement. */
export function unionFile(context: JavaContext, union: SdkUnion): SdkFile {
  const className = context.classes.get(union.id) ?? '';
  const file = new JavaFile(context, 'model', className);
  const node = file.use('com.fasterxml.jackson.databind.JsonNode');
  const creator = file.use('com.fasterxml.jackson.annotation.JsonCreator');
  const variants = variantsOf(file, union);
  const classes = [
    ...new Set(variants.map((variant) => (variant.isRecord ? `${className}.${variant.className}` : variant.className))),
  ];
  return file.finish(
    javadoc({ texts: [union.description], tags: union.isDeprecated ? ['@deprecated as the description says'] : [] }),
    union.isDeprecated && '@Deprecated',
    context.hasDeprecated && '@SuppressWarnings("deprecation")',
    `public sealed interface ${className} permits ${classes.join(', ')} {`,
    indented(
      [
        `@${file.use('com.fasterxml.jackson.annotation.JsonValue')}`,
        `${node} toJson();`,
        '',
        `@${creator}(mode = ${creator}.Mode.DELEGATING)`,
        `static ${className} fromJson(${node} json) {`,
        indented(reading(file, union, variants), '    '),
        '}',
        variants.filter(({ isRecord }) => isRecord).map((variant) => ['', record(file, className, variant)]),
      ],
      '    ',
    ),
    '}',
  );
}

function variantsOf(file: JavaFile, union: SdkUnion): readonly JavaVariant[] {
  const records = typeNames(file.context.classes.values());
  return union.variants.map((variant) =>
    variant.type.kind === 'named'
      ? { variant, className: file.useModel(variant.type.id), isRecord: false }
      : { variant, className: records.take([...variant.words, 'value']), isRecord: true },
  );
}

function reading(file: JavaFile, union: SdkUnion, variants: readonly JavaVariant[]): Lines {
  const reader = file.useOwn('internal', 'JsonReader');
  const list = file.use('java.util.List');
  const byTag =
    union.discriminator === undefined
      ? []
      : variants.flatMap(({ variant, className }) =>
          variant.tags.map((tag) => [
            `if (${javaString(tag)}.equals(tag)) {`,
            `    return ${className}.fromJson(json);`,
            '}',
          ]),
        );
  const candidates = [...new Set(candidatesOf(file, union, variants))];
  return [
    byTag.length > 0 && [`String tag = ${reader}.tag(json, ${javaString(union.discriminator ?? '')});`, byTag],
    `return ${reader}.firstOf(${file.className}.class, json, ${list}.<${reader}.Read<? extends ${file.className}>>of(`,
    indented(
      candidates.map((text, index) => `${text}${index < candidates.length - 1 ? ',' : '));'}`),
      '        ',
    ),
  ];
}

/** Readers in the order of trying. Enums take only what they know at first: what is new to them may be meant for another variant. */
function candidatesOf(file: JavaFile, union: SdkUnion, variants: readonly JavaVariant[]): readonly string[] {
  const reader = file.useOwn('internal', 'JsonReader');
  const byVariant = new Map(variants.map((variant) => [variant.variant, variant]));
  const ordered = variantsToTry(file.context.types, union).flatMap((variant) => byVariant.get(variant) ?? []);
  const isEnum = ({ variant: { type } }: JavaVariant): boolean =>
    type.kind === 'named' && file.context.types.get(type.id)?.kind === 'enum';
  return [
    ...ordered.map((variant) =>
      isEnum(variant)
        ? `${reader}.knownOf(${variant.className}::fromJson, ${variant.className}.known())`
        : candidate(file, variant),
    ),
    ...ordered.filter(isEnum).map((variant) => candidate(file, variant)),
  ];
}

function candidate(file: JavaFile, { variant, className, isRecord }: JavaVariant): string {
  if (!isRecord) {
    const isObject = variant.type.kind === 'named' && file.context.types.get(variant.type.id)?.kind === 'object';
    return isObject
      ? `${file.useOwn('internal', 'JsonReader')}.variant(${className}::fromJson, ${className}.REQUIRED, ${className}.KNOWN)`
      : `${className}::fromJson`;
  }
  const read = readerOf(file, variant.type);
  // A method is called; what makes a reader is asked for its reader first.
  return `value -> new ${className}(${/::\w+$/.test(read) && !read.includes('(') ? read.replace('::', '.') : `${read}.from`}(value))`;
}

function record(file: JavaFile, union: string, { variant, className }: JavaVariant): Lines {
  const isPrimitive = ['number', 'boolean', 'integer'].includes(variant.type.kind);
  const objects = isPrimitive ? '' : file.use('java.util.Objects');
  return [
    '/** One of the values that is no object of its own. */',
    `record ${className}(${requiredTypeOf(file, variant.type)} value) implements ${union} {`,
    !isPrimitive && [
      `    public ${className} {`,
      `        ${objects}.requireNonNull(value, "value");`,
      isCopied(variant.type) && `        value = ${copied(file, variant.type, 'value')};`,
      '    }',
      '',
    ],
    '    @Override',
    `    public ${file.use('com.fasterxml.jackson.databind.JsonNode')} toJson() {`,
    `        return ${written(file, variant.type, 'value', false)};`,
    '    }',
    '}',
  ];
}
