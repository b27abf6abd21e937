/** Characters that show nothing: joiners, marks of direction, soft hyphens, variation selectors, the byte order mark, fillers. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * A text as people read it: compatibility forms (full-width and styled letters) in their plain form, and nothing invisible in between. What
 * hides a word from a machine and not from a reader is gone.
 */
export function plainText(text: string): string {
  return text.normalize('NFKC').replace(INVISIBLE, '');
}
