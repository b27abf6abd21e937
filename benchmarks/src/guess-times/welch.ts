/**
 * Welch's t of two samples: how far apart their means are, in units of what chance makes of samples of this size and spread. With many
 * thousand values a size beyond 4.5 is no chance.
 */
export function welchT(one: readonly number[], other: readonly number[]): number {
  const [first, second] = [momentsOf(one), momentsOf(other)];
  const error = Math.sqrt(first.variance / one.length + second.variance / other.length);
  const difference = first.mean - second.mean;
  return difference === 0 ? 0 : difference / error;
}

/** Both samples without the values above a share of all: a collection or another process says nothing about a guess. */
export function withoutSlowest(
  one: readonly number[],
  other: readonly number[],
  share: number,
): readonly [readonly number[], readonly number[]] {
  const all = [...one, ...other].toSorted((left, right) => left - right);
  const limit = all[Math.floor((all.length - 1) * (1 - share))] ?? Number.POSITIVE_INFINITY;
  return [one.filter((value) => value <= limit), other.filter((value) => value <= limit)];
}

function momentsOf(sample: readonly number[]): { readonly mean: number; readonly variance: number } {
  const mean = sample.reduce((sum, value) => sum + value, 0) / sample.length;
  const squares = sample.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, variance: squares / (sample.length - 1) };
}
