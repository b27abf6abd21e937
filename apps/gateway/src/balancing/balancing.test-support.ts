import type { AttemptOutcome, EndpointHealth, HealthPort } from '../health/endpoint-health.ts';
import type { UpstreamClient } from '../transport/upstream-transport.ts';
import type { Share } from './eligibility.ts';
import { Endpoint, type ClientSource } from './endpoint.ts';
import type { BalancedRequest } from './hash-key.ts';
import type { PlannedTarget, UpstreamPlan } from './upstream-plan.ts';

/** Health that a test sets. */
export class SetHealth implements EndpointHealth {
  usable = true;
  readonly outcomes: AttemptOutcome[] = [];
  begun = 0;

  begin(): void {
    this.begun += 1;
  }

  observe(outcome: AttemptOutcome): void {
    this.outcomes.push(outcome);
  }
}

const client: UpstreamClient = {
  connectTimeoutMs: 1000,
  send: () => ({ pause: () => undefined, resume: () => undefined, abort: () => undefined }),
  close: () => undefined,
};

/** Connections to nowhere; notes what is acquired and released. */
export class FakeClients implements ClientSource {
  readonly open: string[] = [];

  acquire({ host, port }: { readonly host: string; readonly port: number }): UpstreamClient {
    this.open.push(`${host}:${port}`);
    return client;
  }

  release({ host, port }: { readonly host: string; readonly port: number }): void {
    this.open.splice(this.open.indexOf(`${host}:${port}`), 1);
  }
}

/** An endpoint by its address. */
export function endpoint(host: string, health: EndpointHealth = new SetHealth()): Endpoint {
  const address = { protocol: 'http', host, port: 80 } as const;
  const created = new Endpoint({ address, authority: host, clients: new FakeClients() });
  created.health = health;
  return created;
}

/** One endpoint for each weight, called `0`, `1` and so on. */
export function sharesOf(weights: readonly number[]): Share[] {
  return weights.map((weight, index) => ({ endpoint: endpoint(String(index)), weight }));
}

/** Switches an endpoint's health, which must be a {@link SetHealth}. */
export function setUsable({ health }: Endpoint, usable: boolean): void {
  if (!(health instanceof SetHealth)) throw new TypeError('this health is not for setting');
  health.usable = usable;
}

/** A plan with defaults. */
export function planOf(parts: Partial<UpstreamPlan>): UpstreamPlan {
  return {
    key: 'upstream u',
    seriesKey: 'upstream u',
    upstreamId: 'u',
    name: 'u',
    protocol: 'http',
    tls: undefined,
    isClosed: false,
    hostHeader: undefined,
    algorithm: 'round-robin',
    hashOn: { what: 'none' },
    hashFallback: { what: 'none' },
    slots: 100,
    healthchecks: undefined,
    targets: [],
    ...parts,
  };
}

/** A target with defaults. */
export function targetOf(host: string, parts: Partial<PlannedTarget> = {}): PlannedTarget {
  return { id: host, host, port: 80, authority: host, weight: 100, priority: 0, ...parts };
}

/** A request that is told apart by nothing but what is given. */
export function requestOf(parts: Partial<BalancedRequest> = {}): BalancedRequest {
  return {
    consumerId: undefined,
    clientIp: '192.0.2.1',
    path: '/',
    query: '',
    fields: [],
    capture: () => undefined,
    newCookie: () => 'new',
    ...parts,
  };
}

/** Health checks that a test sets, by `host:port`. */
export class SetHealthChecks implements HealthPort {
  readonly healths = new Map<string, SetHealth>();
  readonly dnsErrors: string[] = [];
  watches = 0;

  watch(): ReturnType<HealthPort['watch']> {
    this.watches += 1;
    return {
      of: ({ host, port }) => {
        const health = this.healths.get(`${host}:${port}`) ?? new SetHealth();
        this.healths.set(`${host}:${port}`, health);
        return health;
      },
      drop: ({ host, port }) => void this.healths.delete(`${host}:${port}`),
      release: () => void (this.watches -= 1),
    };
  }

  noteDnsError(_upstreamId: string, targetId: string): void {
    this.dnsErrors.push(targetId);
  }

  clearDnsError(_upstreamId: string, targetId: string): void {
    this.dnsErrors.splice(this.dnsErrors.indexOf(targetId), 1);
  }
}
