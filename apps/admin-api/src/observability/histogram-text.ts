/** Digits of numbers in base 32; in the second half, of those that a further digit follows. */
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const base = 32;

/** In `digitOf` of characters that are no digits. */
const noDigit = 255;

/** Character code → digit. */
const digitOf: Uint8Array = new Uint8Array(128).fill(noDigit);
for (let digit = 0; digit < digits.length; digit += 1) digitOf[digits.charCodeAt(digit)] = digit;

/**
 * A sparse histogram as stored text: for each bin that has a count how far it lies beyond the one before, and the count, both
 * as numbers of base 32, lowest digit first. A usual minute takes a fifth of the room that JSON needs, and a tenth of the time.
 * @param counts by bin
 * @param end the bin after the last one that has a count
 */
export function histogramText(counts: Float64Array, end: number = counts.length): string {
  let text = '';
  let last = 0;
  for (let bin = 0; bin < end; bin += 1) {
    const count = counts[bin] ?? 0;
    if (count === 0) continue;
    text += numberText(bin - last) + numberText(count);
    last = bin;
  }
  return text;
}

function numberText(value: number): string {
  if (value < base) return digits[value] ?? '';
  let text = '';
  let left = value;
  while (left >= base) {
    text += digits[(left % base) + base] ?? '';
    left = Math.floor(left / base);
  }
  return text + (digits[left] ?? '');
}

/**
 * Reads a stored histogram: the form of `histogramText`, or `[[bin, count], …]`, in which earlier releases wrote.
 * @throws SyntaxError for a text that is neither
 */
export function readHistogram(text: string, visit: (bin: number, count: number) => void): void {
  if (text.startsWith('[')) {
    for (const [bin, count] of JSON.parse(text) as [number, number][]) visit(bin, count);
    return;
  }
  // A summary reads a million of these numbers, most of one digit: that case goes without a call.
  let bin = 0;
  let at = 0;
  while (at < text.length) {
    let distance = digitOf[text.charCodeAt(at)] ?? noDigit;
    at += 1;
    if (distance >= base) {
      const end = endOfNumber(text, at - 1);
      distance = numberIn(text, at - 1, end);
      at = end;
    }
    bin += distance;
    let count = digitOf[text.charCodeAt(at)] ?? noDigit;
    at += 1;
    if (count >= base) {
      const end = endOfNumber(text, at - 1);
      count = numberIn(text, at - 1, end);
      at = end;
    }
    visit(bin, count);
  }
}

/** @returns the place after the last digit of the number that begins at `start` */
function endOfNumber(text: string, start: number): number {
  for (let at = start; ; at += 1) {
    const digit = digitOf[text.charCodeAt(at)] ?? noDigit;
    if (digit === noDigit) throw new SyntaxError('a stored histogram is not in its form');
    if (digit < base) return at + 1;
  }
}

function numberIn(text: string, start: number, end: number): number {
  let value = 0;
  for (let at = end - 1; at >= start; at -= 1) value = value * base + ((digitOf[text.charCodeAt(at)] ?? 0) % base);
  return value;
}
