import { JsonAmbiguityError } from './filter-values.ts';
import { JsonDocument, jsonBudget, type JsonBudget } from './json-document.ts';
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
 * @param budget of several texts together; default: of this one
 */
export function editJson(
  text: string,
  operations: readonly JsonOperation[],
  form: JsonForm = 'any',
  budget?: JsonBudget,
): EditedJson {
  const parsed = parsedJson(text);
  if (parsed === undefined) return 'malformed';
  const document = new JsonDocument(text, parsed.value, budget);
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

/**
 * As {@link editJson}, for JSON texts on lines of their own; with a record separator in it, for texts between those. Sources: RFC 7464; the
 * formats that are called NDJSON and JSON Lines.
 */
export function editJsonLines(text: string, operations: readonly JsonOperation[]): EditedJson {
  const budget = jsonBudget();
  const separator = text.includes(RECORD_SEPARATOR) ? RECORD_SEPARATOR : '\n';
  const parts = text.split(separator);
  let isChanged = false;
  for (const [at, part] of parts.entries()) {
    if (part.trim() === '') continue;
    budget.nodes -= 1;
    const edited = budget.nodes < 0 ? 'too_complex' : editJson(part, operations, 'any', budget);
    if (edited === 'unchanged') continue;
    if (typeof edited === 'string') return edited;
    parts[at] = edited.text;
    isChanged = true;
  }
  return isChanged ? { text: parts.join(separator) } : 'unchanged';
}

const RECORD_SEPARATOR = '\u001e';

/** The platform's own parser decides, in the least time; what it makes of the text is only for filters: it forgets digits and order. */
function parsedJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
