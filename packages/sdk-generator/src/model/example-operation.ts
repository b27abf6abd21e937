import type { SdkOperation } from './operations.ts';

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
