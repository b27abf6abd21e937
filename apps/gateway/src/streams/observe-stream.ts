import type { TcpConnectionState } from '@portcullis/plugin-runtime';
import type { StatusSource } from '../observations/route-metrics.ts';
import { plainAddress } from '../proxy/trusted-proxies.ts';
import type { ConnectionFacts } from '../transport/server-transport.ts';
import type { StreamSeries } from './stream-metrics.ts';
import type { StreamPorts } from './stream-ports.ts';

/** How a connection is carried: as it came, what is in TLS that ends here, or TLS untouched. */
export type StreamKind = 'plain' | 'terminated' | 'passed';

/** What records say in place of a request's method. */
export const streamMethods: Readonly<Record<StreamKind, string>> = { plain: 'TCP', terminated: 'TCP', passed: 'TLS' };

/** A connection that is over. Times are monotonic, but for `occurredAtMs`. */
export interface OverStream {
  readonly id: string;
  readonly kind: StreamKind;
  readonly connection: ConnectionFacts;
  readonly routeId: string;
  readonly serviceId: string;
  readonly series: StreamSeries;
  readonly occurredAtMs: number;
  readonly startedMs: number;
  /** When the upstream was there, or it was clear that it would not be. */
  readonly settledMs: number;
  readonly endedMs: number;
  /** When the first attempt to connect began; `undefined` when none did. */
  readonly dialledMs: number | undefined;
  readonly status: number;
  readonly source: StatusSource;
  /** Why it did not end as its two sides wanted. */
  readonly failure: string | undefined;
  readonly receivedBytes: number;
  readonly sentBytes: number;
  readonly state: TcpConnectionState | undefined;
  readonly isRecorded: boolean;
}

/**
 * Observes a connection, once. To counters and objectives it is one request, whose latency is the time until its upstream was there: how
 * long it lasted is the client's wish, and says nothing of the service. Source: ADR 0064.
 */
export function observeStream({ observer }: Pick<StreamPorts, 'observer'>, over: OverStream): void {
  const { series, dialledMs } = over;
  const microseconds = (fromMs: number, toMs: number): number => Math.max(0, Math.round((toMs - fromMs) * 1000));
  const lastedUs = microseconds(over.startedMs, over.endedMs);
  const figures = {
    occurredAtMs: over.occurredAtMs,
    routeId: over.routeId,
    serviceId: over.serviceId,
    method: streamMethods[over.kind],
    status: over.status,
    statusSource: over.source,
    latencyUs: microseconds(over.startedMs, over.settledMs),
    upstreamLatencyUs: dialledMs === undefined ? undefined : microseconds(dialledMs, over.settledMs),
    requestBytes: over.receivedBytes,
    responseBytes: over.sentBytes,
  };
  series.lasted.add(lastedUs);
  if (!observer.count(figures, series.over, over.isRecorded, true)) return;
  const record = {
    figures,
    requestId: over.id,
    consumerId: undefined,
    path: '',
    pathTemplate: undefined,
    clientIp: plainAddress(over.connection.peerAddress),
    failure: over.failure,
    plugins: over.state?.steps ?? [],
    ai: undefined,
    stream: {
      lastedUs,
      port: over.connection.localPort,
      serverName: over.connection.serverName,
    },
  };
  observer.keep(record, over.isRecorded);
}
