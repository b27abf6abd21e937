import type { JsonObject, TextPlace } from '@portcullis/ai-router';

/** Texts of one value that are looked for: more than judges take, so that they see that there are too many. */
const TEXTS_MAX = 50_001;

/** Most levels that are searched; answers of more are refused before. */
const DEPTH_MAX = 128;

/**
 * All texts of an answer in a form that nobody knows, or of one event of a stream. Which of them are words of the form cannot be told. Texts
 * at the same place of several events are pieces of one: that is how every stream of a model tells an answer.
 * @param except names of members that are left out
 */
export function pathPieces(value: JsonObject, except: ReadonlySet<string> = NONE): readonly TextPlace[] {
  const places: TextPlace[] = [];
  visit(places, value, except, '', 0);
  return places;
}

const NONE: ReadonlySet<string> = new Set();

function visit(
  places: TextPlace[],
  holder: JsonObject,
  except: ReadonlySet<string>,
  path: string,
  depth: number,
): void {
  for (const field of Object.keys(holder)) {
    if (except.has(field)) continue;
    if (places.length >= TEXTS_MAX) return;
    const value = holder[field];
    const key = `${path}/${field}`;
    if (typeof value === 'string') {
      if (value !== '')
        places.push({ key, holder, field, text: value, ...(field === 'arguments' && { isJson: true }) });
    } else if (typeof value === 'object' && value !== null && depth < DEPTH_MAX) {
      visit(places, value as JsonObject, except, key, depth + 1);
    }
  }
}
