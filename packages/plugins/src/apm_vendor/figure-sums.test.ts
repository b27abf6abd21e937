import { describe, expect, it } from 'vitest';
import { FigureSums, SERIES_BYTES_MAX, SUMS_MAX } from './figure-sums.ts';

interface Series {
  readonly metric: string;
  readonly tags: readonly string[];
  readonly points: readonly { readonly timestamp: number; readonly value: number }[];
}

function seriesOf(sums: FigureSums): readonly Series[] {
  return sums.take(['env:prod'], 1700).flatMap((body) => (JSON.parse(body) as { series: Series[] }).series);
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

  it('go out in bodies that the vendor takes, and none is lost, however long the tags', () => {
    const sums = new FigureSums();
    for (let at = 0; at < SUMS_MAX; at += 1) sums.add({ requests: 1 }, [`route:${at}`]);
    const tags = Array.from({ length: 60 }, (_, at) => `$&${at}:${'x'.repeat(60)}`);
    const bodies = sums.take(tags, 1700);
    expect(bodies.length).toBeGreaterThan(10);
    expect(Math.max(...bodies.map((body) => Buffer.byteLength(body)))).toBeLessThanOrEqual(SERIES_BYTES_MAX);
    const series = bodies.flatMap((body) => (JSON.parse(body) as { series: Series[] }).series);
    expect(new Set(series.map((one) => one.tags.at(-1))).size).toBe(SUMS_MAX);
    expect(series.every((one) => one.tags[0]?.startsWith('$&0:') === true)).toBe(true);
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
