import type { NamedType } from '../../model/named-types.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import type { Casing } from '../../names/casing.ts';
import { UniqueNames } from '../../names/unique-names.ts';

/** Words that Go writes in one case. */
const initialisms = new Set(
  'acl api ascii cpu css dns eof guid html http https id ip json qps ram rpc sla smtp sql ssh tcp tls ttl udp ui uid uri url utf8 uuid vm xml xsrf xss'.split(
    ' ',
  ),
);

export const keywords: readonly string[] =
  'break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var'.split(
    ' ',
  );
/** Names that the body of a method needs, so that no argument may hide them. */
export const neededNames: readonly string[] =
  'any append bool byte error false float64 int int32 int64 len nil string true context io json time strings newRequest c ctx r body params result err isThere formField request'.split(
    ' ',
  );
/** Exported names of the parts that are alike in all libraries. */
const exported =
  'APIError Client Date DateOf DecodeError DefaultBaseURL FilePart InvalidValueError NewClient Options Ptr RequestError SetTo SetToNull Settable'.split(
    ' ',
  );

/** `PetID`, for what other packages see. */
export const exportedCase: Casing = (words) => {
  const name = words.map(exportedWord).join('');
  return /^\d/.test(name) ? `N${name}` : name;
};

const argumentWords = new Set([...keywords, ...neededNames]);

/** `petID`. What is reserved gets a word more. */
const argumentCase: Casing = ([first = '', ...rest]) => {
  const name = first + rest.map(exportedWord).join('');
  if (argumentWords.has(name)) return `${name}Value`;
  return /^\d/.test(name) ? `n${name}` : name;
};

/** For the arguments of one method. */
export function argumentNames(): UniqueNames {
  return new UniqueNames(argumentCase);
}

/** For the fields of a struct beside the methods that it has. */
export function fieldNames(reserved: readonly string[] = []): UniqueNames {
  return new UniqueNames(exportedCase, reserved);
}

/** What the things of a description are called in Go. All that the package exports is one scope. */
export interface GoNames {
  readonly types: ReadonlyMap<string, { readonly type: NamedType; readonly name: string }>;
  /** Of the values of enums, by the type's ID. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** Of operations, in their order: their methods, and the structs of their optional parameters. */
  readonly methods: readonly string[];
  readonly parameters: readonly string[];
}

export function goNames(model: SdkModel): GoNames {
  const names = new UniqueNames(exportedCase, exported);
  const methods = new UniqueNames(exportedCase);
  const types = new Map(model.types.map((type) => [type.id, { type, name: names.take(type.words) }]));
  return {
    types,
    values: new Map(
      model.types.flatMap((type) =>
        type.kind === 'enum'
          ? [[type.id, type.values.map(({ words }) => names.take([...type.words, ...words]))] as const]
          : [],
      ),
    ),
    methods: model.operations.map(({ words }) => methods.take(words)),
    parameters: model.operations.map(({ words }) => names.take([...words, 'params'])),
  };
}

function exportedWord(word: string): string {
  if (initialisms.has(word)) return word.toUpperCase();
  if (word.endsWith('s') && initialisms.has(word.slice(0, -1))) return `${word.slice(0, -1).toUpperCase()}s`;
  return word.charAt(0).toUpperCase() + word.slice(1);
}
