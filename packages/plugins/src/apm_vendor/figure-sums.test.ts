import { describe, expect, it } from 'vitest';
import { FigureSums, SUMS_MAX } from './figure-sums.ts';

interface Series {
  readonly metric: string;
  readonly tags: readonly string[];
  readonly points: readonly { readonly timestamp: number; readonly value: number }[];
}

function seriesOf(sums: FigureSums): readonly Series[] {
  return (JSON.parse(sums.take(['env:prod'], 1700)) as { series: Series[] }).series;
}

describe('sums of figures', () => {
  it('are one for each name and set of tags, and begin anew when they are taken', () => {
    const sums = new FigureSums();
    sums.add({ requests: 1, bytes: 5 }, ['route:a']);
    sums.add({ requests: 1, bytes: 7 }, ['route:a']);
    sums.add({ requests: 1 }, ['route:b']);
    expect(seriesOf(sums)).toEqual([
      { metric: 'requests', type: 1, points: [{ timestamp: 1700, value: 2 }], tags: ['env:prod', 'route:a'] },
      { metric: 'bytes', type: 1, points: [{ timestamp: 1700, value: 12 }], tags: ['env:prod', 'route:a'] },
      { metric: 'requests', type: 1, points: [{ timestamp: 1700, value: 1 }], tags: ['env:prod', 'route:b'] },
    ]);
    expect(sums.isEmpty).toBe(true);
  });

  it('are bounded in number, and nothing is lost above the bound', () => {
    const sums = new FigureSums();
    const requests = SUMS_MAX * 2;
    for (let at = 0; at < requests; at += 1) sums.add({ requests: 1, errors: 0 }, [`route:${at}`]);
    const series = seriesOf(sums);
    expect(series.length).toBeLessThanOrEqual(SUMS_MAX + 2);
    const counted = series.filter(({ metric }) => metric === 'requests');
    expect(counted.reduce((sum, { points }) => sum + (points[0]?.value ?? 0), 0)).toBe(requests);
    expect(counted.at(-1)?.tags).toEqual(['env:prod', 'overflow:true']);
  });
});
