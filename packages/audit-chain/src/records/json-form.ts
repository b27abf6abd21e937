import canonicalize from 'canonicalize';
import { sortedJson } from './sorted-json.ts';

/** The RFC 8785 form of what came out of JSON.parse, whatever numbers it has. Throws for lone surrogates. */
export function jsonForm(value: unknown): string {
  return sortedJson(value) ?? canonicalize(value) ?? 'null';
}

/** A text and what it says, if it is JSON in RFC 8785 form; undefined if it is JSON in another form. Throws a SyntaxError for what is no JSON. */
export function parseCanonical(text: string): { readonly value: unknown } | undefined {
  const value: unknown = JSON.parse(text);
  // RFC 8785 writes strings and numbers as JSON.stringify does: if the text survives a round trip, its keys are left to check.
  if (JSON.stringify(value) === text && isSorted(value)) return { value };
  try {
    return jsonForm(value) === text ? { value } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether all keys come in the order of their UTF-16 units and all text is well-formed. Those that look like array indexes are left to the slow way. */
function isSorted(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isSorted);
  let before: string | undefined;
  for (const key of Object.keys(value)) {
    if (before !== undefined && before >= key) return false;
    if (!key.isWellFormed() || !isSorted((value as Readonly<Record<string, unknown>>)[key])) return false;
    before = key;
  }
  return true;
}
