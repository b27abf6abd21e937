import type { TextPlace } from '@portcullis/ai-router';
import { isJson } from '../json-text/is-json.ts';

/** Pieces of one text, as one. */
export interface TextGroup {
  readonly text: string;
  /** Puts another text in place of all pieces: the first gets it. @returns `false` where it cannot be changed in place */
  replace(text: string): boolean;
}

/** Texts of one message that somebody else judges. */
export const TEXTS_MAX = 5000;

/** Places beyond which those who look for texts stop: nobody knows what comes then. */
const PLACES_MAX = 50_000;

/**
 * Texts that stand in several pieces (chunks of a stream, parts of a message), each as one. What holds no letter or digit is left out.
 * @returns `undefined` for too many
 */
export function textGroups(places: readonly TextPlace[]): readonly TextGroup[] | undefined {
  const groups = new Map<string, TextPlace[]>();
  for (const place of places) {
    const known = groups.get(place.key);
    if (known === undefined) groups.set(place.key, [place]);
    else known.push(place);
  }
  if (groups.size > PLACES_MAX) return undefined;
  const meant = [...groups.values()].map(groupOf).filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  return meant.length > TEXTS_MAX ? undefined : meant;
}

function groupOf(group: readonly TextPlace[]): TextGroup {
  const text = group.map((place) => place.text).join('');
  return {
    text,
    replace(changed) {
      if (changed === text) return true;
      if (group.some(({ isFixed }) => isFixed === true)) return false;
      // What a tool is called with must stay what its reader can parse.
      if (group[0]?.isJson === true && !isJson(changed)) return false;
      for (const [index, { holder, field, part }] of group.entries()) {
        if (index === 0) holder[field] = changed;
        else if (part === undefined) holder[field] = '';
        else part.list.splice(part.list.indexOf(part.item), 1);
      }
      return true;
    },
  };
}
