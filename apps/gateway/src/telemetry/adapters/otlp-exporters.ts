import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { MetricList } from '../../status/metrics.ts';
import type { FinishedSpan } from '../finished-span.ts';
import type { OtlpTarget } from '../otel-settings.ts';
import { metricData } from './metric-data.ts';
import { hrTimeOf, readableSpan } from './readable-spans.ts';

/** Who sends. */
export interface TelemetrySource {
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly version: string;
  /** When counting began, in milliseconds since 1970. */
  readonly startedMs: number;
}

/** A connection to a collector for one kind of telemetry. */
export interface Exporting<Item> {
  /** @returns whether it was taken. Never rejects */
  send(item: Item): Promise<boolean>;
  close(): Promise<void>;
}

const scopeName = '@portcullis/gateway';

/** Sends spans to a collector. */
export function spanExporter(target: OtlpTarget, source: TelemetrySource): Exporting<readonly FinishedSpan[]> {
  const exporter = new OTLPTraceExporter(configOf(target));
  const resource = resourceFromAttributes({ ...source.attributes });
  const scope = { name: scopeName, version: source.version };
  return {
    send: (spans) =>
      taken((told) =>
        exporter.export(
          spans.map((span) => readableSpan(span, resource, scope)),
          told,
        ),
      ),
    close: () => exporter.shutdown(),
  };
}

/** Sends metrics to a collector. */
export function metricExporter(
  target: OtlpTarget,
  source: TelemetrySource,
  nowMs: () => number,
): Exporting<MetricList> {
  const exporter = new OTLPMetricExporter(configOf(target));
  const resource = resourceFromAttributes({ ...source.attributes });
  const startTime = hrTimeOf(source.startedMs);
  return {
    send: (list) => {
      const metrics = metricData(list, { startTime, endTime: hrTimeOf(nowMs()) });
      const scopeMetrics = [{ scope: { name: scopeName, version: source.version }, metrics }];
      return taken((told) => exporter.export({ resource, scopeMetrics }, told));
    },
    close: () => exporter.shutdown(),
  };
}

type TraceConfig = ConstructorParameters<typeof OTLPTraceExporter>[0];

function configOf({ url, headers, timeoutMs, isCompressed }: OtlpTarget): TraceConfig {
  return {
    url,
    headers: { ...headers },
    timeoutMillis: timeoutMs,
    // The exporters' enumeration is one of words, which their package does not give out.
    compression: (isCompressed ? 'gzip' : 'none') as never,
  };
}

/** An exporter's answer: `code` 0 is success. What it throws is no reason for anybody to fall. */
function taken(send: (told: (result: { readonly code: number }) => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    try {
      send(({ code }) => resolve(code === 0));
    } catch {
      resolve(false);
    }
  });
}
