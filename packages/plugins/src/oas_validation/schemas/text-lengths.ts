/** Whether a text has at most so many characters, or at least. @param count is told how many were looked at */
export type LengthRule = (text: string, bound: number, count: (characters: number) => void) => boolean;

/** Characters are code points: one or two units each, so that most texts are told by their units, without looking at one of them. */
export const isAtMost: LengthRule = (text, bound, count) =>
  text.length <= bound || (text.length <= 2 * bound && pointsIn(text, count) <= bound);

/** See {@link isAtMost}. */
export const isAtLeast: LengthRule = (text, bound, count) =>
  text.length >= bound && (text.length >= 2 * bound || pointsIn(text, count) >= bound);

function pointsIn(text: string, count: (characters: number) => void): number {
  count(text.length);
  let points = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) {
      points -= 1;
      at += 1;
    }
  }
  return points;
}
