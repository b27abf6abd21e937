import { hashOf } from './hash.ts';
import type { HashInput } from './upstream-plan.ts';

/** A request as far as balancing tells requests apart. */
export interface BalancedRequest {
  /** Identified consumer. */
  readonly consumerId: string | undefined;
  readonly clientIp: string;
  /** Normalised. */
  readonly path: string;
  /** Raw, without `?`. */
  readonly query: string;
  /** Name and value by turns. */
  readonly fields: readonly string[];
  /** A group of the route's regular expression, by name or number. */
  capture(group: string): string | undefined;
  /**
   * A new value for a cookie that the client did not send; it is set with the answer.
   * @returns the same value for each call of one request
   */
  newCookie(name: string, path: string): string;
}

/**
 * What a request is told apart by, hashed to 31 bits, a number that is not allocated; `undefined` when it has neither what is asked for first
 * nor the fallback.
 */
export function hashKeyOf(request: BalancedRequest, on: HashInput, fallback: HashInput): number | undefined {
  const text = textOf(request, on) ?? textOf(request, fallback);
  return text === undefined ? undefined : hashOf(text) >>> 1;
}

function textOf(request: BalancedRequest, input: HashInput): string | undefined {
  switch (input.what) {
    case 'none':
      return undefined;
    case 'consumer':
      return request.consumerId;
    case 'ip':
      return request.clientIp;
    case 'path':
      return request.path;
    case 'header':
      return fieldOf(request.fields, input.name);
    case 'query_arg':
      return parameterOf(request.query, input.name);
    case 'uri_capture':
      return request.capture(input.name);
    case 'cookie':
      return cookieOf(request.fields, input.name) ?? request.newCookie(input.name, input.path);
  }
}

/** All values of a field, as one list. @param name lower case */
function fieldOf(fields: readonly string[], name: string): string | undefined {
  let found: string | undefined;
  for (let at = 0; at < fields.length; at += 2) {
    const field = fields[at] ?? '';
    if (field.length !== name.length || field.toLowerCase() !== name) continue;
    const value = fields[at + 1] ?? '';
    found = found === undefined ? value : `${found}, ${value}`;
  }
  return found;
}

/** The first cookie of a name. Source: RFC 6265, section 4.2.1. */
export function cookieOf(fields: readonly string[], name: string): string | undefined {
  for (let at = 0; at < fields.length; at += 2) {
    if (fields[at]?.toLowerCase() !== 'cookie') continue;
    for (const pair of (fields[at + 1] ?? '').split(';')) {
      const equals = pair.indexOf('=');
      if (equals !== -1 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
    }
  }
  return undefined;
}

/** The first parameter of a name. Names and values are compared decoded; what cannot be decoded stays as it is. */
export function parameterOf(query: string, name: string): string | undefined {
  if (query === '') return undefined;
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=');
    const key = equals === -1 ? pair : pair.slice(0, equals);
    if (decoded(key) === name) return equals === -1 ? '' : decoded(pair.slice(equals + 1));
  }
  return undefined;
}

function decoded(text: string): string {
  if (!/[%+]/.test(text)) return text;
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
