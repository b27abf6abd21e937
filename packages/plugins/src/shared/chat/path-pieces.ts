import type { JsonObject, TextPlace } from '@portcullis/ai-router';

/** Most levels that are searched; answers of more are refused before. */
const DEPTH_MAX = 128;

/**
 * All texts of one event of a stream in a form that nobody knows. Texts at the same place of several events are pieces of one: that is how
 * every stream of a model tells an answer.
 */
export function pathPieces(event: JsonObject): readonly TextPlace[] {
  const places: TextPlace[] = [];
  visit(places, event, '', 0);
  return places;
}

function visit(places: TextPlace[], holder: JsonObject, path: string, depth: number): void {
  for (const field of Object.keys(holder)) {
    const value = holder[field];
    const key = `${path}/${field}`;
    if (typeof value === 'string') {
      if (value !== '') places.push({ key, holder, field, text: value });
    } else if (typeof value === 'object' && value !== null && depth < DEPTH_MAX) {
      visit(places, value as JsonObject, key, depth + 1);
    }
  }
}
