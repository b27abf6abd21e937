import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aiMetricFamilies } from '../status/ai-samples.ts';
import { AiMetrics, aiSeriesMax } from './ai-metrics.ts';

const request = {
  operation: 'chat',
  stream: true,
  requested_model: 'a-name-for-smart',
  model_route: 'smart',
  provider: 'second',
  model: 'm-2',
  response_model: 'm-2',
  policy: 'free',
  outcome: 'success',
  error_class: null,
  fallback: true,
  attempts: [
    { index: 0, provider: 'first', model: 'm-1', outcome: 'provider_error', error_class: 'overloaded_error' },
    { index: 1, provider: 'second', model: 'm-2', outcome: 'success', error_class: null },
  ],
  cache: 'bypass',
  usage: { input_tokens: 100, output_tokens: 7, cached_input_tokens: 60, estimated: false },
  cost: 0.1,
  ttft_ms: 250,
  provider_ms: 900,
  gateway_ms: 1.5,
};

/** All samples of a metric, as `labels value`. */
function samplesOf(metrics: AiMetrics, name: string): string[] {
  const family = aiMetricFamilies(metrics).find((one) => one.name === name);
  return (family?.samples() ?? []).map(({ labels, value, metricName }) => {
    const text = Object.entries(labels).map(([label, of]) => `${label}=${of}`);
    return `${metricName} ${text.join(' ')} ${value}`.replaceAll('  ', ' ');
  });
}

describe('metrics of AI requests', () => {
  it('count requests, tokens, attempts, fallbacks and what the cache did', () => {
    const metrics = new AiMetrics();
    metrics.add(request, 1_200_000);
    metrics.add({ ...request, fallback: false, attempts: request.attempts.slice(1) }, 1_200_000);
    expect(samplesOf(metrics, 'gateway_ai_requests_total')).toEqual([
      'gateway_ai_requests_total provider=second model=m-2 operation=chat outcome=success 2',
    ]);
    expect(samplesOf(metrics, 'gateway_ai_tokens_total')).toEqual([
      'gateway_ai_tokens_total provider=second model=m-2 type=input 200',
      'gateway_ai_tokens_total provider=second model=m-2 type=output 14',
      'gateway_ai_tokens_total provider=second model=m-2 type=cached_input 120',
    ]);
    expect(samplesOf(metrics, 'gateway_ai_attempts_total')).toEqual([
      'gateway_ai_attempts_total provider=first model=m-1 class=overloaded_error 1',
      'gateway_ai_attempts_total provider=second model=m-2 class=success 2',
    ]);
    expect(samplesOf(metrics, 'gateway_ai_fallback_total')).toEqual(['gateway_ai_fallback_total 1']);
    expect(samplesOf(metrics, 'gateway_ai_cache_total')).toEqual(['gateway_ai_cache_total result=bypass 2']);
    expect(samplesOf(metrics, 'gateway_ai_overhead_seconds')).toContain('gateway_ai_overhead_seconds_sum 0.003');
  });

  it('have those of OpenTelemetry, with its words', () => {
    const metrics = new AiMetrics();
    metrics.add({ ...request, operation: 'messages' }, 1_200_000);
    metrics.add({ ...request, outcome: 'provider_error', error_class: 'overloaded_error', usage: null }, 10_000);
    const of = (model: string, more: string): string =>
      `gen_ai_operation_name=chat gen_ai_provider_name=second gen_ai_request_model=smart gen_ai_response_model=${model} ${more}`;
    const tokens = samplesOf(metrics, 'gen_ai_client_token_usage');
    expect(tokens.filter((line) => line.includes('_sum'))).toEqual([
      `gen_ai_client_token_usage_sum ${of('m-2', 'gen_ai_token_type=input')} 100`,
      `gen_ai_client_token_usage_sum ${of('m-2', 'gen_ai_token_type=output')} 7`,
    ]);
    expect(tokens).toContain(`gen_ai_client_token_usage_bucket ${of('m-2', 'gen_ai_token_type=input')} le=67108864 1`);
    const durations = samplesOf(metrics, 'gen_ai_client_operation_duration_seconds');
    expect(durations).toContain(
      `gen_ai_client_operation_duration_seconds_bucket ${of('m-2', 'error_type=')} le=1.28 1`,
    );
    expect(durations).toContain(
      `gen_ai_client_operation_duration_seconds_bucket ${of('m-2', 'error_type=overloaded_error')} le=0.01 1`,
    );
    expect(samplesOf(metrics, 'gen_ai_server_time_to_first_token_seconds')).toContain(
      `gen_ai_server_time_to_first_token_seconds_sum ${of('m-2', 'error_type=')} 0.25`,
    );
  });

  it('keep what clients name out where no provider was asked, and their number bounded where one was', () => {
    const metrics = new AiMetrics();
    metrics.add({ ...request, provider: null, model: null, requested_model: 'mine', outcome: 'refused' }, 1000);
    expect(samplesOf(metrics, 'gen_ai_client_operation_duration_seconds')).toEqual([]);
    for (let at = 0; at < 2 * aiSeriesMax.counters; at += 1) {
      const model = `m-${at}`;
      metrics.add(
        { ...request, requested_model: `mine-${at}`, model_route: undefined, model, response_model: '' },
        1000,
      );
    }
    const requests = samplesOf(metrics, 'gateway_ai_requests_total');
    expect(requests).toHaveLength(aiSeriesMax.counters + 1);
    expect(requests.at(-1)).toBe(
      `gateway_ai_requests_total provider= model= operation= outcome= overflow=true ${aiSeriesMax.counters + 1}`,
    );
    const counts = samplesOf(metrics, 'gen_ai_client_operation_duration_seconds').filter((line) =>
      line.includes('_count'),
    );
    expect(counts).toHaveLength(aiSeriesMax.histograms + 1);
    expect(counts.at(-1)).toContain(`overflow=true ${2 * aiSeriesMax.counters - aiSeriesMax.histograms}`);
  });

  it('have one series for whatever clients pass through, and no names that only a provider knows', () => {
    const metrics = new AiMetrics();
    for (let at = 0; at < 10; at += 1) {
      const names = { requested_model: `mine-${at}`, model: `mine-${at}`, response_model: `mine-${at}` };
      const attempts = [{ provider: 'second', model: `mine-${at}`, outcome: 'success' }];
      metrics.add({ ...request, ...names, model_route: null, attempts }, 1000);
      metrics.add(
        { ...request, requested_model: `gpt-${at}`, model_route: 'gpt-*', response_model: `m-2-${at}` },
        1000,
      );
    }
    expect(samplesOf(metrics, 'gateway_ai_requests_total')).toEqual([
      'gateway_ai_requests_total provider=second model=passed_through operation=chat outcome=success 10',
      'gateway_ai_requests_total provider=second model=m-2 operation=chat outcome=success 10',
    ]);
    expect(samplesOf(metrics, 'gateway_ai_attempts_total').some((line) => line.includes('mine-'))).toBe(false);
    const counts = samplesOf(metrics, 'gen_ai_client_operation_duration_seconds').filter((line) =>
      line.includes('_count'),
    );
    const of = (model: string): string =>
      `gen_ai_client_operation_duration_seconds_count gen_ai_operation_name=chat gen_ai_provider_name=second gen_ai_request_model=${model} gen_ai_response_model= error_type= 10`;
    expect(counts).toEqual([of('passed_through'), of('gpt-*')]);
  });

  it('are hurt by nothing that a plugin says', () => {
    const metrics = new AiMetrics();
    const hostile = { operation: 'chat', provider: 'p', get usage(): never { throw new Error('canary'); } }; // prettier-ignore
    metrics.add(hostile, 1);
    metrics.add({ model: 'm', tokens: 7 }, 1);
    expect(samplesOf(metrics, 'gateway_ai_requests_total')).toEqual([]);
    const field = fc.constantFrom(...Object.keys(request));
    fc.assert(
      fc.property(fc.array(fc.tuple(field, fc.anything())), fc.double(), (said, durationUs) => {
        metrics.add({ ...request, ...Object.fromEntries(said) }, durationUs);
        for (const { samples } of aiMetricFamilies(metrics)) {
          for (const { labels } of samples())
            expect(Object.values(labels).every((of) => `${of}`.length <= 128)).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });
});
