import type { NamedType } from '../../model/named-types.ts';
import { groupsByTag } from '../../model/operation-groups.ts';
import type { SdkOperation } from '../../model/operations.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import { unionsOf, type UnionsOf } from '../../model/union-members.ts';
import { camelCase } from '../../names/casing.ts';
import { UniqueNames } from '../../names/unique-names.ts';
import type { TargetOptions } from '../../target.ts';
import { clientNameOf, constantNames, memberNames, reservedWords, typeNames } from './java-names.ts';

/** Operations of one class: the class format holds 65,535 constants, and an operation takes up to a hundred of them. */
const groupSizeMax = 250;

/** Operations that share their first tag. */
export interface JavaGroup {
  readonly className: string;
  /** Of the method of the client that leads to it. */
  readonly accessor: string;
  readonly tag: string | undefined;
  readonly operations: readonly JavaOperation[];
}

export interface JavaOperation {
  readonly operation: SdkOperation;
  readonly method: string;
  /** Of what can be left out; unused where nothing can. */
  readonly optionsClass: string;
}

/** What every part of a library has to know of the others. */
export interface JavaContext {
  readonly model: SdkModel;
  readonly options: TargetOptions;
  readonly packageName: string;
  readonly clientName: string;
  readonly types: ReadonlyMap<string, NamedType>;
  /** Names of classes, by the ID of the type. */
  readonly classes: ReadonlyMap<string, string>;
  readonly unions: UnionsOf;
  readonly groups: readonly JavaGroup[];
  /** Constants of schemes, by their keys. */
  readonly schemes: ReadonlyMap<string, string>;
  /** Whether code of ours uses something deprecated. */
  readonly hasDeprecated: boolean;
}

export function javaContext(model: SdkModel, options: TargetOptions): JavaContext {
  const clientName = clientNameOf(model.title, options.packageName);
  const names = typeNames([clientName]);
  const classes = new Map(model.types.map((type) => [type.id, names.take(type.words)]));
  const constants = constantNames();
  return {
    model,
    options,
    packageName: options.packageName,
    clientName,
    types: new Map(model.types.map((type) => [type.id, type])),
    classes,
    unions: unionsOf(model.types),
    groups: groupsOf(model, classes.values()),
    schemes: new Map(model.schemes.map((scheme) => [scheme.key, constants.take(scheme.words)])),
    hasDeprecated:
      model.types.some(
        (type) =>
          type.isDeprecated || (type.kind === 'object' && type.properties.some((property) => property.isDeprecated)),
      ) || model.operations.some((operation) => operation.parameters.some((parameter) => parameter.isDeprecated)),
  };
}

function groupsOf(model: SdkModel, taken: Iterable<string>): readonly JavaGroup[] {
  const classNames = typeNames(taken);
  const accessors = accessorNames();
  return groupsByTag(model.operations).flatMap(({ tag, words, operations }) => {
    const groups: JavaGroup[] = [];
    for (let at = 0; at < operations.length; at += groupSizeMax) {
      const methods = memberNames(['equals']);
      groups.push({
        className: classNames.take([...words, 'api']),
        accessor: accessors.take(words),
        tag,
        operations: operations.slice(at, at + groupSizeMax).map((operation) => ({
          operation,
          method: methods.take(operation.words),
          optionsClass: classNames.take([...operation.words, 'options']),
        })),
      });
    }
    return groups;
  });
}

/** `pets`, and `defaultApi` where the plain name cannot be. */
function accessorNames(): UniqueNames {
  const reserved = new Set([
    ...reservedWords,
    'builder',
    'getClass',
    'hashCode',
    'toString',
    'notify',
    'wait',
    'clone',
  ]);
  const casing = (words: readonly string[]) =>
    reserved.has(camelCase(words)) ? camelCase([...words, 'api']) : camelCase(words);
  return new UniqueNames(casing, ['notifyAll', 'finalize']);
}
