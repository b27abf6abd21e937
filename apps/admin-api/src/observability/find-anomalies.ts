/** Minutes of a bucket; buckets begin at multiples of it. */
export const bucketMinutes = 5;
/** A bucket of fewer requests has no error rate and no latency; and no rate is unusual that neither is nor was higher. */
export const bucketRequestsMin = 50;
/** Fewer values tell nothing of what is usual. */
export const referenceMin = 12;
/** From here on a deviation is an anomaly, in robust standard deviations. */
export const scoreMin = 6;
/** Buckets before one that say what is usual now: three hours. */
export const recentBuckets = 36;
/** Days before whose same time says what is usual then, with the bucket before and after it. */
export const referenceDays = 7;

const bucketsPerDay = 1440 / bucketMinutes;
/** Makes the median absolute deviation of normal noise its standard deviation. */
const normalScale = 1.4826;

/** Traffic of five minutes. */
export interface TrafficBucket {
  readonly requests: number;
  readonly errors5xx: number;
  /** Microseconds; nothing without requests. */
  readonly p95Us: number | undefined;
  /** The quantile `leastShareOf`; the same as `p95Us` where it is not told. */
  readonly p95LeastUs?: number | undefined;
}

/**
 * The share of requests below a latency that so few requests would not have for their p95 by chance, were it really less. Where one request in
 * twenty or so is slow, chance alone decides whether the p95 is slow as well.
 */
export function leastShareOf(requests: number): number {
  return Math.max(0, 0.95 - scoreMin * Math.sqrt((0.95 * 0.05) / requests));
}

/** Buckets by number: whole minutes since 1970 divided by `bucketMinutes`. One that is not there had no requests. */
export type TrafficSeries = ReadonlyMap<number, TrafficBucket>;

/** What is looked at. */
export type AnomalyMetric = 'error_rate' | 'latency_p95_ms' | 'request_rate';

/** A time in which a metric was not as usual: neighbouring buckets are one. */
export interface Anomaly {
  readonly metric: AnomalyMetric;
  /** First bucket, and the bucket after the last. */
  readonly first: number;
  readonly end: number;
  /** Of the bucket with the highest score. */
  readonly observed: number;
  readonly expected: number;
  readonly score: number;
}

interface MetricRule {
  readonly metric: AnomalyMetric;
  /** The metric of a bucket, where it has one. */
  readonly valueOf: (bucket: TrafficBucket) => number | undefined;
  /** Whether less than usual counts as well. */
  readonly isTwoSided: boolean;
  /** Deviations that are nothing, as a part of what is expected and at least. */
  readonly relativeSpread: number;
  readonly leastSpread: number;
  /** Standard deviation that chance alone makes; infinite where it is not known but may be all. */
  readonly chance: (expected: number, bucket: TrafficBucket) => number;
}

const rules: readonly MetricRule[] = [
  {
    metric: 'error_rate',
    valueOf: ({ requests, errors5xx }) => (requests < bucketRequestsMin ? undefined : errors5xx / requests),
    isTwoSided: false,
    relativeSpread: 0.1,
    leastSpread: 0.002,
    chance(expected, { requests }) {
      const share = Math.min(0.5, Math.max(expected, 1 / requests));
      return Math.sqrt((share * (1 - share)) / requests);
    },
  },
  {
    metric: 'latency_p95_ms',
    valueOf: ({ requests, p95Us }) => (requests < bucketRequestsMin || p95Us === undefined ? undefined : p95Us / 1000),
    isTwoSided: false,
    relativeSpread: 0.1,
    leastSpread: 1,
    chance: (expected, { p95Us = 0, p95LeastUs = p95Us }) =>
      p95LeastUs / 1000 > expected ? 0 : Number.POSITIVE_INFINITY,
  },
  {
    metric: 'request_rate',
    valueOf: ({ requests }) => requests / bucketMinutes,
    isTwoSided: true,
    relativeSpread: 0.15,
    leastSpread: 1,
    chance: (expected) => Math.sqrt(Math.max(expected, 0) / bucketMinutes),
  },
];

const noTraffic: TrafficBucket = { requests: 0, errors5xx: 0, p95Us: undefined };

/**
 * Finds what was unusual in a series. Each bucket is compared with the three hours before it and with the same time of the seven days
 * before, each time with the median, and the deviation is divided by the median absolute deviation: outliers among what it is
 * compared with do not hide it. Where both comparisons can be made both must find it unusual, so that neither a usual rise in
 * the morning nor a new level that has lasted is an anomaly. A floor under the deviation, and what chance makes of few
 * requests, keep steady series quiet.
 * @param first first bucket that is judged; `end` the one after the last. All of them must be over
 */
export function findAnomalies(series: TrafficSeries, first: number, end: number): Anomaly[] {
  return rules.flatMap((rule) => anomaliesOf(rule, series, first, end));
}

interface Judged {
  readonly bucket: number;
  readonly observed: number;
  readonly expected: number;
  readonly score: number;
}

function anomaliesOf(rule: MetricRule, series: TrafficSeries, first: number, end: number): Anomaly[] {
  const found: Anomaly[] = [];
  for (let bucket = first; bucket < end; bucket += 1) {
    const judged = judge(rule, series, bucket);
    if (!judged || judged.score < scoreMin) continue;
    const { observed, expected, score } = judged;
    const last = found.at(-1);
    const goesOn = last?.end === bucket && Math.sign(last.observed - last.expected) === Math.sign(observed - expected);
    if (!last || !goesOn)
      found.push({ metric: rule.metric, first: bucket, end: bucket + 1, observed, expected, score });
    else
      found[found.length - 1] = { ...last, end: bucket + 1, ...(score > last.score && { observed, expected, score }) };
  }
  return found;
}

/** A bucket against what is usual; the milder judgement of the two. */
function judge(rule: MetricRule, series: TrafficSeries, bucket: number): Judged | undefined {
  const traffic = series.get(bucket) ?? noTraffic;
  const observed = rule.valueOf(traffic);
  if (observed === undefined) return undefined;
  const judgements = [recentOf(bucket), daysBefore(bucket)].flatMap((numbers): Judged[] => {
    const values = valuesOf(rule, series, numbers);
    if (values === undefined) return [];
    const expected = medianOf(values);
    const spread = medianOf(values.map((value) => Math.abs(value - expected))) * normalScale;
    const floor = Math.max(rule.leastSpread, rule.relativeSpread * Math.abs(expected));
    const deviation = rule.isTwoSided ? Math.abs(observed - expected) : observed - expected;
    const score = deviation / Math.max(spread, floor, rule.chance(expected, traffic));
    const isTiny = Math.max(observed, expected) * bucketMinutes < bucketRequestsMin;
    if (rule.metric === 'request_rate' && isTiny) return [{ bucket, observed, expected, score: 0 }];
    return [{ bucket, observed, expected, score: Math.max(0, score) }];
  });
  return judgements.toSorted((left, right) => left.score - right.score).at(0);
}

function recentOf(bucket: number): number[] {
  return Array.from({ length: recentBuckets }, (_, index) => bucket - 1 - index);
}

function daysBefore(bucket: number): number[] {
  return Array.from({ length: referenceDays }, (_, day) => bucket - (day + 1) * bucketsPerDay).flatMap((same) => [
    same - 1,
    same,
    same + 1,
  ]);
}

/** What is compared with; nothing where too little is known. Without a request there is a rate only beside buckets that had some. */
function valuesOf(rule: MetricRule, series: TrafficSeries, numbers: readonly number[]): number[] | undefined {
  const known = numbers.filter((number) => (series.get(number)?.requests ?? 0) > 0);
  if (known.length < referenceMin) return undefined;
  const values = numbers.flatMap((number) => rule.valueOf(series.get(number) ?? noTraffic) ?? []);
  return values.length < referenceMin ? undefined : values;
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
