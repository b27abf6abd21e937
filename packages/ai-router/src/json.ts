/** A JSON object as `JSON.parse` gives it. Own fields only count: read them with `Object.hasOwn` where a client chose the name. */
export type JsonObject = { [name: string]: unknown };

/** Whether a value is a JSON object: neither a list nor `null`. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
