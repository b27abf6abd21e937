import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Plugin } from '@portcullis/plugin-runtime';
import type { Logger } from 'pino';
import { accessLine } from './access-log/access-line.ts';
import { AccessLog } from './access-log/access-log.ts';
import { createProcessVaults } from './adapters/process-vaults.ts';
import { system } from './adapters/system.ts';
import { gatewayVersion } from './adapters/version.ts';
import { createBalancing } from './balancing/create-balancing.ts';
import type { Generation } from './configuration/generation.ts';
import { ConfigurationCache, ReadCache } from './configuration/configuration-cache.ts';
import { ConfigurationManager } from './configuration/configuration-manager.ts';
import { LiveConfiguration } from './configuration/live-configuration.ts';
import { Seal } from './configuration/seal.ts';
import { ConnectionLog } from './control-plane/connection-log.ts';
import type { ControlPlaneLink } from './control-plane/control-plane-client.ts';
import { controlPlaneClient } from './control-plane/create-client.ts';
import { Follower } from './control-plane/follower.ts';
import { createHeartbeats } from './control-plane/create-heartbeats.ts';
import { addressesOf, openDataStores } from './data-stores/open-data-stores.ts';
import { endPlugins } from './end-plugins.ts';
import { openLogFolder } from './log-files/open-log-folder.ts';
import { RefusedConnections } from './listeners/refused-connections.ts';
import { HealthMonitor } from './health/health-monitor.ts';
import { HealthReports } from './health/health-reports.ts';
import { createProber } from './health/probes/run-probe.ts';
import { targetSeries } from './health/target-series.ts';
import { MinuteCounters } from './observations/minute-counters.ts';
import { Observer, type FinishedRequest } from './observations/observer.ts';
import { AiMetrics } from './observations/ai-metrics.ts';
import { PluginCounters } from './observations/plugin-counters.ts';
import { PluginMetrics } from './observations/plugin-metrics.ts';
import { RecordAllowance } from './observations/record-allowance.ts';
import { RecordRing } from './observations/record-ring.ts';
import { createReporter } from './observations/create-reporter.ts';
import { RouteMetrics } from './observations/route-metrics.ts';
import { Admission } from './overload/admission.ts';
import { eventLoop } from './overload/event-loop.ts';
import { installedPlugins, pluginHost, pluginLog, pluginVersions } from './plugin-host.ts';
import { bytesPerMb, ByteBudget, heldBodiesMbDefault } from './proxy/byte-budget.ts';
import { listenProxy } from './proxy/listen-proxy.ts';
import type { Settings } from './settings.ts';
import { RedisStore } from './shared-store/redis-store.ts';
import { createDial } from './streams/dial.ts';
import { StreamMetrics } from './streams/stream-metrics.ts';
import { Streams } from './streams/streams.ts';
import { Metrics } from './status/metrics.ts';
import { gatewayPages } from './status/gateway-pages.ts';
import { answerStatus, type StatusPages } from './status/status-pages.ts';
import { listenStatus, type StatusServer } from './status/status-server.ts';
import { openTelemetry } from './telemetry/open-telemetry.ts';
import { telemetrySource } from './telemetry/telemetry-source.ts';
import { randomIds } from './tracing/adapters/random-ids.ts';
import { samplerOf } from './tracing/sampler.ts';
import { TraceContexts } from './tracing/trace-contexts.ts';
import { StricterGuard } from './transport/address-guard.ts';
import { createAddressGuard } from './transport/create-address-guard.ts';
import { createPluginEgress } from './transport/create-egress.ts';
import { DestinationPools } from './transport/destination-pools.ts';

/** How long the last observations may take to be handed over. */
const lastReportMs = 3000;

/** How long plugins may take to end, in milliseconds, before what they reach is closed. */
const pluginsEndMs = 2000;

/** What a gateway has beside its settings. */
export interface GatewayOptions {
  /** Packages that instances may name. Default: the built-in ones, and those that the settings list. */
  readonly plugins?: readonly Plugin[];
  /** Set in a worker of several. */
  readonly worker?: WorkerPlace;
}

/** What a worker of several shares with the others. */
export interface WorkerPlace {
  readonly link: ControlPlaneLink;
  /** Whether this worker keeps the node's cache on disk; all of them start from it. */
  readonly writesCache: boolean;
  /** Takes the pages and metrics that the first process shows. @returns the status port */
  readonly show: (pages: StatusPages, metrics: Metrics) => StatusServer;
}

/** A running gateway. */
export interface Gateway {
  readonly proxyPort: number;
  readonly proxyTlsPort: number;
  readonly statusPort: number;
  /** The access log's file and those of plugins were moved away: goes on in new ones. */
  reopenLogs(): Promise<void>;
  /** Not ready any more; after the delay stops accepting, lets requests in flight finish, hands over observations. */
  stop(): Promise<void>;
}

/**
 * Starts a gateway: serves the cached configuration if there is one, and follows the control plane.
 * @throws the system's error when a port cannot be listened on or the access log not be opened
 */
export async function startGateway(settings: Settings, logger: Logger, options: GatewayOptions = {}): Promise<Gateway> {
  const plugins = options.plugins ?? (await installedPlugins(settings));
  const accessLog = settings.accessLog === 'off' ? undefined : await AccessLog.open(settings.accessLog);
  const stopping = new AbortController();
  const { worker } = options;
  const { client, reports } = worker ? { client: worker.link } : controlPlaneClient(settings, logger);
  const counters = new MinuteCounters();
  const records = new RecordRing();
  const metrics = new RouteMetrics();
  const streamMetrics = new StreamMetrics();
  const pluginMetrics = new PluginMetrics();
  const pluginCounters = new PluginCounters();
  const logFolder = openLogFolder(settings, logger);
  const aiMetrics = new AiMetrics();
  const refused = new RefusedConnections(logger, system.monotonicMs);
  const live = new LiveConfiguration(({ latencyThresholdsUs }) => counters.countAgainst(latencyThresholdsUs));
  const connection = new ConnectionLog(logger);
  const databases = settings.aiCache && addressesOf(settings.aiCache);
  const guard = createAddressGuard({ ...settings, ...(databases && { databases }) }, stopping.signal);
  const outbound = createPluginEgress({ ...settings, guard });
  const destinations = new DestinationPools({ ...system, egress: outbound, log: pluginLog(logger) });
  const sharedStore = settings.redis && new RedisStore({ address: settings.redis, random: system.random, log: logger });
  const dataStores = settings.aiCache && (await openDataStores(settings.aiCache, logger));
  const secrets = createProcessVaults({ ...settings, ...system, outbound, log: logger });
  const health = new HealthMonitor({
    ...system,
    prober: createProber({ guard }),
    log: logger,
    onChange: () => {
      healthReports.changed();
      heartbeats.now();
    },
  });
  const { random } = system;
  const balancing = createBalancing({ guard, health, random, dnsServers: settings.dnsServers, log: logger });
  const healthReports = new HealthReports(() => health.report(), system.monotonicMs);
  const self = { version: gatewayVersion(), hostname: hostname(), plugin_versions: pluginVersions(plugins) };
  const manager = new ConfigurationManager({
    live,
    cache: new (worker?.writesCache === false ? ReadCache : ConfigurationCache)(
      settings.cacheDir,
      new Seal(settings.token),
    ),
    build: {
      balancing,
      metrics,
      onUnusableCertificate: (certificateId, code) =>
        logger.warn({ certificate_id: certificateId, code }, 'a certificate cannot be presented'),
      plugins: pluginHost(logger, system, pluginMetrics.events, plugins, {
        outbound,
        secrets,
        metricsOf: (instance) => pluginCounters.metricsOf(instance),
        ...(logFolder && { logFilesOf: (tenantId) => logFolder.filesOf(tenantId) }),
        ...(sharedStore && { sharedStoreOf: (tenantId) => sharedStore.storeOf(tenantId) }),
        dataStores: { ...dataStores?.stores, sharesAnswers: settings.sharesAiAnswers === true },
      }),
    },
    vaults: secrets,
    monotonicMs: system.monotonicMs,
    acknowledge: async (ack) => {
      heartbeats.now();
      await client.post('ack', ack, stopping.signal);
    },
    log: logger,
  });
  const heartbeats = createHeartbeats({
    self,
    live,
    health: healthReports,
    post: (heartbeat) => client.post('heartbeat', heartbeat, stopping.signal),
  });
  const reporter = createReporter({ counters, records }, client, system, logger);
  const follower = new Follower({
    client,
    random: system.random,
    monotonicMs: system.monotonicMs,
    known: () => manager.known,
    onDocument: (pieces) => manager.take(pieces),
    onUnchanged: () => manager.confirm(),
    onConnected: (connected, reason) => connection.note(connected, reason),
  });
  const telemetry = await openTelemetry(settings.otel, telemetrySource(self), system, logger);
  await manager.startFromCache();
  const admission = new Admission(eventLoop(logger, system.monotonicMs), settings.overload);
  const heldBodies = new ByteBudget((settings.heldBodiesMb ?? heldBodiesMbDefault) * bytesPerMb, system.monotonicMs);
  const scrape = new Metrics(metrics, pluginMetrics, aiMetrics, () => ({
    gatewayId: live.current?.gateway.id ?? '',
    revision: live.current?.revision ?? 0,
    connected: connection.connected,
    sharedStore,
    dataStores,
    applySeconds: manager.applyMs / 1000,
    targets: () => targetSeries(health.report()),
    upstreams: () => balancing.figures(),
    instances: () => live.current?.runtime.status() ?? [],
    streams: streamMetrics,
    refused,
    pluginCounters,
    spans: telemetry.figures(),
    inFlight: admission.inFlight,
    shed: admission.shed,
    certificateExpiries: () => live.current?.certificateExpiries() ?? [],
    heldBodies,
    droppedRecords: records.droppedTotal,
    droppedLogLines: accessLog?.dropped ?? 0,
    failedReports: reports?.failed ?? {},
  }));
  telemetry.start(() => scrape.list());
  const serving = (): Generation | undefined => (stopping.signal.aborted ? undefined : live.current);
  const pages = gatewayPages(serving, live, () => manager.records, scrape);
  const status =
    worker?.show(pages, scrape) ??
    (await listenStatus(settings.statusHost, settings.statusPort, (method, target) =>
      answerStatus(pages, method, target),
    ));
  guard.refuseOwnPort(status.port);
  const sink = accessLog && {
    push: (request: FinishedRequest) => accessLog.push(accessLine(live.current?.gateway.id ?? '', request)),
  };
  const observer = new Observer(counters, records, sink, new RecordAllowance(settings.recordsPerSecond));
  const traces = new TraceContexts({
    mode: settings.traceContext,
    sampler: samplerOf(settings.otel.sampler.name, settings.otel.sampler.ratio),
    ids: randomIds(),
    spans: telemetry.spans,
  });
  const streamGuard = new StricterGuard(guard);
  const streams = new Streams({
    live,
    observer,
    metrics: streamMetrics,
    admission,
    dial: createDial(streamGuard, system),
    log: pluginLog(logger),
    system,
  });
  const ports = {
    streams,
    live,
    metrics,
    aiMetrics,
    observer,
    admission,
    heldBodies,
    destinations,
    traces,
    refused,
    logger,
    system,
  };
  const proxy = await listenProxy(settings, ports).catch(async (error: unknown) => {
    status.close();
    sharedStore?.close();
    await dataStores?.close();
    throw error;
  });
  // Nothing counts how often a connection went round, as `cdn-loop` does for requests: it must not come back at all.
  for (const own of [...settings.streamPorts, proxy.tlsPort]) streamGuard.refuseOwnPort(own);
  heartbeats.start();
  reporter.start();
  follower.start();
  return {
    proxyPort: proxy.port,
    proxyTlsPort: proxy.tlsPort,
    statusPort: status.port,
    reopenLogs: async () => {
      await Promise.all([accessLog?.reopen(), logFolder?.reopen()]);
    },
    stop: async () => {
      stopping.abort();
      connection.close();
      if (settings.stopDelayMs > 0) await delay(settings.stopDelayMs);
      const [cut, streamsCut] = await Promise.all([
        proxy.drain(settings.drainMs),
        streams.drain(settings.drainMs),
        follower.stop(),
        heartbeats.stop(),
      ]);
      health.stop();
      balancing.stop();
      await manager.stop();
      await endPlugins(live.current?.runtime, pluginsEndMs);
      sharedStore?.close();
      await dataStores?.close();
      destinations.close();
      await outbound.close();
      await accessLog?.close();
      await Promise.all([reporter.stop(lastReportMs), telemetry.stop(lastReportMs)]);
      status.close();
      await client.close();
      logger.info({ requests_cut: cut, connections_cut: streamsCut }, 'stopped');
    },
  };
}
