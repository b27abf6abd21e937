import { isJsonObject, type JsonObject } from '../../json.ts';
import { UnsupportedRequestError } from '../errors.ts';

/*
 * Fields of a client's request. `null` counts as absent, because clients write it for "not set". Each throws `UnsupportedRequestError` for
 * another type than the one that it is named after; messages name the field and never its value.
 */

/** An own field; `undefined` for one that is absent or `null`. */
export function fieldOf(object: JsonObject, name: string): unknown {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return value === null ? undefined : value;
}

/** A string, or absent. */
export function stringField(object: JsonObject, name: string): string | undefined {
  const value = fieldOf(object, name);
  if (value !== undefined && typeof value !== 'string') throw wrong(name, 'a string');
  return value;
}

/** A string that must be there and not be empty. */
export function requiredString(object: JsonObject, name: string): string {
  const value = stringField(object, name);
  if (value === undefined || value === '') throw wrong(name, 'a string that is not empty');
  return value;
}

/** A number, or absent. */
export function numberField(object: JsonObject, name: string): number | undefined {
  const value = fieldOf(object, name);
  if (value !== undefined && (typeof value !== 'number' || !Number.isFinite(value))) throw wrong(name, 'a number');
  return value;
}

/** A whole number above zero, or absent. */
export function countField(object: JsonObject, name: string): number | undefined {
  const value = numberField(object, name);
  if (value !== undefined && (!Number.isSafeInteger(value) || value < 1)) throw wrong(name, 'a whole number above 0');
  return value;
}

/** A boolean, or absent. */
export function booleanField(object: JsonObject, name: string): boolean | undefined {
  const value = fieldOf(object, name);
  if (value !== undefined && typeof value !== 'boolean') throw wrong(name, 'true or false');
  return value;
}

/** An object, or absent. */
export function objectField(object: JsonObject, name: string): JsonObject | undefined {
  const value = fieldOf(object, name);
  if (value !== undefined && !isJsonObject(value)) throw wrong(name, 'an object');
  return value;
}

/** An object that must be there. */
export function requiredObject(object: JsonObject, name: string): JsonObject {
  const value = objectField(object, name);
  if (value === undefined) throw wrong(name, 'an object');
  return value;
}

/** A list of objects; empty when absent. */
export function objectsField(object: JsonObject, name: string): readonly JsonObject[] {
  const value = fieldOf(object, name) ?? [];
  if (!Array.isArray(value)) throw wrong(name, 'a list');
  if (!value.every(isJsonObject)) throw wrong(name, 'a list of objects');
  return value;
}

/** One string or a list of them; empty when absent. */
export function stringsField(object: JsonObject, name: string): readonly string[] {
  const value = fieldOf(object, name) ?? [];
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value) || !value.every((item): item is string => typeof item === 'string')) {
    throw wrong(name, 'a string or a list of strings');
  }
  return value;
}

function wrong(name: string, expected: string): UnsupportedRequestError {
  return new UnsupportedRequestError(`${name} must be ${expected}`);
}
