/** A line of a configuration is not longer than this, in characters. */
export const lineLengthMax = 16 * 1024 * 1024;

/**
 * Cuts pieces of text into lines, without their breaks; empty ones are left out.
 * @throws RangeError for a line that is too long
 */
export function* readLines(pieces: Iterable<string>): Generator<string> {
  let rest = '';
  for (const piece of pieces) {
    let start = 0;
    for (let at = piece.indexOf('\n'); at !== -1; at = piece.indexOf('\n', start)) {
      const line = rest + piece.slice(start, at);
      [rest, start] = ['', at + 1];
      if (line !== '') yield line;
    }
    rest += piece.slice(start);
    if (rest.length > lineLengthMax) throw new RangeError('a line of the configuration is too long');
  }
  if (rest !== '') yield rest;
}
