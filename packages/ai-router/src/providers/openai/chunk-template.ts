const LF = 10;
const SPACE = 32;
const QUOTE = 34;
const BACKSLASH = 92;
/** What OpenAI and Mistral add to each chunk so that the length of its text does not show. */
const PADDING: readonly Buffer[] = ['"obfuscation":"', '"p":"'].map((text) => Buffer.from(text));

/**
 * What the frames of one stream have in common. They repeat their model, ID and much else around each word; a frame that differs in the
 * word alone says what the one before it said, and does not have to be looked at again.
 */
export class ChunkTemplate {
  /** The bytes around the holes: one more than there are holes. */
  readonly #fixed: readonly Buffer[];
  /** Where the text of the frame ends that fitted last, counted from the frame's beginning. */
  textEnd = 0;

  private constructor(fixed: readonly Buffer[]) {
    this.#fixed = fixed;
  }

  /**
   * What later frames are compared to; `undefined` for a frame without such a text.
   * @param text name of the member that holds the text, with its closing quote
   */
  static of(frame: Buffer, text: string): ChunkTemplate | undefined {
    const fixed: Buffer[] = [];
    let at = 0;
    for (const hole of [Buffer.from(`"${text}:"`), ...PADDING]) {
      const start = frame.indexOf(hole, at);
      if (start === -1) {
        if (fixed.length === 0) return undefined;
        continue;
      }
      const textStart = start + hole.length;
      const end = frame.indexOf(QUOTE, textStart);
      if (end === -1 || frame[end - 1] === BACKSLASH) return undefined;
      fixed.push(Buffer.from(frame.subarray(at, textStart)));
      at = end;
    }
    fixed.push(Buffer.from(frame.subarray(at)));
    return new ChunkTemplate(fixed);
  }

  /** Whether its frames end with a line feed: then the byte that follows one belongs to the next. */
  get isSelfContained(): boolean {
    return this.#fixed.at(-1)?.at(-1) === LF;
  }

  /** Where the text begins, counted from the frame's beginning. */
  get textStart(): number {
    return this.#fixed[0]?.length ?? 0;
  }

  /**
   * Whether a frame begins somewhere that differs from the first one in its holes alone. Where its text ends is {@link textEnd} then.
   * @param at where it would begin
   * @returns where it ends; -1 if it differs elsewhere, or may
   */
  fit(bytes: Buffer, at: number): number {
    const fixed = this.#fixed;
    let from = at;
    for (let index = 0; index < fixed.length; index += 1) {
      const part = fixed[index];
      if (part === undefined) return -1;
      const after = from + part.length;
      if (after > bytes.length || part.compare(bytes, from, after) !== 0) return -1;
      if (index === fixed.length - 1) return after;
      from = endOfHole(bytes, after);
      // An escaped quote would have the rest of the frame behind it twice.
      if (from === -1) return -1;
      if (index === 0) this.textEnd = from - at;
    }
    return -1;
  }
}

/** Where the quote is that ends a text; -1 without one, or where a line ends before, as no text of JSON has it. */
function endOfHole(bytes: Buffer, start: number): number {
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) return at;
    if (byte < SPACE) return -1;
  }
  return -1;
}
