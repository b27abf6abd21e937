/** Numbers of a version: what every ecosystem takes has three. */
const numbersMax = 3;
/** Digits of one number that are read, so that it fits into the smallest type that a tool keeps it in. */
const digitsMax = 9;

/**
 * The version of a library, made of the API's: three numbers, which npm, PyPI, Maven, NuGet, Composer and Go's tags take alike.
 * `v2` is `2.0.0`, `2024-01-15` is `2024.1.15`, and what has no number is `0.1.0`.
 */
export function packageVersionOf(apiVersion: string): string {
  const found = /\d+(?:[.\-_]\d+)*/.exec(apiVersion)?.[0].split(/[.\-_]/) ?? [];
  if (found.length === 0) return '0.1.0';
  const numbers = found.slice(0, numbersMax).map((digits) => Number(digits.slice(0, digitsMax)));
  return [...numbers, 0, 0].slice(0, numbersMax).join('.');
}
