const QUOTE = 34;
const BACKSLASH = 92;

/**
 * Follows an object's JSON as it comes, to know when it is whole. Keeps a few numbers, no text. What is no JSON is never whole, or is so too
 * early: that is only ever taken for a sign that another call may begin.
 */
export class JsonEnd {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isWhole = false;

  get isWhole(): boolean {
    return this.#isWhole;
  }

  push(text: string): void {
    for (let at = 0; at < text.length && !this.#isWhole; at += 1) this.#take(text.charCodeAt(at));
  }

  #take(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#isInString) {
      if (code === BACKSLASH) this.#isEscaped = true;
      else if (code === QUOTE) this.#isInString = false;
    } else if (code === QUOTE) this.#isInString = true;
    // { and [, then } and ]
    else if (code === 123 || code === 91) this.#depth += 1;
    else if (code === 125 || code === 93) {
      this.#depth -= 1;
      this.#isWhole = this.#depth <= 0;
    }
  }
}
