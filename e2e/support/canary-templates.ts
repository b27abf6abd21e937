import type { Canaries } from './canaries.ts';

/** A value with secrets in it, and where in it they are. */
export interface Filled<T> {
  readonly value: T;
  /** JSON Pointers of the texts with a secret, by the secret. */
  readonly secrets: ReadonlyMap<string, string>;
}

/**
 * Puts secrets into a template.
 * @param template `$` in a text becomes a secret of its own, `$` with a digit one secret for all of its kind; `@` at a text's start
 * becomes an address
 * @param name put before the pointers, to name the fields
 */
export function fill<T>(canaries: Canaries, name: string, template: T, address: string): Filled<T> {
  const secrets = new Map<string, string>();
  const shared = new Map<string, string>();
  const visit = (value: unknown, pointer: string): unknown => {
    if (typeof value === 'string') {
      if (value.startsWith('-----BEGIN PRIVATE KEY')) {
        secrets.set(pointer, canaries.watch(`${name}${pointer}`, value));
        return value;
      }
      return value.replace(/^@/, address).replaceAll(/\$\d?/g, (mark) => {
        const secret = shared.get(mark) ?? canaries.mint(`${name}${pointer}`);
        if (mark !== '$') shared.set(mark, secret);
        secrets.set(pointer, secret);
        return secret;
      });
    }
    if (Array.isArray(value)) return value.map((item, index) => visit(item, `${pointer}/${index}`));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, visit(item, `${pointer}/${key}`)]));
  };
  return { value: visit(template, '') as T, secrets };
}

type Schema = Readonly<Record<string, unknown>>;

/**
 * The fields of a JSON Schema that are marked as secret: pointers in which `*` stands for any item or name.
 * `x-secret: true | 'address'`, `writeOnly` and `format: password` are marks, as in the reference.
 */
export function markedFields(schema: unknown, pointer = ''): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap((branch) => markedFields(branch, pointer));
  if (typeof schema !== 'object' || schema === null) return [];
  const own = schema as Schema;
  if (own['x-secret'] !== undefined || own['writeOnly'] === true || own['format'] === 'password') return [pointer];
  const inner = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => markedFields(own[keyword], pointer));
  const items = ['items', 'prefixItems', 'additionalProperties'].flatMap((keyword) =>
    markedFields(own[keyword], `${pointer}/*`),
  );
  const properties = Object.entries(own['properties'] ?? {}).flatMap(([name, field]) =>
    markedFields(field, `${pointer}/${name}`),
  );
  return [...new Set([...inner, ...items, ...properties])];
}

/** Those marked fields that none of the pointers lies in. */
export function withoutSecret(marked: readonly string[], pointers: readonly string[]): readonly string[] {
  return marked.filter((field) => {
    const pattern = new RegExp(`^${field.replaceAll(/[.+?^$()[\]{}|\\]/g, '\\$&').replaceAll('*', '[^/]+')}(?:/|$)`);
    return !pointers.some((pointer) => pattern.test(pointer));
  });
}
