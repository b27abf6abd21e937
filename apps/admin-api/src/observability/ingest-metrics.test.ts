import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { createIngestMetrics } from './ingest-metrics.ts';
import { createObservationIngest } from './observation-ingest.ts';
import { batch, counter, minute, nodeOf, nowMs, record } from './observations.test-support.ts';

describeOnEachDatabase('metrics of the ingest', (context) => {
  it('begin at 0 and count each batch, request and record once, and what was dropped by its reason', async () => {
    const registry = new Registry();
    const metrics = createIngestMetrics(registry);
    const lines = async (): Promise<string[]> =>
      (await registry.metrics()).split('\n').filter((line) => line.startsWith('portcullis_'));
    expect(await lines()).toEqual([
      'portcullis_observation_batches_total{outcome="counted"} 0',
      'portcullis_observation_batches_total{outcome="repeated"} 0',
      'portcullis_observed_requests_total 0',
      'portcullis_observation_records_total 0',
      'portcullis_observations_dropped_total{reason="late"} 0',
      'portcullis_observations_dropped_total{reason="future"} 0',
      'portcullis_observations_dropped_total{reason="records"} 0',
    ]);
    const ingest = createObservationIngest(context.database(), () => nowMs, undefined, metrics);
    const sent = batch(1, {
      dropped_records: 4,
      counters: [counter, { ...counter, minute: minute + 9 }, { ...counter, minute: 5 }],
      records: [record('a'), record('b'), record('c', { occurred_at_ms: 0 })],
    });
    for (let time = 0; time < 3; time += 1) await ingest(nodeOf('metrics'), sent);
    expect(await lines()).toEqual([
      'portcullis_observation_batches_total{outcome="counted"} 1',
      'portcullis_observation_batches_total{outcome="repeated"} 2',
      'portcullis_observed_requests_total 3',
      'portcullis_observation_records_total 2',
      'portcullis_observations_dropped_total{reason="late"} 3',
      'portcullis_observations_dropped_total{reason="future"} 3',
      'portcullis_observations_dropped_total{reason="records"} 5',
    ]);
  });

  it('count a batch once that comes twice at the same moment', async () => {
    const registry = new Registry();
    const ingest = createObservationIngest(context.database(), () => nowMs, undefined, createIngestMetrics(registry));
    // While the first is written the others wait, and are written together.
    await Promise.all([1, 2, 2].map((sequence) => ingest(nodeOf('at-once'), batch(sequence))));
    const text = await registry.metrics();
    expect(text).toContain('portcullis_observation_batches_total{outcome="counted"} 2');
    expect(text).toContain('portcullis_observed_requests_total 6');
  });
});
