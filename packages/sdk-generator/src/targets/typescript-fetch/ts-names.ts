import type { NamedType, SdkObject } from '../../model/named-types.ts';
import type { SdkOperation } from '../../model/operations.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import { camelCase, pascalCase } from '../../names/casing.ts';
import { UniqueNames } from '../../names/unique-names.ts';

/** What the library exports itself, and globals that its code uses, or that whoever imports a type would miss. */
const takenTypes =
  `ApiClient ApiError CallOptions ClientError ClientOptions Codec ConnectionFailedError Content Credential
  DecodeError FilePart InvalidRequestError RequestTimeoutError Array ArrayBuffer Blob Boolean Date Error Function Headers Map
  Number Object Partial Promise Readonly ReadonlyArray Record RegExp Request Response Set String Symbol Uint8Array URL`.split(
    /\s+/,
  );

/** Members that every object has: a field of this name would have two meanings. With \`then\`, an object would be awaited. */
const takenMembers =
  `constructor hasOwnProperty isPrototypeOf propertyIsEnumerable then toLocaleString toString valueOf`.split(' ');

/** The names of a library: given once, so that all its files agree. */
export interface TsNames {
  readonly types: ReadonlyMap<string, NamedType>;
  /** Of a named type. */
  readonly typeOf: (id: string) => string;
  /** Of what reads and writes it; of a form, of its fields. */
  readonly codecOf: (id: string) => string;
  /** Of the fields of an object, in their order. */
  readonly fieldsOf: (object: SdkObject) => readonly string[];
  readonly operations: readonly OperationNames[];
}

export interface OperationNames {
  readonly operation: SdkOperation;
  readonly method: string;
  /** Of the type of its argument. */
  readonly request: string;
  readonly parameters: readonly string[];
}

export function namesOf(model: SdkModel): TsNames {
  const types = new UniqueNames(pascalCase, takenTypes);
  const codecs = new UniqueNames(camelCase);
  const typeNames = new Map(model.types.map(({ id, words }) => [id, types.take(words)]));
  const codecNames = new Map(
    model.types.map((type) => {
      const isForm = type.kind === 'object' && type.isForm;
      return [type.id, codecs.take([...type.words, isForm ? 'fields' : 'codec'])];
    }),
  );
  const methods = new UniqueNames(camelCase, takenMembers);
  return {
    types: new Map(model.types.map((type) => [type.id, type])),
    typeOf: (id) => typeNames.get(id) ?? 'unknown',
    codecOf: (id) => codecNames.get(id) ?? 'unknown',
    fieldsOf: ({ properties }) => {
      const fields = new UniqueNames(camelCase, [...takenMembers, 'additional']);
      return properties.map(({ words }) => fields.take(words));
    },
    operations: model.operations.map((operation) => {
      const parameters = new UniqueNames(camelCase, [...takenMembers, 'body']);
      return {
        operation,
        method: methods.take(operation.words),
        request: types.take([...operation.words, 'request']),
        parameters: operation.parameters.map(({ words }) => parameters.take(words)),
      };
    }),
  };
}
