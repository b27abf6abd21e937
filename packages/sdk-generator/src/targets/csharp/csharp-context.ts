import type { NamedType } from '../../model/named-types.ts';
import { groupsByTag } from '../../model/operation-groups.ts';
import type { SdkOperation } from '../../model/operations.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import { unionsOf, type UnionsOf } from '../../model/union-members.ts';
import { pascalCase } from '../../names/casing.ts';
import { UniqueNames } from '../../names/unique-names.ts';
import type { TargetOptions } from '../../target.ts';
import { methodNames, propertyNames, typeNames } from './csharp-names.ts';

/** Operations that share their first tag. */
export interface CsharpGroup {
  readonly className: string;
  /** The property of the client that leads to it. */
  readonly accessor: string;
  readonly tag: string | undefined;
  readonly operations: readonly CsharpOperation[];
}

export interface CsharpOperation {
  readonly operation: SdkOperation;
  readonly method: string;
}

/** How a named type is called: its class or interface, and what reads it. */
export interface CsharpTypeName {
  readonly type: string;
  /** The class with `FromJson`. Another one than the type for unions, since interfaces have no static methods. */
  readonly reader: string;
  /** Classes of a union's variants that have none of their own, by the index of the variant. */
  readonly wrappers: ReadonlyMap<number, string>;
}

/** What every part of a library has to know of the others. */
export interface CsharpContext {
  readonly model: SdkModel;
  readonly options: TargetOptions;
  readonly namespaceName: string;
  readonly clientName: string;
  readonly types: ReadonlyMap<string, NamedType>;
  /** By the ID of the type. */
  readonly names: ReadonlyMap<string, CsharpTypeName>;
  readonly unions: UnionsOf;
  readonly groups: readonly CsharpGroup[];
  /** Fields with schemes, by their keys. */
  readonly schemes: ReadonlyMap<string, string>;
}

export function csharpContext(model: SdkModel, options: TargetOptions): CsharpContext {
  const clientName = clientNameOf(options.packageName);
  const schemes = new UniqueNames(pascalCase, [
    'All',
    'Equals',
    'ReferenceEquals',
    'ToString',
    'GetType',
    'GetHashCode',
    'Scheme',
  ]);
  return {
    model,
    options,
    namespaceName: options.packageName,
    clientName,
    types: new Map(model.types.map((type) => [type.id, type])),
    names: namesOf(model),
    unions: unionsOf(model.types),
    groups: groupsOf(model, clientName),
    schemes: new Map(model.schemes.map((scheme) => [scheme.key, schemes.take([...scheme.words, 'scheme'])])),
  };
}

/**
 * `PetstoreClient` for `Acme.Petstore` and `PetstoreSdk`. Never called like a part of the namespace, which would hide it, or like the client
 * of HTTP that its own code uses.
 */
function clientNameOf(namespaceName: string): string {
  const segments = namespaceName.split('.');
  const taken = new Set(['HttpClient', ...segments]);
  let name = (segments.at(-1) ?? '').replace(/(?<=.)(?:Sdk|Client)$/, '');
  while (taken.has(`${name}Client`)) name = `${name}Api`;
  return `${name}Client`;
}

/** Plain names go to the types of the description before any goes to what we need beside them. */
function namesOf(model: SdkModel): ReadonlyMap<string, CsharpTypeName> {
  const names = typeNames();
  const plain = new Map(model.types.map((type) => [type, names.take(type.words)]));
  return new Map(
    model.types.map((type) => {
      const reader = plain.get(type) ?? '';
      if (type.kind !== 'union') return [type.id, { type: reader, reader, wrappers: new Map() }];
      const wrappers = new Map<number, string>();
      type.variants.forEach((variant, index) => {
        if (variant.type.kind !== 'named') wrappers.set(index, names.take([...type.words, ...variant.words]));
      });
      return [type.id, { type: names.take(['i', ...type.words]), reader, wrappers }];
    }),
  );
}

function groupsOf(model: SdkModel, clientName: string): readonly CsharpGroup[] {
  const classNames = typeNames();
  const accessors = propertyNames(clientName);
  return groupsByTag(model.operations).map(({ tag, words, operations }) => {
    const className = classNames.take([...words, 'api']);
    const methods = methodNames(className);
    return {
      className,
      accessor: accessors.take(words[0] === 'dispose' && words.length === 1 ? ['dispose', 'api'] : words),
      tag,
      operations: operations.map((operation) => ({ operation, method: methods.take(operation.words) })),
    };
  });
}
