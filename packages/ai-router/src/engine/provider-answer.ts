import { isJsonObject, type JsonObject } from '../json.ts';

/** Statuses after which another target may do better. Source: spec, AI gateway, rule 4. */
const retryableStatuses: ReadonlySet<number> = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

/** Whether another target may do better after a provider's answer. Source: spec, AI gateway, rule 4. */
export function isRetryableStatus(status: number): boolean {
  return retryableStatuses.has(status);
}

/** Characters of a `Retry-After` that is passed on. */
const RETRY_AFTER_LENGTH_MAX = 64;

/** A provider's answer of status 400 or above. */
export interface ProviderError {
  readonly status: number;
  /** `undefined` when its body is no JSON object: then nothing of it is shown. */
  readonly body: JsonObject | undefined;
  readonly retryAfter: string | undefined;
}

/** A field of an answer's head. @param headers name and value by turns, names in lower case */
export function fieldOf(headers: readonly string[], name: string): string | undefined {
  for (let at = 0; at + 1 < headers.length; at += 2) if (headers[at] === name) return headers[at + 1];
  return undefined;
}

/** The type of an answer's content without parameters, in lower case; empty when there is none. */
export function contentTypeOf(headers: readonly string[]): string {
  const field = fieldOf(headers, 'content-type') ?? '';
  const end = field.indexOf(';');
  return (end === -1 ? field : field.slice(0, end)).trim().toLowerCase();
}

/** Whether a body has a content coding: nobody asks for one. */
export function isPacked(headers: readonly string[]): boolean {
  const coding = fieldOf(headers, 'content-encoding');
  return coding !== undefined && coding !== '' && coding.toLowerCase() !== 'identity';
}

/** Bytes as a JSON object; `undefined` when they are none. */
export function jsonObjectOf(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const decoder = new TextDecoder();

/** When a provider wants to be asked again, if it said so in a form that may be told. */
export function retryAfterOf(headers: readonly string[]): string | undefined {
  const value = fieldOf(headers, 'retry-after');
  return value !== undefined && value.length <= RETRY_AFTER_LENGTH_MAX && /^[\x20-\x7e]+$/.test(value)
    ? value
    : undefined;
}

/** A short word for a provider's error: its own, where that is one word, else one made of the status. */
export function errorClassOf({ status, body }: Pick<ProviderError, 'status' | 'body'>): string {
  const error = body?.['error'];
  const word = isJsonObject(error) ? (error['type'] ?? error['code'] ?? error['status']) : body?.['type'];
  return errorWord(word) ?? `status_${status}`;
}

/** A provider's word, when it is one that may stand in headers and labels. */
export function errorWord(word: unknown): string | undefined {
  return typeof word === 'string' && /^[a-z][a-z0-9_.-]{0,63}$/i.test(word) ? word : undefined;
}
