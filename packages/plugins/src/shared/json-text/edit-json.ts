import { JsonAmbiguityError } from './filter-values.ts';
import { JsonDocument } from './json-document.ts';
import { applyOperation, type JsonOperation } from './operations.ts';
import { JsonLimitError } from './scan.ts';

/**
 * What came of a text: the new one; nothing to change; no JSON; one that is too deep, has too many values or would grow too much, of
 * which nothing was changed; or one that a filter was to look at, and that has a name twice in an object: `ambiguous`, because readers differ
 * in which one they take.
 */
export type EditedJson = { readonly text: string } | 'unchanged' | 'malformed' | 'too_complex' | 'ambiguous';

/** Which texts are edited. */
export type JsonForm = 'any' | 'object';

/**
 * Applies operations to a JSON text in turn, each to what the one before left. What none of them touches keeps every character.
 * @param form `object`: other values are left as they are
 */
export function editJson(text: string, operations: readonly JsonOperation[], form: JsonForm = 'any'): EditedJson {
  const parsed = parsedJson(text);
  if (parsed === undefined) return 'malformed';
  const document = new JsonDocument(text, parsed.value);
  if (form === 'object' && !document.isObject(document.root)) return 'unchanged';
  try {
    for (const operation of operations) applyOperation(document, operation);
    const edited = document.toText();
    return edited === text ? 'unchanged' : { text: edited };
  } catch (error) {
    if (error instanceof JsonLimitError) return 'too_complex';
    if (error instanceof JsonAmbiguityError) return 'ambiguous';
    throw error;
  }
}

/** The platform's own parser decides, in the least time; what it makes of the text is only for filters: it forgets digits and order. */
function parsedJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
