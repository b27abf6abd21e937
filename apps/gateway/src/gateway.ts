import { lookup } from 'node:dns/promises';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { system } from './adapters/system.ts';
import { gatewayVersion } from './adapters/version.ts';
import { ConfigurationCache } from './configuration/configuration-cache.ts';
import { ConfigurationManager } from './configuration/configuration-manager.ts';
import { LiveConfiguration } from './configuration/live-configuration.ts';
import { Seal } from './configuration/seal.ts';
import { ConnectionLog } from './control-plane/connection-log.ts';
import { ControlPlaneClient } from './control-plane/control-plane-client.ts';
import { Follower } from './control-plane/follower.ts';
import { HeartbeatLoop } from './control-plane/heartbeat.ts';
import { MinuteCounters } from './observations/minute-counters.ts';
import { Observer } from './observations/observer.ts';
import { RecordRing } from './observations/record-ring.ts';
import { Reporter } from './observations/reporter.ts';
import { RouteMetrics } from './observations/route-metrics.ts';
import { pluginHost, pluginVersions } from './plugin-host.ts';
import { listenProxy } from './proxy/listen-proxy.ts';
import type { Settings } from './settings.ts';
import { Metrics } from './status/metrics.ts';
import { listenStatus } from './status/status-server.ts';
import { AddressGuard } from './transport/address-guard.ts';
import { UpstreamPools } from './transport/upstream-pools.ts';

/** How long requests in flight may take when the gateway stops. */
const drainMs = 10_000;

/** How long the last observations may take to be handed over. */
const lastReportMs = 3000;

/** How long one batch of observations may take. */
const reportTimeoutMs = 30_000;

/** A running gateway. */
export interface Gateway {
  readonly proxyPort: number;
  readonly statusPort: number;
  /** Stops accepting, lets requests in flight finish, hands over observations. */
  stop(): Promise<void>;
}

/**
 * Starts a gateway: serves the cached configuration if there is one, and follows the control plane.
 * @throws the system's error when a port cannot be listened on
 */
export async function startGateway(settings: Settings, logger: Logger): Promise<Gateway> {
  const stopping = new AbortController();
  const client = new ControlPlaneClient(settings.controlPlaneUrl, settings.token);
  const counters = new MinuteCounters();
  const records = new RecordRing();
  const metrics = new RouteMetrics();
  const live = new LiveConfiguration();
  const connection = new ConnectionLog(logger);
  const self = { version: gatewayVersion(), hostname: hostname(), plugin_versions: pluginVersions() };
  const manager = new ConfigurationManager({
    live,
    cache: new ConfigurationCache(settings.cacheDir, new Seal(settings.token)),
    build: {
      pools: new UpstreamPools(addressGuard(settings.controlPlaneUrl)),
      metrics,
      plugins: pluginHost(logger, system),
    },
    monotonicMs: system.monotonicMs,
    acknowledge: async (ack) => {
      heartbeats.now();
      await client.post('ack', ack, stopping.signal);
    },
    log: logger,
  });
  const heartbeats = new HeartbeatLoop(() => client.post('heartbeat', { ...self, ...stateOf(live) }, stopping.signal));
  const reporter = new Reporter({
    counters,
    records,
    post: (batch, signal) =>
      client.post('observations', batch, AbortSignal.any([signal, AbortSignal.timeout(reportTimeoutMs)])),
    random: system.random,
    bootId: system.newRandomId(),
    onRefused: ({ sequence, records: sent }) => {
      const next = sent.length > 0 ? 'sent again without raw records' : 'dropped';
      logger.error({ sequence, records: sent.length }, `the control plane refused observations; ${next}`);
    },
  });
  const follower = new Follower({
    client,
    random: system.random,
    known: () => manager.known,
    onDocument: (text) => manager.take(text),
    onUnchanged: () => void manager.confirm(),
    onConnected: (connected, reason) => connection.note(connected, reason),
  });
  await manager.startFromCache();
  const status = await listenStatus(settings.statusHost, settings.statusPort, {
    serving: () => (stopping.signal.aborted ? undefined : live.current),
    metrics: new Metrics(metrics, () => ({
      gatewayId: live.current?.gateway.id ?? '',
      revision: live.current?.revision ?? 0,
      connected: connection.connected,
      applySeconds: manager.applyMs / 1000,
    })),
  });
  const observer = new Observer(counters, records);
  const proxy = await listenProxy(settings, { live, metrics, observer, logger, system }).catch((error: unknown) => {
    status.close();
    throw error;
  });
  heartbeats.start();
  reporter.start();
  follower.start();
  return {
    proxyPort: proxy.port,
    statusPort: status.port,
    stop: async () => {
      stopping.abort();
      connection.close();
      await Promise.all([proxy.drain(drainMs), follower.stop(), heartbeats.stop()]);
      await reporter.stop(lastReportMs);
      status.close();
      await client.close();
    },
  };
}

function stateOf({ current }: LiveConfiguration): Record<string, unknown> {
  const served = current === undefined ? {} : { revision: current.revision, hash: current.hash };
  return { ...served, uptime_seconds: process.uptime() };
}

/** The guard knows the control plane by its literal address at once, and by its name's addresses soon. */
function addressGuard(controlPlaneUrl: string): AddressGuard {
  const { hostname: host, port, protocol } = new URL(controlPlaneUrl);
  const bare = host.replace(/^\[|\]$/g, '');
  const guard = new AddressGuard({ host: bare, port: Number(port) || (protocol === 'https:' ? 443 : 80) });
  lookup(bare, { all: true })
    .then((addresses) => guard.learn(addresses.map(({ address }) => address)))
    .catch(() => undefined); // Unknown now: then it cannot be called by that name either.
  return guard;
}
