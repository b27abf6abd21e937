import type { Logger } from 'pino';
import type { System } from '../adapters/system.ts';
import type { LiveConfiguration } from '../configuration/live-configuration.ts';
import type { Observer } from '../observations/observer.ts';
import type { RouteMetrics } from '../observations/route-metrics.ts';
import { pluginLog } from '../plugin-host.ts';
import { listenNode, type ServerTimes } from '../transport/node-server.ts';
import { Exchange } from './exchange.ts';
import { renderProblem } from './problems.ts';
import { observeRefusal } from './observe-refusal.ts';
import type { ProxyPorts } from './proxy-ports.ts';
import { TrustedProxies } from './trusted-proxies.ts';

/** What the listener needs of the process. */
export interface ListenerPorts {
  readonly live: LiveConfiguration;
  readonly observer: Observer;
  readonly metrics: RouteMetrics;
  readonly logger: Logger;
  readonly system: System;
}

/** Where it listens, and whom it believes. */
export interface ListenerSettings {
  readonly proxyHost: string;
  readonly proxyPort: number;
  readonly trustedProxies: readonly string[];
  /** Shorter times, for tests. */
  readonly times?: Partial<ServerTimes>;
}

/** A listening proxy. */
export interface ListeningProxy {
  readonly port: number;
  /** Stops accepting and waits for the requests in flight; what is left after `timeoutMs` is cut. */
  drain(timeoutMs: number): Promise<void>;
}

/**
 * Listens for traffic.
 * @throws the system's error when it cannot listen
 */
export async function listenProxy(settings: ListenerSettings, ports: ListenerPorts): Promise<ListeningProxy> {
  const proxyPorts: ProxyPorts = {
    live: ports.live,
    observer: ports.observer,
    metrics: ports.metrics,
    trusted: new TrustedProxies(settings.trustedProxies),
    log: pluginLog(ports.logger),
    newId: ports.system.newId,
    nowMs: ports.system.nowMs,
    monotonicMs: ports.system.monotonicMs,
  };
  const server = await listenNode({
    host: settings.proxyHost,
    port: settings.proxyPort,
    handler: (call) => new Exchange(proxyPorts, call).start(),
    malformedAnswer: ({ status, detail, peerAddress, underway }) => {
      const requestId = ports.system.newId();
      // A request that was handed over is observed by its exchange.
      if (!underway) observeRefusal(proxyPorts, status, requestId, peerAddress);
      return renderProblem({ status, code: 'malformed_request', detail }, requestId);
    },
    times: settings.times,
  });
  return {
    port: server.port,
    drain: async (timeoutMs) => {
      const timer = setTimeout(() => server.destroy(), timeoutMs);
      await server.stop();
      clearTimeout(timer);
    },
  };
}
