import { negotiateMetrics, toOpenMetrics } from '@portcullis/open-metrics';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { AddressList } from '../http/address-list.ts';
import { type UnavailableCause, unavailableCauses } from '../http/failure-report.ts';
import type { RequestSummary } from '../http/http-app.ts';
import type { Operation } from '../http/operation.ts';
import { Problem } from '../http/problem.ts';

/** What the service counts about itself. Series are bounded: labels are operation IDs, classes of statuses and causes. */
export interface ServiceMetrics {
  readonly registry: Registry;
  observe(summary: RequestSummary): void;
  /** Counts a 503. */
  countUnavailable(cause: UnavailableCause): void;
}

/** Seconds; most answers take a few milliseconds, logins and imports up to seconds. */
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Metrics in a registry of their own, with those of the process. Source: wire contract, Metrics. */
export function createServiceMetrics(): ServiceMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'portcullis_http_requests_total',
    help: 'Answered requests of the administration API',
    labelNames: ['operation', 'status_class'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'portcullis_http_request_duration_seconds',
    help: 'Time from the head of a request to the head of its answer',
    labelNames: ['operation'],
    buckets: durationBuckets,
    registers: [registry],
  });
  const unavailable = new Counter({
    name: 'portcullis_http_unavailable_total',
    help: 'Requests that were answered 503, by what was not available',
    labelNames: ['cause'],
    registers: [registry],
  });
  // A rate over a counter that is not there yet is no rate: each cause begins at 0.
  for (const cause of unavailableCauses) unavailable.labels(cause).inc(0);
  return {
    registry,
    countUnavailable: (cause) => unavailable.labels(cause).inc(),
    observe({ operationId, status, durationMs }) {
      requests.labels(operationId, `${Math.floor(status / 100)}xx`).inc();
      durations.labels(operationId).observe(durationMs / 1000);
    },
  };
}

/**
 * `/metrics` in the Prometheus text format, or as OpenMetrics for who asks for that; without a bearer token.
 * @param allowed who may read it; everyone when not given. Source: decisions, 18
 */
export function metricsOperation(metrics: ServiceMetrics, allowed: AddressList | undefined): Operation {
  return {
    id: 'getMetrics',
    tag: 'Operations',
    access: 'public',
    method: 'GET',
    paths: ['/metrics'],
    summary: 'Metrics in the Prometheus text format, or as OpenMetrics where `Accept` names it',
    responses: [
      { status: 200, description: 'The metrics', mediaType: 'text/plain' },
      { status: 200, description: 'The metrics', mediaType: 'application/openmetrics-text' },
      { status: 403, description: 'This address may not read metrics' },
    ],
    async handler({ request }) {
      if (allowed && !allowed.has(request.sourceIp))
        throw new Problem('forbidden', 'This address may not read metrics');
      const format = negotiateMetrics(request.header('accept'));
      const text = await metrics.registry.metrics();
      return {
        status: 200,
        headers: { 'content-type': format.contentType, vary: 'Accept' },
        stream: format.name === 'open_metrics' ? toOpenMetrics(text) : text,
      };
    },
  };
}
