import type { ProxyPorts } from './proxy-ports.ts';

/** Counts bytes that were refused before they were a request: nothing is known of them but where they came from. */
export function observeRefusal(ports: ProxyPorts, status: number, requestId: string, peerAddress: string): void {
  const figures = {
    occurredAtMs: ports.nowMs(),
    routeId: '',
    serviceId: '',
    method: '',
    status,
    statusSource: 'gateway',
    latencyUs: 0,
    upstreamLatencyUs: undefined,
    requestBytes: 0,
    responseBytes: 0,
  } as const;
  if (!ports.observer.count(figures, ports.metrics.unmatched)) return;
  ports.observer.keep({ figures, requestId, consumerId: undefined, path: '', clientIp: peerAddress, plugins: [] });
}
