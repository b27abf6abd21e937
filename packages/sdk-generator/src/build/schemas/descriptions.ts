import { fieldOf, textField } from '@portcullis/openapi';
import type { JsonObject } from '@portcullis/openapi';
import { sdkLimits } from '../limits.ts';

/** What schemas say of something, the first one that says anything first; with the default, which clients leave to the server. */
export function describedBy(...schemas: readonly (JsonObject | undefined)[]): string | undefined {
  const first = <T>(read: (schema: JsonObject) => T | undefined): T | undefined =>
    schemas.map((schema) => schema && read(schema)).find((found) => found !== undefined);
  const text = first(
    (schema) => textField(schema, 'description')?.trim() || textField(schema, 'title')?.trim() || undefined,
  );
  const given = first((schema) => fieldOf(schema, 'default'));
  const value = typeof given === 'object' || given === undefined ? undefined : JSON.stringify(given);
  if (value === undefined || value.length > sdkLimits.defaultLengthMax) return text;
  return text === undefined ? `Default: ${value}` : `${text}\n\nDefault: ${value}`;
}

/** Whether one of the schemas has a mark, such as `deprecated`. */
export function isMarked(mark: string, ...schemas: readonly (JsonObject | undefined)[]): boolean {
  return schemas.some((schema) => schema !== undefined && fieldOf(schema, mark) === true);
}

/** A text on one line without characters that people do not see, as titles are. */
export function titleText(text: string, lengthMax: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Co}\s]+/gu, ' ')
    .trim();
  return line.length > lengthMax ? `${line.slice(0, lengthMax).toWellFormed().trimEnd()} …` : line;
}
