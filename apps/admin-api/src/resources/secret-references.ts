import { isSecretReference, isWellFormedReference } from '@portcullis/plugins';
import type { FieldProblem } from '../http/problem.ts';
import { valueAt } from './json-pointer.ts';
import type { Values } from './values.ts';

/**
 * References that no gateway could read. What begins like a reference is never a secret itself, so a misspelt one is refused here and
 * not found out by a gateway later. Which vaults and variables there are is the gateway's to say.
 * @param pointers places of secrets in which gateways take references
 */
export function referenceProblems(values: Values, pointers: readonly string[]): readonly FieldProblem[] {
  return pointers.flatMap((pointer) => {
    const value = valueAt(values, pointer);
    if (typeof value !== 'string' || !isSecretReference(value) || isWellFormedReference(value)) return [];
    const message =
      'begins like a reference, and must read vault://prefix/secret, vault://prefix/secret/key or env://NAME';
    return [{ pointer, code: 'malformed_reference', message }];
  });
}

/**
 * References where only a hash is kept: nobody could ever read what they name, and the text that everybody may see would itself become
 * the key or the password.
 */
export function hashedReferenceProblems(values: Values, pointers: readonly string[]): readonly FieldProblem[] {
  return pointers.flatMap((pointer) => {
    const value = valueAt(values, pointer);
    if (typeof value !== 'string' || !isSecretReference(value)) return [];
    const message = 'must not be a reference: a hash of the text itself is what would be kept';
    return [{ pointer, code: 'reference_not_taken', message }];
  });
}
