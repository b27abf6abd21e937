/**
 * Text that the two databases would not both keep as it is: U+0000 and lone surrogates. Input is checked long before;
 * this is the last line, so that a hash over the text always matches what is stored. Source: reliability, finding 8.
 */
export class UnstorableTextError extends Error {
  override readonly name = 'UnstorableTextError';
  readonly code = 'unstorable_text';
}

/** How JSON spells U+0000 and lone surrogates. An even run of backslashes before it is escaped backslashes. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/**
 * Gives JSON text back that both databases keep byte for byte.
 * @throws UnstorableTextError when a string in it holds U+0000 or a lone surrogate
 */
export function storableJson(text: string): string {
  if (UNSTORABLE.test(text)) throw new UnstorableTextError('a string holds U+0000 or a lone surrogate');
  return text;
}
