/** Characters of all texts of one call: the cloud's own default for a guardrail's policies is 25 units of a thousand. */
export const CALL_LENGTH_MAX = 25_000;

/** Texts of one call. */
export const CALL_TEXTS_MAX = 100;

/** Characters of one request or answer that are judged, in several calls if need be. */
export const JUDGED_LENGTH_MAX = 100_000;

/** A text or a piece of one, and whose. */
export interface TextPiece {
  /** Place of the text among those that were given. */
  readonly of: number;
  readonly text: string;
}

/** Puts texts into calls, in their order. Texts that are too long for one are cut, between words where there are any. */
export function textCalls(texts: readonly string[]): readonly (readonly TextPiece[])[] {
  const calls: TextPiece[][] = [];
  let call: TextPiece[] = [];
  let length = 0;
  for (const [of, whole] of texts.entries()) {
    for (const text of piecesOf(whole)) {
      if (call.length > 0 && (length + text.length > CALL_LENGTH_MAX || call.length === CALL_TEXTS_MAX)) {
        calls.push(call);
        call = [];
        length = 0;
      }
      call.push({ of, text });
      length += text.length;
    }
  }
  return call.length === 0 ? calls : [...calls, call];
}

function* piecesOf(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > CALL_LENGTH_MAX) {
    const end = start + CALL_LENGTH_MAX;
    const blank = text.lastIndexOf(' ', end - 1);
    // Half a character at the end would be none: a pair stays together.
    const cut = blank > start ? blank + 1 : isPairAt(text, end) ? end - 1 : end;
    yield text.slice(start, cut);
    start = cut;
  }
  yield text.slice(start);
}

function isPairAt(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
}
