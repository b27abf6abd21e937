import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { isValues } from '../resources/values.ts';
import { parsedAs } from './parsed-document.ts';
import type { FieldProblem } from './problem.ts';
import { textProblems } from './text-problems.ts';

/** The bytes of a body and what is to be made of them. */
export interface DocumentJob {
  readonly bytes: Uint8Array;
  readonly syntax: 'json' | 'yaml';
  /** Whether the digest is wanted too. */
  readonly withDigest: boolean;
  /** See `BodyDescription`. */
  readonly textFields?: readonly string[];
}

/** What a body holds, or the first place where it breaks a rule. */
export type DocumentResult =
  | {
      readonly ok: true;
      readonly document: unknown;
      /** Strings that cannot be stored. */
      readonly problems: readonly FieldProblem[];
      /** See {@link documentDigest}; empty when it was not asked for. */
      readonly digest: string;
    }
  /** Nothing of the document is in the message; it is a whole sentence. */
  | { readonly ok: false; readonly message: string };

/** Everything that is done with a body before its operation sees it and that takes time with its size. */
export function readDocument({ bytes, syntax, withDigest, textFields = [] }: DocumentJob): DocumentResult {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { ok: false, message: 'The body is not valid UTF-8' };
  }
  const parsed = parsedAs(syntax, text);
  if (!parsed.ok) {
    const place = `line ${parsed.line}, column ${parsed.column}`;
    return { ok: false, message: `The body is not valid ${syntax.toUpperCase()}: ${parsed.message} (${place})` };
  }
  const problems = mayBeUnstorable(syntax, text) ? textProblems(parsed.value) : [];
  const digest = withDigest && problems.length === 0 ? documentDigest(parsed.value) : '';
  return { ok: true, document: withTexts(parsed.value, textFields), problems, digest };
}

/** The document with JSON in place of the objects in some of its fields. */
function withTexts(document: unknown, fields: readonly string[]): unknown {
  if (fields.length === 0 || !isValues(document)) return document;
  const texts = fields.flatMap((field) =>
    isValues(document[field]) ? [[field, JSON.stringify(document[field])]] : [],
  );
  return { ...document, ...Object.fromEntries(texts) };
}

/** Decoding refused what is half a character, and JSON knows no NUL but by an escape: most bodies need not be looked through. */
function mayBeUnstorable(syntax: DocumentJob['syntax'], text: string): boolean {
  return syntax !== 'json' || text.includes('\\u');
}

/** SHA-256, lower-case hex, of a document's canonical form (RFC 8785): the order of fields does not count. */
export function documentDigest(document: unknown): string {
  return createHash('sha256')
    .update(canonicalize(document ?? null) ?? '', 'utf8')
    .digest('hex');
}
