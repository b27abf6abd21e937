import type { SdkOperation } from './operations.ts';
import type { SdkModel } from './sdk-model.ts';
import type { SecurityScheme } from './security.ts';

/** Operations in the order in which they make a good first example: those that read, and want little. */
export function operationsForExample(operations: readonly SdkOperation[]): readonly SdkOperation[] {
  const costOf = ({ method, parameters, body, isDeprecated, result }: SdkOperation): number =>
    parameters.filter(({ isRequired }) => isRequired).length +
    (body?.isRequired === true ? 5 : 0) +
    (method === 'GET' ? 0 : 10) +
    (result.kind === 'json' ? 0 : 2) +
    (isDeprecated ? 50 : 0);
  return operations.toSorted((left, right) => costOf(left) - costOf(right));
}

/** The kinds of credentials that an example has to give so that its call is let in: those of the first alternative that has any. */
export function credentialsForExample(
  { schemes }: SdkModel,
  operation: SdkOperation | undefined,
): readonly SecurityScheme['kind'][] {
  const keys = operation?.security.find((alternative) => alternative.length > 0) ?? [];
  return [...new Set(schemes.filter(({ key }) => keys.includes(key)).map(({ kind }) => kind))];
}
