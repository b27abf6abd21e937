/** A sum on its way. */
interface Sum {
  readonly metric: string;
  readonly tags: readonly string[];
  value: number;
}

/** Most sums that are kept apart between two sends; what would be more is summed up under {@link OVERFLOW}. */
export const SUMS_MAX = 2000;

/** Longest body that is made, in bytes: the vendor takes 512,000. Source: Datadog, Submit metrics v2. */
export const SERIES_BYTES_MAX = 500_000;

const OVERFLOW: readonly string[] = ['overflow:true'];

/** The vendor's kind of a series whose points are counts. Source: Datadog, Submit metrics v2. */
const COUNT = 1;

/** Sums of figures by name and tags, until they are taken. What it holds does not grow with the number of requests. */
export class FigureSums {
  #sums = new Map<string, Sum>();

  get isEmpty(): boolean {
    return this.#sums.size === 0;
  }

  /** @param tags in one order for all: they tell sums apart */
  add(figures: Readonly<Record<string, number>>, tags: readonly string[]): void {
    const key = tags.join(',');
    for (const metric of Object.keys(figures)) {
      const value = figures[metric] ?? 0;
      this.#sumOf(metric, tags, key).value += value;
    }
  }

  /**
   * Takes the sums as the vendor's series, and begins anew.
   * @param tags of every series
   * @returns bodies of at most {@link SERIES_BYTES_MAX}, unless one series is longer
   */
  take(tags: readonly string[], epochSeconds: number): readonly string[] {
    const sums = this.#sums;
    this.#sums = new Map();
    const series = Array.from(sums.values(), (sum) =>
      JSON.stringify({
        metric: sum.metric,
        type: COUNT,
        points: [{ timestamp: epochSeconds, value: sum.value }],
        tags: [...tags, ...sum.tags],
      }),
    );
    return bodiesOf(series);
  }

  #sumOf(metric: string, tags: readonly string[], key: string): Sum {
    const known = this.#sums.get(`${metric},${key}`);
    if (known !== undefined) return known;
    if (this.#sums.size >= SUMS_MAX && tags !== OVERFLOW) return this.#sumOf(metric, OVERFLOW, OVERFLOW.join(','));
    const sum = { metric, tags, value: 0 };
    this.#sums.set(`${metric},${key}`, sum);
    return sum;
  }
}

function bodiesOf(series: readonly string[]): readonly string[] {
  const groups: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const one of series) {
    // A comma each, and room for what stands around all.
    const added = Buffer.byteLength(one) + 1;
    if (bytes + added > SERIES_BYTES_MAX) {
      groups.push([]);
      bytes = FRAME.length;
    }
    groups.at(-1)?.push(one);
    bytes += added;
  }
  return groups.map((group) => FRAME.replace('[]', () => `[${group.join(',')}]`));
}

const FRAME = '{"series":[]}';
