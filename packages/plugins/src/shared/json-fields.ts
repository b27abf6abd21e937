/** Edits of the top-level fields of a JSON object. */
export interface JsonFieldEdits {
  readonly remove: readonly string[];
  /** Only where the field exists. */
  readonly replace: Readonly<Record<string, unknown>>;
  /** Only where the field is missing. */
  readonly add: Readonly<Record<string, unknown>>;
}

/**
 * Applies edits to a JSON text: remove, replace, then add. Numbers that JavaScript cannot hold keep their digits.
 * @returns the new text, or `undefined` when the text is no JSON object, or nested too deeply to be written again
 */
export function editJsonFields(json: string, { remove, replace, add }: JsonFieldEdits): string | undefined {
  const parsed = parseExactly(json);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed) || isRawNumber(parsed)) return undefined;
  // A map and not the object: a field may be called __proto__.
  const fields = new Map<string, unknown>(Object.entries(parsed));
  for (const name of remove) fields.delete(name);
  for (const [name, value] of Object.entries(replace)) if (fields.has(name)) fields.set(name, value);
  for (const [name, value] of Object.entries(add)) if (!fields.has(name)) fields.set(name, value);
  return toText(Object.fromEntries(fields));
}

/** The parts of JSON that TypeScript's library does not describe yet. */
interface RawJson {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
}

const rawJson = JSON as unknown as RawJson;

/** Parses JSON; a number that would lose digits stays as it was written. `undefined` when it is no JSON. */
function parseExactly(json: string): unknown {
  try {
    return rawJson.parse(json, (_key, value, { source }) =>
      typeof value === 'number' && source !== undefined && String(value) !== source ? rawJson.rawJSON(source) : value,
    );
  } catch {
    return undefined;
  }
}

/** Writing recurses. A body that exhausts the stack is no failure of the plugin, or clients could open its circuit. */
function toText(value: object): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function isRawNumber(value: unknown): boolean {
  return rawJson.isRawJSON(value);
}
