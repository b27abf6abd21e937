import { isJsonObject, type JsonObject } from '../../json.ts';
import type { StreamEvent } from '../adapter.ts';

/** What an error is called when its own name is none that may go into headers and records. */
const UNNAMED = 'provider_error';

/**
 * What a provider says within its stream of its failure; `undefined` when it says none. Vendors write an object with `type` and `code`, or
 * a text. Codes that are HTTP statuses are one. Source: OpenAI API; OpenRouter, errors within streams.
 */
export function readStreamError(value: JsonObject): StreamEvent | undefined {
  const error = Object.hasOwn(value, 'error') ? value['error'] : undefined;
  if (error === undefined || error === null || error === false) return undefined;
  return streamError(isJsonObject(error) ? error : value);
}

/** The error that an object describes. */
export function streamError(error: JsonObject): StreamEvent {
  const errorType = named(error['type']) ?? named(error['code']) ?? UNNAMED;
  const status = [error['code'], error['status'], error['status_code']]
    .map(statusOf)
    .find((code) => code !== undefined);
  return status === undefined ? { type: 'error', errorType } : { type: 'error', errorType, status };
}

function named(value: unknown): string | undefined {
  return typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/.test(value) && value !== 'error'
    ? value
    : undefined;
}

function statusOf(value: unknown): number | undefined {
  const code = typeof value === 'string' && /^[0-9]{3}$/.test(value) ? Number(value) : value;
  return typeof code === 'number' && Number.isInteger(code) && code >= 400 && code <= 599 ? code : undefined;
}
