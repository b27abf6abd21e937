import { compileOperation, isMistake, type SaidOperation } from './compile-operation.ts';
import { editJson } from './edit-json.ts';

/** The text after operations; `unchanged`, `malformed` or `too_complex` as they are. @throws Error for an operation with a mistake */
export function edited(text: string, ...operations: readonly SaidOperation[]): string {
  const compiled = operations.map((said) => {
    const operation = compileOperation(said);
    if (isMistake(operation)) throw new Error(`${operation.field} ${operation.message}`);
    return operation;
  });
  const result = editJson(text, compiled);
  return typeof result === 'string' ? result : result.text;
}
