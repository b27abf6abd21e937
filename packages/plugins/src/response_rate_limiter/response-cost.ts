import { COST_MAX } from '../shared/limits/limit-fields.ts';

/**
 * The units that a response names: one line with a number in decimal digits. Parts of a unit are rounded up, so that many small
 * responses are not free; more than {@link COST_MAX} is that much. `undefined` for anything else: a sign, an exponent, a word,
 * a list, several lines. An upstream that says nonsense neither fills a client's limit nor lifts it.
 * @param lines every line of the header
 */
export function costOf(lines: readonly string[]): number | undefined {
  const [line] = lines;
  if (line === undefined || lines.length > 1) return undefined;
  const text = line.trim();
  return /^[0-9]+(?:\.[0-9]+)?$/.test(text) ? Math.min(Math.ceil(Number(text)), COST_MAX) : undefined;
}
