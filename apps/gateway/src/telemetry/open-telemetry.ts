import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { System } from '../adapters/system.ts';
import type { MetricList } from '../status/metrics.ts';
import type { Exporting, TelemetrySource } from './adapters/otlp-exporters.ts';
import type { SpanSink } from './finished-span.ts';
import type { OtelSettings } from './otel-settings.ts';
import { SpanQueue, type SpanFigures } from './span-queue.ts';

/** Telemetry of a process on its way to a collector. */
export interface Telemetry {
  /** `undefined`: no spans are recorded. */
  readonly spans: SpanSink | undefined;
  /** What became of spans; `undefined` where none are recorded. */
  figures(): SpanFigures | undefined;
  /** Begins to send metrics, where they are wanted. */
  start(list: () => Promise<MetricList>): void;
  /** Sends what there is, for so many milliseconds at most. Never rejects. */
  stop(timeoutMs: number): Promise<void>;
}

type Ports = Pick<System, 'monotonicMs' | 'nowMs' | 'setTimer'>;

const none: Telemetry = {
  spans: undefined,
  figures: () => undefined,
  start: () => undefined,
  stop: () => Promise.resolve(),
};

/**
 * Opens the way to the collector of the settings. What it takes of OpenTelemetry is loaded only where there is one.
 * @param source who sends; the settings' attributes stand over its own
 */
export async function openTelemetry(
  settings: OtelSettings,
  source: TelemetrySource,
  ports: Ports,
  log: Logger,
): Promise<Telemetry> {
  const { traces, metrics, spansMax, metricIntervalMs } = settings;
  if ((traces ?? metrics) === undefined) return none;
  const { spanExporter, metricExporter } = await import('./adapters/otlp-exporters.ts');
  const attributes = { ...source.attributes, ...settings.resourceAttributes, 'service.name': settings.serviceName };
  const from = { ...source, attributes };
  const spansOut = traces && spanExporter(traces, from);
  const metricsOut = metrics && metricExporter(metrics, from, ports.nowMs);
  const onLost = (figures: SpanFigures): void =>
    log.warn({ ...figures }, 'spans are lost: the collector takes none, or too few');
  const queue = spansOut && new SpanQueue({ ...ports, spansMax, onLost, send: (batch) => spansOut.send(batch) });
  let stopPushes: (() => Promise<void>) | undefined;
  return {
    spans: queue,
    figures: () => queue?.figures,
    start: (list) => {
      if (metricsOut !== undefined) stopPushes = pushMetrics(metricsOut, list, metricIntervalMs, ports, log);
    },
    stop: async (timeoutMs) => {
      const over = new AbortController();
      const late = delay(timeoutMs, undefined, { signal: over.signal }).catch(() => undefined);
      await Promise.race([Promise.allSettled([queue?.flush(), stopPushes?.()]), late]);
      over.abort();
      await Promise.race([Promise.allSettled([spansOut?.close(), metricsOut?.close()]), delay(0)]);
    },
  };
}

/** Sends metrics at an interval. @returns sends them a last time, and no more */
function pushMetrics(
  out: Exporting<MetricList>,
  list: () => Promise<MetricList>,
  intervalMs: number,
  { setTimer }: Ports,
  log: Logger,
): () => Promise<void> {
  let isTaken = true;
  let isOver = false;
  let stopTimer: () => void = () => undefined;
  const push = async (): Promise<void> => {
    const wasTaken = isTaken;
    isTaken = await list().then(
      (metrics) => out.send(metrics),
      () => false,
    );
    if (wasTaken && !isTaken) log.warn('the collector does not take metrics');
    else if (!wasTaken && isTaken) log.info('the collector takes metrics again');
  };
  const wait = (): void => {
    stopTimer = setTimer(() => {
      void push().then(() => {
        if (!isOver) wait();
      });
    }, intervalMs);
  };
  wait();
  return async () => {
    isOver = true;
    stopTimer();
    await push();
  };
}
