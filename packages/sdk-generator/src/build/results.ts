import { fieldOf, isObject, pointerTo, textField } from '@portcullis/openapi';
import type { Operation, Referred } from '@portcullis/openapi';
import type { SdkOperation, SdkResult } from '../model/operations.ts';
import type { TypeRef } from '../model/type-refs.ts';
import { joinedWords } from '../names/joined-words.ts';
import type { Words } from '../names/words.ts';
import { contentsOf, isJsonContent, type Content } from './bodies.ts';
import { isTextMedia } from './media-types.ts';
import type { TypeBuilder } from './schemas/type-builder.ts';

/** What an operation gives back. */
export interface Answers {
  readonly result: SdkResult;
  readonly errors: SdkOperation['errors'];
  /** Types of the JSON of errors: who asks why a call failed reads them. */
  readonly errorTypes: readonly TypeRef[];
}

interface Answer {
  readonly status: string;
  readonly response: Referred;
  readonly contents: readonly Content[];
}

const none: SdkResult = { kind: 'none', type: undefined, mediaType: undefined, mayBeEmpty: false };

/** Reads the answers of an operation. Source: OpenAPI 3.1.1, Responses Object. */
export function answersOf(builder: TypeBuilder, operation: Operation, words: Words): Answers {
  const { source } = builder;
  const responses = fieldOf(operation.definition, 'responses');
  const at = pointerTo(operation.pointer, 'responses');
  const all = (isObject(responses) ? source.entries({ value: responses, pointer: at }) : [])
    .filter(([status]) => /^(?:[1-5](?:\d\d|XX)|default)$/i.test(status))
    .map(([status, response]): Answer => ({
      status: status.toLowerCase() === 'default' ? 'default' : status.toUpperCase(),
      response,
      contents: contentsOf(source, response),
    }))
    // Ranges and the default say of less and less.
    .toSorted((a, b) => rank(a.status) - rank(b.status) || Number(a.status > b.status) - Number(a.status < b.status));
  const good = all.filter(({ status }) => status.startsWith('2'));
  const goods = good.length > 0 ? good : all.filter(({ status }) => status === 'default');
  const errors = all.filter((answer) => !goods.includes(answer));
  const errorWords = joinedWords(words, ['error']);
  return {
    result: operation.method === 'HEAD' ? none : resultOf(builder, goods, joinedWords(words, ['result'])),
    errors: errors
      .filter(({ status }) => !status.startsWith('2'))
      .map(({ status, response }) => ({
        status,
        description: textField(response.value, 'description')?.trim() || undefined,
      })),
    errorTypes: errors.flatMap(({ contents }) =>
      contents
        .filter((content) => isJsonContent(source, content))
        .map(({ media }) =>
          builder.typeOf(fieldOf(media.value, 'schema'), pointerTo(media.pointer, 'schema'), errorWords),
        ),
    ),
  };
}

function rank(status: string): number {
  if (status === 'default') return 2;
  return status.endsWith('XX') ? 1 : 0;
}

function resultOf(builder: TypeBuilder, goods: readonly Answer[], words: Words): SdkResult {
  const answer = goods.find(({ contents }) => contents.length > 0);
  if (answer === undefined) return none;
  const mayBeEmpty = goods.some(({ contents }) => contents.length === 0);
  const json = answer.contents.find((content) => isJsonContent(builder.source, content));
  if (json) {
    const { media, type: mediaType } = json;
    const type = builder.typeOf(fieldOf(media.value, 'schema'), pointerTo(media.pointer, 'schema'), words);
    return { kind: 'json', type, mediaType: mediaType.isRange ? 'application/json' : mediaType.text, mayBeEmpty };
  }
  const text = answer.contents.find(({ type }) => isTextMedia(type.name));
  if (text) return { kind: 'text', type: { kind: 'string' }, mediaType: text.type.text, mayBeEmpty };
  const mediaType = answer.contents[0]?.type.text ?? '*/*';
  return { kind: 'binary', type: { kind: 'binary' }, mediaType, mayBeEmpty };
}
