const million = 1_000_000;

/**
 * By how much a figure grows over a million requests: the slope of the line that fits best (least squares).
 * @param points requests so far, and the figure
 * @returns 0 for fewer than two different points
 */
export function growthOf(points: readonly (readonly [requests: number, value: number])[]): number {
  const mean = (at: 0 | 1): number => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  if (!(spread > 0)) return 0;
  return (points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread) * million;
}
