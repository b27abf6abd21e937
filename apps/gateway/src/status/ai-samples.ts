import type { AiMetrics, Count } from '../observations/ai-metrics.ts';
import type { Histogram } from '../observations/histogram.ts';
import type { SeriesTable, TableEntry } from '../observations/series-table.ts';
import { histogramSamples, type Sample } from './metric-samples.ts';

/** A metric of AI requests. */
export interface AiMetricFamily {
  readonly name: string;
  readonly type: 'counter' | 'histogram';
  readonly help: string;
  readonly samples: () => readonly Sample[];
}

const client = ['gen_ai_operation_name', 'gen_ai_provider_name', 'gen_ai_request_model', 'gen_ai_response_model'];

/** The metrics of AI requests: the gateway's own, and OpenTelemetry's in Prometheus' spelling. Source: ai, Metrics. */
export function aiMetricFamilies(ai: AiMetrics): readonly AiMetricFamily[] {
  const fallbacks = 'gateway_ai_fallback_total';
  const overhead = 'gateway_ai_overhead_seconds';
  return [
    counter('gateway_ai_requests_total', 'AI requests', ai.requests, ['provider', 'model', 'operation', 'outcome']),
    counter('gateway_ai_tokens_total', 'Tokens that were charged', ai.tokens, ['provider', 'model', 'type']),
    counter('gateway_ai_attempts_total', 'Attempts at providers', ai.attempts, ['provider', 'model', 'class']),
    {
      name: fallbacks,
      type: 'counter',
      help: 'AI requests for which more than one provider or model was asked',
      samples: () => [{ labels: {}, value: ai.fallbacks, metricName: fallbacks }],
    },
    counter('gateway_ai_cache_total', 'AI requests by what the cache did', ai.cache, ['result']),
    {
      name: overhead,
      type: 'histogram',
      help: "The gateway's own time in AI requests",
      samples: () => histogramSamples(overhead, {}, ai.overheadSeconds),
    },
    histogram('gen_ai_client_token_usage', 'Tokens of one operation', ai.tokenUsage, [...client, 'gen_ai_token_type']),
    histogram('gen_ai_client_operation_duration_seconds', 'Operations', ai.operationSeconds, [...client, 'error_type']),
    histogram('gen_ai_server_time_to_first_token_seconds', 'To the first event', ai.firstTokenSeconds, [
      ...client,
      'error_type',
    ]),
  ];
}

function counter(name: string, help: string, table: SeriesTable<Count>, labels: readonly string[]): AiMetricFamily {
  const samples = (): Sample[] =>
    table.entries().map((entry) => ({
      labels: labelled(labels, entry),
      value: entry.value.value,
      metricName: name,
    }));
  return { name, type: 'counter', help, samples };
}

function histogram(
  name: string,
  help: string,
  table: SeriesTable<Histogram>,
  labels: readonly string[],
): AiMetricFamily {
  const samples = (): Sample[] =>
    table.entries().flatMap((entry) => histogramSamples(name, labelled(labels, entry), entry.value));
  return { name, type: 'histogram', help, samples };
}

function labelled(names: readonly string[], { labels, isOverflow }: TableEntry<unknown>): Record<string, string> {
  const pairs = names.map((name, at) => [name, labels[at] ?? ''] as const);
  return Object.fromEntries(isOverflow ? [...pairs, ['overflow', 'true']] : pairs);
}
