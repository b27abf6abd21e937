import { isDeepStrictEqual } from 'node:util';
import { CheckedEndpoint, type EndpointHost } from './checked-endpoint.ts';
import type { CheckedAddress, EndpointHealth, UpstreamWatch, WatchedUpstream } from './endpoint-health.ts';
import { healthSettings, isOff, type HealthSettings } from './health-settings.ts';
import type { ProbedItem, ProbeLane } from './probe-scheduler.ts';
import { probePlan, type ProbePlan, type Prober } from './probes/probe.ts';

/** A name that cannot be resolved. */
export interface DnsError {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
}

interface Watched {
  readonly endpoint: CheckedEndpoint;
  watches: number;
}

/** The checks of one upstream, for all configurations that have it: the newest one's settings count. */
export class UpstreamChecks implements ProbeLane {
  readonly id: string;
  readonly prober: Prober;
  readonly waiting = new Set<ProbedItem>();
  readonly dnsErrors = new Map<string, DnsError>();
  running = 0;
  concurrency = 1;
  /** Name of the newest configuration. */
  name = '';
  settings: HealthSettings;
  /** `undefined` where nothing is probed. */
  plan: ProbePlan | undefined;
  readonly #recoveryMs: number;
  readonly #host: EndpointHost;
  readonly #configurations: WatchedUpstream[] = [];
  readonly #endpoints = new Map<string, Watched>();

  constructor(id: string, prober: Prober, recoveryMs: number, host: EndpointHost) {
    this.id = id;
    this.prober = prober;
    this.#recoveryMs = recoveryMs;
    this.#host = host;
    this.settings = healthSettings(undefined, recoveryMs);
  }

  get isOff(): boolean {
    return isOff(this.settings);
  }

  /** Whether no configuration has the upstream. */
  get isUnused(): boolean {
    return this.#configurations.length === 0;
  }

  *endpoints(): Iterable<CheckedEndpoint> {
    for (const { endpoint } of this.#endpoints.values()) yield endpoint;
  }

  /** @param onRelease once the watch is released */
  watch(upstream: WatchedUpstream, onRelease: () => void): UpstreamWatch {
    // A copy: the same object may be watched twice.
    const configuration = { ...upstream };
    const own = new Map<string, CheckedEndpoint>();
    this.#configurations.push(configuration);
    this.#configure();
    return {
      of: (address): EndpointHealth => {
        const key = keyOf(address);
        const known = own.get(key);
        if (known !== undefined) return known;
        const taken = this.#take(key, address);
        own.set(key, taken);
        return taken;
      },
      drop: (address) => {
        const key = keyOf(address);
        if (own.delete(key)) this.#give(key);
      },
      release: () => {
        const place = this.#configurations.indexOf(configuration);
        if (place < 0) return;
        this.#configurations.splice(place, 1);
        for (const key of own.keys()) this.#give(key);
        own.clear();
        this.#configure();
        onRelease();
      },
    };
  }

  #take(key: string, address: CheckedAddress): CheckedEndpoint {
    const known = this.#endpoints.get(key);
    if (known !== undefined) {
      known.watches += 1;
      return known.endpoint;
    }
    const endpoint = new CheckedEndpoint(address, this, this.#host);
    this.#endpoints.set(key, { endpoint, watches: 1 });
    this.#host.onMembers();
    return endpoint;
  }

  #give(key: string): void {
    const watched = this.#endpoints.get(key);
    if (watched === undefined) return;
    watched.watches -= 1;
    if (watched.watches > 0) return;
    this.#endpoints.delete(key);
    watched.endpoint.close();
    this.#host.onMembers();
  }

  /** Takes the newest configuration's settings over, if they are others. */
  #configure(): void {
    const newest = this.#configurations.at(-1);
    if (newest === undefined) return;
    this.name = newest.name;
    const settings = healthSettings(newest.healthchecks, this.#recoveryMs);
    const active = newest.healthchecks?.active ?? undefined;
    const plan = active && settings.active && probePlan(active, settings.active, newest.hostHeader, newest.tls);
    this.concurrency = active?.concurrency ?? 1;
    if (isDeepStrictEqual([settings, plan], [this.settings, this.plan])) return;
    this.settings = settings;
    this.plan = plan;
    for (const endpoint of this.endpoints()) endpoint.onSettings();
    this.#host.onMembers();
  }
}

function keyOf({ targetId, host, port }: CheckedAddress): string {
  return `${targetId ?? ''} ${host} ${port}`;
}
