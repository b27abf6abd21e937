import type { NamedType } from '../model/named-types.ts';
import type { SdkOperation } from '../model/operations.ts';
import type { SdkModel } from '../model/sdk-model.ts';
import type { TypeRef } from '../model/type-refs.ts';

/** A type as a short text: `pet[]`, `map<date?>`. Named types are called by their words. */
export function typeText(model: SdkModel, type: TypeRef): string {
  switch (type.kind) {
    case 'list':
      return `${typeText(model, type.items)}[]`;
    case 'map':
      return `map<${typeText(model, type.values)}>`;
    case 'nullable':
      return `${typeText(model, type.type)}?`;
    case 'named': {
      const named = model.types.find(({ id }) => id === type.id);
      if (named === undefined) throw new Error(`no type ${type.id}`);
      return named.words.join('-');
    }
    case 'integer':
      return type.bits === 32 ? 'int32' : 'integer';
    default:
      return type.kind;
  }
}

/** All types, each by its words: fields with `!` where they are required, values of enums, variants with their tags. */
export function typesText(model: SdkModel): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(model.types.map((type) => [type.words.join('-'), linesOf(model, type)]));
}

function linesOf(model: SdkModel, type: NamedType): readonly string[] {
  if (type.kind === 'enum')
    return type.values.map(({ value, words }) => `${words.join('-')} = ${JSON.stringify(value)}`);
  if (type.kind === 'union') {
    const { discriminator } = type;
    const variants = type.variants.map(
      ({ type, tags }) => `| ${typeText(model, type)}${tags.map((tag) => ` ${tag}`).join('')}`,
    );
    return discriminator === undefined ? variants : [`by ${discriminator}`, ...variants];
  }
  const fields = type.properties.map(
    ({ wireName, type, isRequired, part }) =>
      `${wireName}${isRequired ? '!' : ''}: ${typeText(model, type)}${part ? ` ${part.kind} ${part.style}${part.isExploded ? '*' : ''} ${part.contentType ?? ''}`.trimEnd() : ''}`,
  );
  return type.additional === undefined ? fields : [...fields, `+ ${typeText(model, type.additional)}`];
}

/** An operation as lines: parameters, body and result. */
export function operationText(model: SdkModel, operation: SdkOperation): readonly string[] {
  const { parameters, body, result } = operation;
  return [
    ...parameters.map(
      ({ place, words, type, style, isExploded, isRequired }) =>
        `${place} ${words.join('-')}${isRequired ? '!' : ''}: ${typeText(model, type)} ${style}${isExploded ? '*' : ''}`,
    ),
    ...(body
      ? [`body${body.isRequired ? '!' : ''}: ${body.kind} ${body.mediaType} ${typeText(model, body.type)}`]
      : []),
    `result: ${result.kind}${result.type ? ` ${result.mediaType ?? ''} ${typeText(model, result.type)}` : ''}${result.mayBeEmpty ? ' or nothing' : ''}`,
  ];
}
