import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { System } from '../adapters/system.ts';
import type { LiveConfiguration } from '../configuration/live-configuration.ts';
import type { AiMetrics } from '../observations/ai-metrics.ts';
import type { Observer } from '../observations/observer.ts';
import type { RouteMetrics } from '../observations/route-metrics.ts';
import { noServerIdentities } from '../certificates/server-identities.ts';
import type { PortSettings } from '../listeners/listener-settings.ts';
import type { RefusalSink } from '../transport/refusal-sink.ts';
import { pluginLog } from '../plugin-host.ts';
import { listenNode } from '../listeners/listen-node.ts';
import type { ServerTimes } from '../transport/server-limits.ts';
import type { Admission } from '../overload/admission.ts';
import { shed } from '../overload/shed.ts';
import type { TraceContexts } from '../tracing/trace-contexts.ts';
import type { StreamHandler } from '../transport/stream-handler.ts';
import type { DestinationPools } from '../transport/destination-pools.ts';
import type { ByteBudget } from './byte-budget.ts';
import { Exchange } from './exchange.ts';
import { problems, renderProblem } from './problems.ts';
import { observeRefusal } from './observe-refusal.ts';
import type { ProxyPorts } from './proxy-ports.ts';
import { plainAddress, TrustedProxies } from './trusted-proxies.ts';

/** What the listener needs of the process. */
export interface ListenerPorts {
  readonly live: LiveConfiguration;
  readonly observer: Observer;
  readonly metrics: RouteMetrics;
  readonly aiMetrics: AiMetrics;
  readonly admission: Admission;
  readonly heldBodies: ByteBudget;
  readonly destinations: DestinationPools;
  readonly traces: TraceContexts;
  /** Carries connections that are no requests. */
  readonly streams: StreamHandler;
  /** Counts connections that come to nothing. */
  readonly refused: RefusalSink;
  readonly logger: Logger;
  readonly system: System;
}

/** Where it listens, and whom it believes. */
export interface ListenerSettings extends PortSettings {
  readonly proxyHost: string;
  readonly proxyPort: number;
  readonly trustedProxies: readonly string[];
  /** Shorter times, for tests. */
  readonly times?: Partial<ServerTimes>;
}

/** How long requests whose connections are gone may take to be observed. */
const lastWordsMs = 1000;

/** An upgrade must not keep a gateway down because its new default port is another program's. */
function warnOfTlsPort(logger: Logger, port: number): void {
  const message = `no TLS is taken: another program has port ${port}; PORTCULLIS_PROXY_TLS_PORT chooses another one`;
  logger.warn({ proxy_tls_port: port }, message);
}

/** A listening proxy. */
export interface ListeningProxy {
  readonly port: number;
  /** 0 where another program has it. */
  readonly tlsPort: number;
  /** Stops accepting and waits for the requests in flight; what is left after `timeoutMs` is cut. @returns how many that were */
  drain(timeoutMs: number): Promise<number>;
}

/**
 * Listens for traffic.
 * @throws the system's error when it cannot listen
 */
export async function listenProxy(settings: ListenerSettings, ports: ListenerPorts): Promise<ListeningProxy> {
  const trusted = new TrustedProxies(settings.trustedProxies);
  const proxyPorts: ProxyPorts = {
    live: ports.live,
    observer: ports.observer,
    metrics: ports.metrics,
    aiMetrics: ports.aiMetrics,
    admission: ports.admission,
    heldBodies: ports.heldBodies,
    destinations: ports.destinations,
    traces: ports.traces,
    trusted,
    log: pluginLog(ports.logger),
    newId: ports.system.newId,
    nowMs: ports.system.nowMs,
    monotonicMs: ports.system.monotonicMs,
  };
  const { admission } = ports;
  const { connectionsPerAddress: max = 0 } = settings;
  const { monotonicMs, newId } = ports.system;
  const server = await listenNode({
    host: settings.proxyHost,
    port: settings.proxyPort,
    tlsPort: settings.proxyTlsPort,
    onTlsPortTaken: settings.isProxyTlsPortChosen
      ? undefined
      : () => warnOfTlsPort(ports.logger, settings.proxyTlsPort),
    streamPorts: settings.streamPorts,
    identities: () => ports.live.current?.serverIdentities ?? noServerIdentities,
    streams: ports.streams,
    refusals: ports.refused,
    // A trusted proxy's connections are its clients'.
    perAddress: max === 0 ? undefined : { max, isExempt: (address) => trusted.has(address) },
    mayName: settings.proxyProtocol ? (peerAddress) => trusted.has(plainAddress(peerAddress)) : undefined,
    handler: (call) => {
      if (admission.enter()) new Exchange(proxyPorts, call).start();
      else {
        const requestId = newId();
        shed(call, requestId);
        observeRefusal(proxyPorts, problems.overloaded.status, requestId, call.connection.peerAddress, call.method);
      }
    },
    malformedAnswer: ({ status, code = 'malformed_request', detail, peerAddress, underway }) => {
      const requestId = ports.system.newId();
      // A request that was handed over is observed by its exchange.
      if (!underway) observeRefusal(proxyPorts, status, requestId, peerAddress);
      return renderProblem({ status, code, detail }, requestId);
    },
    times: settings.times,
  });
  return {
    port: server.port,
    tlsPort: server.tlsPort,
    drain: async (timeoutMs) => {
      let cut = 0;
      const timer = setTimeout(() => {
        cut = admission.inFlight;
        server.destroy();
      }, timeoutMs);
      await server.stop();
      clearTimeout(timer);
      // The last sockets are gone; what was on them says so a moment later, and is observed then.
      const endMs = monotonicMs() + lastWordsMs;
      while (admission.inFlight > 0 && monotonicMs() < endMs) await delay(1);
      return cut;
    },
  };
}
