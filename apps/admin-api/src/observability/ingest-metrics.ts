import type { ObservationBatch } from '@portcullis/resources';
import { Counter, type Registry } from 'prom-client';
import type { WrittenPart } from './write-observations.ts';

/** Takes down what the ingest did. */
export interface IngestMetrics {
  /** @param counted the parts of the batch that were counted now; none of a batch that was sent again */
  written(batch: ObservationBatch, counted: readonly WrittenPart[]): void;
}

/** Metrics of the ingest. No label names a tenant: their number is not bounded. Source: wire contract, Metrics. */
export function createIngestMetrics(registry: Registry): IngestMetrics {
  const counterOf = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name: `portcullis_${name}`, help, labelNames: [...labelNames], registers: [registry] });
  const batches = counterOf('observation_batches_total', 'Batches of observations that data planes sent', ['outcome']);
  const requests = counterOf('observed_requests_total', 'Requests in counters that were counted', []);
  const records = counterOf('observation_records_total', 'Raw records of requests that were stored', []);
  const dropped = counterOf(
    'observations_dropped_total',
    'What was not counted (late, future: requests in counters) or not stored (records)',
    ['reason'],
  );
  // A rate over a counter that is not there yet is no rate: each begins at 0.
  for (const outcome of ['counted', 'repeated']) batches.labels(outcome).inc(0);
  for (const reason of ['late', 'future', 'records']) dropped.labels(reason).inc(0);
  return {
    written(batch, counted) {
      batches.labels(counted.length > 0 ? 'counted' : 'repeated').inc();
      if (counted.length > 0) dropped.labels('records').inc(batch.dropped_records);
      for (const { timely } of counted) {
        requests.inc(timely.counters.reduce((sum, counter) => sum + counter.requests, 0));
        records.inc(timely.records.length);
        dropped.labels('late').inc(timely.dropped.late);
        dropped.labels('future').inc(timely.dropped.future);
        dropped.labels('records').inc(timely.dropped.records);
      }
    },
  };
}
