import { samplerNames, type SamplerName } from '../tracing/sampler.ts';

/** Where one kind of telemetry is sent, over OTLP/HTTP in protobuf. */
export interface OtlpTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly isCompressed: boolean;
}

/** What OpenTelemetry's own environment variables say. */
export interface OtelSettings {
  /** Of its own variable, else of the resource's, else ours. Source: OpenTelemetry, General SDK configuration. */
  readonly serviceName: string;
  readonly resourceAttributes: Readonly<Record<string, string>>;
  readonly sampler: { readonly name: SamplerName; readonly ratio: number };
  /** `undefined`: no spans are recorded. */
  readonly traces: OtlpTarget | undefined;
  readonly metrics: OtlpTarget | undefined;
  /** Spans that wait to be sent, at most. */
  readonly spansMax: number;
  readonly metricIntervalMs: number;
}

/** Reads one variable; see `readSettings`. */
export interface VariableReader {
  readonly text: (name: string, fallback: string) => string;
  readonly whole: (name: string, fallback: number, least: number, most: number) => number;
  readonly mistakes: string[];
}

const serviceNameDefault = 'portcullis-gateway';
const spansMaxDefault = 2048;
const exportTimeoutMsDefault = 10_000;
const metricIntervalMsDefault = 60_000;

/**
 * Reads OpenTelemetry's variables. Telemetry is on where an endpoint is set: nobody's gateway begins to call a collector on its own.
 * Source: OpenTelemetry, Environment Variable Specification and OTLP Exporter Configuration.
 */
export function readOtelSettings(variables: VariableReader): OtelSettings {
  const { text, whole, mistakes } = variables;
  const isOff = text('OTEL_SDK_DISABLED', 'false').toLowerCase() === 'true';
  const endpoint = text('OTEL_EXPORTER_OTLP_ENDPOINT', '');
  const protocol = text('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/protobuf');
  const compression = choice('OTEL_EXPORTER_OTLP_COMPRESSION', text('OTEL_EXPORTER_OTLP_COMPRESSION', 'none'), [
    'none',
    'gzip',
  ]);
  const headers = pairsOf('OTEL_EXPORTER_OTLP_HEADERS', text('OTEL_EXPORTER_OTLP_HEADERS', ''));
  const timeoutMs = whole('OTEL_EXPORTER_OTLP_TIMEOUT', exportTimeoutMsDefault, 1, 600_000);
  function choice<Word extends string>(name: string, value: string, words: readonly Word[]): Word | undefined {
    const known = words.find((word) => word === value);
    if (known === undefined) mistakes.push(`${name} must be one of ${words.join(', ')}.`);
    return known;
  }
  function pairsOf(name: string, list: string): Record<string, string> {
    const pairs = readPairs(list);
    if (pairs === undefined) mistakes.push(`${name} must read name=value,name=value.`);
    return pairs ?? {};
  }
  function target(kind: 'TRACES' | 'METRICS'): OtlpTarget | undefined {
    const own = text(`OTEL_EXPORTER_OTLP_${kind}_ENDPOINT`, '');
    const exporter = choice(`OTEL_${kind}_EXPORTER`, text(`OTEL_${kind}_EXPORTER`, 'otlp'), ['otlp', 'none']);
    const url = own === '' ? below(endpoint, `v1/${kind.toLowerCase()}`) : own;
    if (isOff || exporter !== 'otlp' || url === '') return undefined;
    if (!isHttp(url))
      mistakes.push(`OTEL_EXPORTER_OTLP_${own === '' ? '' : `${kind}_`}ENDPOINT must be an http or https address.`);
    return { url, headers, timeoutMs, isCompressed: compression === 'gzip' };
  }
  const resourceAttributes = pairsOf('OTEL_RESOURCE_ATTRIBUTES', text('OTEL_RESOURCE_ATTRIBUTES', ''));
  const settings = {
    serviceName: text('OTEL_SERVICE_NAME', resourceAttributes['service.name'] ?? serviceNameDefault),
    resourceAttributes,
    sampler: {
      name:
        choice('OTEL_TRACES_SAMPLER', text('OTEL_TRACES_SAMPLER', 'parentbased_always_on'), samplerNames) ??
        'always_off',
      ratio: ratio(text('OTEL_TRACES_SAMPLER_ARG', '1'), mistakes),
    },
    traces: target('TRACES'),
    metrics: target('METRICS'),
    spansMax: whole('OTEL_BSP_MAX_QUEUE_SIZE', spansMaxDefault, 1, 1_000_000),
    metricIntervalMs: whole('OTEL_METRIC_EXPORT_INTERVAL', metricIntervalMsDefault, 100, 86_400_000),
  } as const;
  if ((settings.traces ?? settings.metrics) !== undefined && protocol !== 'http/protobuf') {
    mistakes.push('OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf: no other is spoken, and its usual port is 4318.');
  }
  return settings;
}

/** The signal's path goes below the endpoint's own. */
function below(endpoint: string, path: string): string {
  return endpoint === '' ? '' : `${endpoint.replace(/\/+$/, '')}/${path}`;
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function ratio(value: string, mistakes: string[]): number {
  const number = Number(value);
  if (value !== '' && number >= 0 && number <= 1) return number;
  mistakes.push('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.');
  return 0;
}

/** `name=value,name=value`, both percent-encoded where need be. Source: W3C Baggage, as the variables' specification asks. */
function readPairs(list: string): Record<string, string> | undefined {
  const pairs = Object.create(null) as Record<string, string>;
  for (const item of list.split(',').filter((one) => one.trim() !== '')) {
    const mark = item.indexOf('=');
    const name = decoded(item.slice(0, Math.max(mark, 0)).trim());
    const value = decoded(item.slice(mark + 1).trim());
    if (mark < 1 || name === undefined || name === '' || value === undefined || /[\0\r\n]/.test(value))
      return undefined;
    pairs[name] = value;
  }
  return pairs;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
