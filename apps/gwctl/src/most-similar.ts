/** How many letters of a word may differ for it to be meant, at most, and as a share of its letters. */
const distanceMax = 3;
const shareMax = 0.4;

/** The word that somebody may have meant who typed `word`; nothing when none is close. */
export function mostSimilar(word: string, known: readonly string[]): string | undefined {
  const near = known
    .map((candidate) => ({ candidate, distance: distance(word, candidate) }))
    .filter((one) => one.distance <= Math.min(distanceMax, one.candidate.length * shareMax));
  return near.toSorted((left, right) => left.distance - right.distance)[0]?.candidate;
}

/** Letters to insert, remove or replace to make one word of the other (Levenshtein's distance). */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [at, letter] of Array.from(left).entries()) {
    const next = [at + 1];
    for (const [index, other] of Array.from(right).entries()) {
      const [above = 0, diagonal = 0, before = 0] = [row[index + 1], row[index], next[index]];
      next.push(Math.min(above + 1, before + 1, diagonal + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
