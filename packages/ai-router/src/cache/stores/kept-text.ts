import type { CacheEntry, KeptAnswer } from '../answer-store.ts';
import type { FedEntry } from './scan/partition-feed.ts';

/** An answer as text. */
export function answerText({ body, provider, model, storedAtMs, expiresAtMs }: KeptAnswer): string {
  return JSON.stringify([storedAtMs, expiresAtMs, provider, model, body]);
}

/** What {@link answerText} made; `undefined` for anything else: another release may have written it. */
export function readAnswerText(text: string): KeptAnswer | undefined {
  const values = listOf(text);
  if (values === undefined) return undefined;
  const [storedAtMs, expiresAtMs, provider, model, body] = values;
  if (typeof storedAtMs !== 'number' || typeof expiresAtMs !== 'number') return undefined;
  if (typeof provider !== 'string' || typeof model !== 'string' || typeof body !== 'string') return undefined;
  return { storedAtMs, expiresAtMs, provider, model, body };
}

/** What of an entry is compared, as text that begins with when it ends; empty for an entry without a vector. */
export function comparedText({ prompt, vector, answer }: CacheEntry): string {
  if (vector === undefined) return '';
  const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
  return JSON.stringify([answer.expiresAtMs, prompt, bytes.toString('base64')]);
}

/** What {@link comparedText} made; `undefined` for anything else. */
export function readComparedText(key: string, text: string): FedEntry | undefined {
  const values = listOf(text);
  if (values === undefined) return undefined;
  const [expiresAtMs, prompt, encoded] = values;
  if (typeof expiresAtMs !== 'number' || typeof prompt !== 'string' || typeof encoded !== 'string') return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.byteLength % Float32Array.BYTES_PER_ELEMENT !== 0) return undefined;
  // A copy of its own: a buffer of the pool would not begin where numbers may.
  const vector = new Float32Array(new Uint8Array(bytes).buffer);
  return { key, prompt, vector, expiresAtMs };
}

function listOf(text: string): readonly unknown[] | undefined {
  try {
    const values: unknown = JSON.parse(text);
    return Array.isArray(values) ? values : undefined;
  } catch {
    return undefined;
  }
}
