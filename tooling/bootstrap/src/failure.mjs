/**
 * Something the reader of the terminal can act on: its message is one sentence that says what is wrong and what to do.
 * It is printed without a stack.
 */
export class Failure extends Error {
  /**
   * @override
   * @type {string}
   */
  name = 'Failure';
  /** A stable code for programs that look at it. */
  code = 'bootstrap_failure';
}

/**
 * What an error says, in one line, for any thrown value.
 * @param {unknown} error
 * @returns {string}
 */
export function messageOf(error) {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\s*\n\s*/g, ' ').trim();
}
