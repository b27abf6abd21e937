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

  /**
   * Whether a frame differs from the first one in its holes alone.
   * @returns where its text ends; -1 if it differs elsewhere, or may
   */
  fit(frame: Buffer): number {
    const fixed = this.#fixed;
    let textEnd = -1;
    let at = 0;
    for (let index = 0; index < fixed.length; index += 1) {
      const part = fixed[index];
      if (part === undefined) return -1;
      const after = at + part.length;
      if (after > frame.length || part.compare(frame, at, after) !== 0) return -1;
      if (index === fixed.length - 1) return after === frame.length ? textEnd : -1;
      at = frame.indexOf(QUOTE, after);
      // An escaped quote would have the rest of the frame behind it twice.
      if (at === -1) return -1;
      if (index === 0) textEnd = at;
    }
    return -1;
  }

  /** Where the text begins. */
  get textStart(): number {
    return this.#fixed[0]?.length ?? 0;
  }
}
