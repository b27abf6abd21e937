import type { FieldProblem } from './problem.ts';

/** How many mistakes one answer lists. */
export const fieldProblemsMax = 100;

/**
 * The strings and keys of a document that hold NUL or lone surrogates, with their pointers. Neither database stores
 * them faithfully, and audit hashes are over well-formed text only. Source: wire contract, Configuration operations.
 */
export function textProblems(document: unknown): FieldProblem[] {
  const problems: FieldProblem[] = [];
  visit(document, '', problems);
  return problems;
}

/** A JSON Pointer with one more step. Source: RFC 6901. */
export function pointerTo(parent: string, step: string | number): string {
  return `${parent}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Whether a text can be stored and hashed faithfully. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function visit(value: unknown, pointer: string, problems: FieldProblem[]): void {
  if (problems.length >= fieldProblemsMax) return;
  if (typeof value === 'string') {
    if (!isStorableText(value)) problems.push(problem(pointer));
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => visit(item, pointerTo(pointer, index), problems));
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      if (isStorableText(key)) visit(inner, pointerTo(pointer, key), problems);
      else problems.push(problem(pointer));
    }
  }
}

function problem(pointer: string): FieldProblem {
  return { pointer, code: 'unsafe_text', message: 'must not contain U+0000 or unpaired surrogates' };
}
