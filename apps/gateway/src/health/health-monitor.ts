import type { CheckedEndpoint, EndpointHost } from './checked-endpoint.ts';
import type { HealthPort, TargetHealth, UpstreamWatch, WatchedUpstream } from './endpoint-health.ts';
import { trialAfterMs } from './health-settings.ts';
import { ProbeScheduler, type SetTimer } from './probe-scheduler.ts';
import type { Prober } from './probes/probe.ts';
import { UpstreamChecks } from './upstream-checks.ts';

/** What the monitor works with. */
export interface MonitorPorts {
  readonly prober: Prober;
  readonly setTimer: SetTimer;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly log: MonitorLog;
  /** Something that {@link HealthMonitor.report} says has changed. */
  readonly onChange: () => void;
  /** See `trialAfterMs`, which it is when left out. */
  readonly recoveryMs?: number;
}

/** Where changes of state are said. */
export interface MonitorLog {
  info(details: Readonly<Record<string, unknown>>, message: string): void;
  warn(details: Readonly<Record<string, unknown>>, message: string): void;
}

const unresolved = 'the name cannot be resolved';

/** The state of one address of a target. */
export interface TargetReport {
  readonly upstreamId: string;
  readonly targetId: string;
  /** `host:port`; for a name that cannot be resolved the name. */
  readonly address: string;
  readonly health: TargetHealth;
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
  /** Why it is not well; nothing when it is, or is not checked. */
  readonly reason: string | undefined;
}

/** The health of all endpoints of a gateway, over all configurations that are served. Source: design, gateway, Upstreams. */
export class HealthMonitor implements HealthPort {
  readonly #ports: MonitorPorts;
  readonly #scheduler: ProbeScheduler;
  readonly #host: EndpointHost;
  readonly #upstreams = new Map<string, UpstreamChecks>();

  constructor(ports: MonitorPorts) {
    this.#ports = ports;
    const scheduler = new ProbeScheduler(ports.monotonicMs, ports.setTimer);
    this.#scheduler = scheduler;
    this.#host = {
      nowMs: ports.nowMs,
      monotonicMs: ports.monotonicMs,
      random: ports.random,
      schedule: (item, dueMs) => scheduler.schedule(item, dueMs),
      remove: (item) => scheduler.remove(item),
      onChange: (endpoint, reason) => this.#changed(endpoint, reason),
      onMembers: ports.onChange,
    };
  }

  watch(upstream: WatchedUpstream): UpstreamWatch {
    const { prober, recoveryMs = trialAfterMs } = this.#ports;
    const checks = this.#upstreams.get(upstream.id) ?? new UpstreamChecks(upstream.id, prober, recoveryMs, this.#host);
    this.#upstreams.set(upstream.id, checks);
    return checks.watch(upstream, () => {
      if (checks.isUnused) this.#upstreams.delete(upstream.id);
    });
  }

  noteDnsError(upstreamId: string, targetId: string, name: string): void {
    const checks = this.#upstreams.get(upstreamId);
    if (checks === undefined || checks.dnsErrors.has(targetId)) return;
    checks.dnsErrors.set(targetId, { name, sinceMs: this.#ports.nowMs() });
    const details = { upstream: checks.name, target: targetId, address: name, health: 'DNS_ERROR' };
    this.#ports.log.warn({ ...details, reason: unresolved }, 'a target cannot be reached');
    this.#ports.onChange();
  }

  clearDnsError(upstreamId: string, targetId: string): void {
    const checks = this.#upstreams.get(upstreamId);
    const error = checks?.dnsErrors.get(targetId);
    if (checks === undefined || error === undefined) return;
    checks.dnsErrors.delete(targetId);
    const details = { upstream: checks.name, target: targetId, address: error.name };
    this.#ports.log.info({ ...details, reason: 'the name is resolved' }, 'a target can be reached');
    this.#ports.onChange();
  }

  /** The state of every address of every target that is served. */
  *report(): Iterable<TargetReport> {
    for (const checks of this.#upstreams.values()) {
      const upstreamId = checks.id;
      for (const [targetId, { name, sinceMs }] of checks.dnsErrors) {
        yield { upstreamId, targetId, address: name, health: 'DNS_ERROR', sinceMs, reason: unresolved };
      }
      for (const endpoint of checks.endpoints()) {
        const { targetId } = endpoint.address;
        if (targetId === undefined) continue;
        const { sinceMs, reason } = endpoint;
        const address = addressOf(endpoint);
        yield { upstreamId, targetId, address, health: healthOf(checks, endpoint), sinceMs, reason };
      }
    }
  }

  /** Ends all checks. What is known stays as it is. */
  stop(): void {
    this.#scheduler.stop();
    for (const checks of this.#upstreams.values()) for (const endpoint of checks.endpoints()) endpoint.close();
  }

  #changed(endpoint: CheckedEndpoint, reason: string): void {
    const { lane: upstream, address } = endpoint;
    const { isHealthy } = endpoint;
    const details = {
      upstream: upstream.name,
      target: address.targetId,
      address: addressOf(endpoint),
      health: healthOf(upstream, endpoint),
      reason,
    };
    if (isHealthy)
      this.#ports.log.info(details, `a target is ${upstream.isOff ? 'not checked any more' : 'healthy again'}`);
    else this.#ports.log.warn(details, 'a target is unhealthy');
    this.#ports.onChange();
  }
}

function healthOf(checks: UpstreamChecks, { isHealthy }: CheckedEndpoint): TargetHealth {
  if (checks.isOff) return 'HEALTHCHECKS_OFF';
  return isHealthy ? 'HEALTHY' : 'UNHEALTHY';
}

function addressOf({ address: { host, port } }: CheckedEndpoint): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
