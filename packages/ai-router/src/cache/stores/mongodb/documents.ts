import type { CacheEntry, KeptAnswer } from '../../answer-store.ts';

/** A document as drivers give it. */
export type Document = Readonly<Record<string, unknown>>;

/** Fields that searches filter by: a vector index has to have them as filters. */
export const filterFields = ['space', 'partition', 'expires_at'] as const;

/** The document of an entry. Its end is a date, so that the server deletes it by itself. */
export function documentOf(
  space: string,
  vectorPath: string,
  { key, partition, prompt, vector, answer }: CacheEntry,
  bytes: number,
): { readonly _id: string; readonly [field: string]: unknown } {
  const { provider, model, body, storedAtMs, expiresAtMs } = answer;
  return {
    // First, so that no path of a tenant's takes the place of a field below.
    ...(vector !== undefined && nested(vectorPath, [...vector])),
    _id: documentId(space, key),
    space,
    key,
    partition,
    prompt: JSON.stringify(prompt),
    provider,
    model,
    body,
    stored_at: storedAtMs,
    expires_at: new Date(expiresAtMs),
    bytes,
  };
}

/** Keys are unique in a space. */
export function documentId(space: string, key: string): string {
  return `${space}:${key}`;
}

/** The answer of a document. */
export function answerOf({ body, provider, model, stored_at: storedAt, expires_at: expiresAt }: Document): KeptAnswer {
  return {
    body: String(body),
    provider: String(provider),
    model: String(model),
    storedAtMs: Number(storedAt),
    expiresAtMs: endOf(expiresAt),
  };
}

/** The prompt of a document, which is JSON text there. */
export function promptOf({ prompt }: Document): string {
  return String(JSON.parse(String(prompt)));
}

/** Milliseconds since 1970-01-01 UTC. */
export function endOf(date: unknown): number {
  return date instanceof Date ? date.getTime() : 0;
}

/** The vector at a path; of no dimensions where there is none. */
export function vectorAt(document: Document, path: string): Float32Array {
  let value: unknown = document;
  for (const name of path.split('.')) {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    value = isObject ? (value as Document)[name] : undefined;
  }
  return Array.isArray(value) ? new Float32Array(value.map(Number)) : new Float32Array(0);
}

/** `{ a: { b: value } }` for `a.b`. */
function nested(path: string, value: unknown): object {
  return path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;
}
