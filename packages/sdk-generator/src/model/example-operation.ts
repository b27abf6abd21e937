import type { SdkOperation } from './operations.ts';
import type { SdkModel } from './sdk-model.ts';
import type { SecurityScheme } from './security.ts';

/** Operations in the order in which they make a good first example: those that read, and want little. */
function operationsForExample(operations: readonly SdkOperation[]): readonly SdkOperation[] {
  const costOf = ({ method, parameters, body, isDeprecated, result }: SdkOperation): number =>
    parameters.filter(({ isRequired }) => isRequired).length +
    (body?.isRequired === true ? 5 : 0) +
    (method === 'GET' ? 0 : 10) +
    (result.kind === 'json' ? 0 : 2) +
    (isDeprecated ? 50 : 0);
  return operations.toSorted((left, right) => costOf(left) - costOf(right));
}

/** An operation with what shows how it is called. */
export interface ExampleCall<Call> {
  readonly operation: SdkOperation;
  readonly call: Call;
}

/** The first operation of a good order whose arguments an example can make up. @param callOf nothing where it cannot */
export function firstExample<Call>(
  { operations }: SdkModel,
  callOf: (operation: SdkOperation, index: number) => Call | undefined,
): ExampleCall<Call> | undefined {
  for (const operation of operationsForExample(operations)) {
    const call = callOf(operation, operations.indexOf(operation));
    if (call !== undefined) return { operation, call };
  }
  return undefined;
}

/** The kinds of credentials that an example has to give so that its call is let in: those of the first alternative that has any. */
export function credentialsForExample(
  { schemes }: SdkModel,
  operation: SdkOperation | undefined,
): readonly SecurityScheme['kind'][] {
  const keys = operation?.security.find((alternative) => alternative.length > 0) ?? [];
  return [...new Set(schemes.filter(({ key }) => keys.includes(key)).map(({ kind }) => kind))];
}
