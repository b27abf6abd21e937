/** Names of fields, from the outermost on, with dots between them. */
export const KEY_FIELD: RegExp = /^[a-z][a-z0-9_-]*(?:\.[a-z0-9][a-z0-9_-]*)*$/;

/**
 * Makes what finds the key of a record.
 * @param field of the record, of the form {@link KEY_FIELD}
 * @returns text for text, numbers and true or false; `undefined` for everything else, and for what is not there
 */
export function keyFinder(field: string | undefined): (record: object) => string | undefined {
  if (field === undefined) return () => undefined;
  const names = field.split('.');
  return (record) => {
    let value: unknown = record;
    for (const name of names) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
      value = (value as Record<string, unknown>)[name];
    }
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? `${value}`
      : undefined;
  };
}
