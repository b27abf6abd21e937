import type { UpstreamFigures } from './balancing.ts';

/** One sample of a metric about upstreams. Labels carry IDs only. */
export interface UpstreamSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Upstreams with series of their own; the others share one. */
export const upstreamSeriesMax = 1000;

/** Samples of `gateway_upstream_requests_in_flight`. */
export function inFlightSamples(figures: Iterable<UpstreamFigures>): readonly UpstreamSample[] {
  return bounded(figures).map(({ labels, inFlight }) => ({ labels, value: inFlight }));
}

/** Samples of `gateway_upstream_retries_total`: what was sent, and what was refused for want of budget. */
export function retrySamples(figures: Iterable<UpstreamFigures>): readonly UpstreamSample[] {
  return bounded(figures).flatMap(({ labels, retriesSent, retriesRefused }) => [
    { labels: { ...labels, outcome: 'sent' }, value: retriesSent },
    { labels: { ...labels, outcome: 'refused' }, value: retriesRefused },
  ]);
}

interface Labelled extends Omit<UpstreamFigures, 'key'> {
  readonly labels: Readonly<Record<string, string>>;
}

function bounded(figures: Iterable<UpstreamFigures>): Labelled[] {
  const own: Labelled[] = [];
  const rest = { inFlight: 0, retriesSent: 0, retriesRefused: 0 };
  let isOver = false;
  for (const { key, ...figure } of figures) {
    if (own.length < upstreamSeriesMax) {
      const space = key.indexOf(' ');
      own.push({ labels: { [key.slice(0, space)]: key.slice(space + 1) }, ...figure });
      continue;
    }
    isOver = true;
    rest.inFlight += figure.inFlight;
    rest.retriesSent += figure.retriesSent;
    rest.retriesRefused += figure.retriesRefused;
  }
  return isOver ? [...own, { labels: { overflow: 'true' }, ...rest }] : own;
}
