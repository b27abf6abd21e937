import { parseDocument } from '@portcullis/bundle-diff';

/** A document, or the first place where its text breaks a rule. `message` never holds text of the document. */
export type ParsedDocument =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string; readonly line: number; readonly column: number };

/**
 * Parses what a caller sent, into plain data that a thread can hand over. NUL and lone surrogates inside strings parse;
 * `textProblems` names them all with their pointers.
 */
export function parsedAs(format: 'json' | 'yaml', text: string): ParsedDocument {
  const parsed = parseDocument(text, { format, unstorableText: 'keep' });
  return parsed.ok ? { ok: true, value: parsed.document } : { ok: false, ...parsed.error };
}
