import type { ProxyPorts } from './proxy-ports.ts';

/** Counts what was refused before it was a request of a route: little is known of it but where it came from. */
export function observeRefusal(
  ports: ProxyPorts,
  status: number,
  requestId: string,
  peerAddress: string,
  method = '',
): void {
  const figures = {
    occurredAtMs: ports.nowMs(),
    routeId: '',
    serviceId: '',
    method,
    status,
    statusSource: 'gateway',
    latencyUs: 0,
    upstreamLatencyUs: undefined,
    requestBytes: 0,
    responseBytes: 0,
  } as const;
  const isKept = ports.observer.wantsRecord(ports.monotonicMs());
  if (!ports.observer.count(figures, ports.metrics.unmatched, isKept, true)) return;
  const record = {
    figures,
    requestId,
    consumerId: undefined,
    path: '',
    pathTemplate: undefined,
    clientIp: peerAddress,
    plugins: [],
    ai: undefined,
  };
  ports.observer.keep(record, isKept);
}
