import { pointerTo, textField } from '@portcullis/openapi';
import type { Operation } from '@portcullis/openapi';
import type { PathPart, SdkOperation } from '../model/operations.ts';
import type { TypeRef } from '../model/type-refs.ts';
import { joinedWords } from '../names/joined-words.ts';
import { UniqueWords } from '../names/unique-words.ts';
import { wordsOf, type Words } from '../names/words.ts';
import { bodyOf } from './bodies.ts';
import { sdkLimits } from './limits.ts';
import { parametersOf } from './parameters.ts';
import { answersOf } from './results.ts';
import type { TypeBuilder } from './schemas/type-builder.ts';
import type { Security } from './security.ts';

/** Methods that HTTP clients refuse to send. */
const unsendable: ReadonlySet<string> = new Set(['TRACE', 'CONNECT', 'TRACK']);

/** The operations of a model, and the types that only errors have. */
export interface BuiltOperations {
  readonly operations: readonly SdkOperation[];
  readonly errorTypes: readonly TypeRef[];
}

/** Makes methods of operations. */
export function operationsOf(builder: TypeBuilder, given: readonly Operation[], security: Security): BuiltOperations {
  const { findings } = builder.source;
  if (given.length > sdkLimits.operationsMax) {
    findings.refuse('/paths', `must have at most ${sdkLimits.operationsMax} operations`, 'sdk_too_large');
    return { operations: [], errorTypes: [] };
  }
  const unique = new UniqueWords();
  const errorTypes: TypeRef[] = [];
  const operations = given.flatMap((operation): readonly SdkOperation[] => {
    const { method, pointer, definition } = operation;
    if (unsendable.has(method)) {
      findings.warn(pointer, `is left out: HTTP clients do not send ${method}`);
      return [];
    }
    if (operation.servers.some((server) => !server.pointer.startsWith('/servers') && server.pointer !== '')) {
      findings.warn(pointer, 'has servers of its own, which are left out: all calls go to the base URL');
    }
    const words = unique.take(operationWords(builder, operation));
    const answers = answersOf(builder, operation, words);
    errorTypes.push(...answers.errorTypes);
    return [
      {
        pointer,
        words,
        method,
        path: pathOf(builder, operation),
        pathTemplate: operation.path,
        summary: operation.summary?.trim() || undefined,
        description: textField(definition, 'description')?.trim() || undefined,
        tags: operation.tags,
        isDeprecated: operation.deprecated,
        parameters: parametersOf(builder, operation, words),
        body: bodyOf(builder, operation, words),
        result: answers.result,
        errors: answers.errors,
        security: security.alternativesOf(operation),
      },
    ];
  });
  return { operations, errorTypes };
}

/** What an operation is called: by its ID, else by its method and path. */
function operationWords(builder: TypeBuilder, { operationId, method, segments, pointer }: Operation): Words {
  if (operationId !== undefined && /[\p{L}\p{N}]/u.test(operationId)) return wordsOf(operationId);
  if (operationId !== undefined) {
    builder.source.findings.warn(
      pointerTo(pointer, 'operationId'),
      'has no letters: the method is named after the path',
    );
  }
  const parts = segments
    .flat()
    .flatMap((part) =>
      part.kind === 'parameter'
        ? ['by', ...wordsOf(part.name)]
        : /[\p{L}\p{N}]/u.test(part.text)
          ? wordsOf(part.text)
          : [],
    );
  return joinedWords(wordsOf(method), parts.length === 0 ? ['root'] : parts);
}

/** A path as it is sent: what may not stand in an address is escaped, and what is escaped stays. */
function pathOf(builder: TypeBuilder, { path, segments, pointer }: Operation): readonly PathPart[] {
  const isUp = segments.some((segment) => {
    const text = segment.map((part) => (part.kind === 'literal' ? part.text : '{}')).join('');
    return /^(?:\.|%2e){1,2}$/i.test(text);
  });
  if (isUp)
    builder.source.findings.refuse(pointer, 'must not have . or .. as a segment of its path: clients take it away');
  if (!path.isWellFormed()) builder.source.findings.refuse(pointer, 'must have a path without half a surrogate pair');
  const parts: PathPart[] = [];
  const literal = (text: string): void => {
    const last = parts.at(-1);
    if (last?.kind === 'literal') parts[parts.length - 1] = { kind: 'literal', text: last.text + text };
    else if (text !== '') parts.push({ kind: 'literal', text });
  };
  for (const segment of segments) {
    literal('/');
    for (const part of segment) {
      if (part.kind === 'literal') literal(encodeURI(part.text.toWellFormed()).replace(/%25([\da-f]{2})/gi, '%$1'));
      else parts.push({ kind: 'parameter', wireName: part.name, isGreedy: part.isGreedy });
    }
  }
  return parts;
}
