import { isJsonObject, type JsonObject } from '../../json.ts';

/** The object that the data of an event is; `undefined` for anything else. */
export function eventJson(data: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
