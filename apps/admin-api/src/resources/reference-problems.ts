import type { FieldProblem } from '../http/problem.ts';

/**
 * What is wrong with a secret that nobody takes for a reference: it would be sent as if it were the secret.
 * @param why continues a sentence that begins with "is a reference; "
 */
export function referenceProblems(pointer: string, secret: unknown, why: string): readonly FieldProblem[] {
  return typeof secret === 'string' && /^(?:vault|env):\/\//i.test(secret)
    ? [{ pointer, code: 'reference', message: `is a reference; ${why}: give the secret itself` }]
    : [];
}
