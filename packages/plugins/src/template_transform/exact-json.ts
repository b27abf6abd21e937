/** The parts of JSON that TypeScript's library does not describe yet. */
interface RawJson {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
}

const rawJson = JSON as unknown as RawJson;

/**
 * Parses JSON so that writing it again gives every number its digits.
 * @returns the value, or `undefined` for what is no JSON or is nested too deeply
 */
export function parseExactly(json: string): { readonly value: unknown } | undefined {
  try {
    return {
      value: rawJson.parse(json, (_key, value, { source }) =>
        typeof value === 'number' && source !== undefined && String(value) !== source ? rawJson.rawJSON(source) : value,
      ),
    };
  } catch {
    return undefined;
  }
}

/** A number that was kept as it was written; `undefined` for other values. */
export function exactNumber(value: unknown): string | undefined {
  return rawJson.isRawJSON(value) ? value.rawJSON : undefined;
}

/** A value as JSON; `undefined` when it is nested too deeply. */
export function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
