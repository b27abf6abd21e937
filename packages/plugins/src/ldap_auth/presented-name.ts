/** Longest user name, in characters, as the client writes it. */
export const USERNAME_LENGTH_MAX = 256;

/**
 * The one spelling of a user name. Directories take names for the same that differ in case, in the width of letters or in spaces at
 * the ends; were they different here, one user would be many consumers, with as many rate limits and no ACL that holds. So the
 * directory is asked for this spelling too: who is identified by it is who signed in by it.
 * Source: RFC 4518, section 2, as far as servers go along; characters that it drops are refused instead.
 * @returns `undefined` for a name that is refused: empty, too long, or with characters that are not seen
 */
export function presentedName(username: string): string | undefined {
  if (username.length > USERNAME_LENGTH_MAX || UNSEEN.test(username)) return undefined;
  const name = username.normalize('NFKC').toLowerCase().normalize('NFKC').replaceAll(/ +/g, ' ').trim();
  return name === '' ? undefined : name;
}

/** Control and format characters, halves of characters, characters of nobody, and those that leave no mark. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u;
