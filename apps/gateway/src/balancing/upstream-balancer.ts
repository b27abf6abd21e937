import { isIP } from 'node:net';
import type { CheckedAddress, HealthPort, UpstreamWatch } from '../health/endpoint-health.ts';
import type { Tried } from './eligibility.ts';
import { alwaysUsable, type ClientSource, type Endpoint } from './endpoint.ts';
import { hashKeyOf, type BalancedRequest } from './hash-key.ts';
import type { NameDirectory, NameWatch } from './name-directory.ts';
import { nameInTls } from './name-in-tls.ts';
import { Roster, type RankedShare, type Refusal } from './roster.ts';
import type { PlannedTarget, UpstreamPlan } from './upstream-plan.ts';
import type { UpstreamState } from './upstream-state.ts';

/** What balancers share. */
export interface BalancingPorts {
  readonly clients: ClientSource;
  /** Whether a literal address must not be called. */
  readonly refuses: (address: string, port: number) => boolean;
  readonly names: NameDirectory;
  readonly health: HealthPort;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/** A request that came before the upstream's names were resolved for the first time. */
export interface Waiting {
  /** They have been, or cannot be: choose again. */
  onResolved(): void;
}

interface Member {
  readonly key: string;
  readonly endpoint: Endpoint;
  readonly checked: CheckedAddress;
}

/** What a target stands for, and the addresses that it was made of. */
interface TargetPart {
  readonly addresses: readonly string[];
  readonly members: readonly Member[];
}

const nobody: ReadonlyMap<string, Member> = new Map();
const noParts: ReadonlyMap<PlannedTarget, TargetPart> = new Map();
/** Of a target that is an address itself. */
const noAddresses: readonly string[] = [];
const noNames: ReadonlyMap<PlannedTarget, NameWatch> = new Map();

/** Chooses endpoints of one upstream under one configuration. Configurations that say the same of it share one. */
export class UpstreamBalancer {
  readonly plan: UpstreamPlan;
  readonly state: UpstreamState;
  /** Configurations that have it. */
  users = 1;
  /** Those of them that new requests get. */
  futureUsers = 1;
  readonly #ports: BalancingPorts;
  #watch: UpstreamWatch | undefined;
  readonly #names: ReadonlyMap<PlannedTarget, NameWatch>;
  /** Targets that were reported as not to be resolved. */
  #unresolved: Set<string> | undefined;
  #waiting: Set<Waiting> | undefined;
  #isRetired = false;
  #members: ReadonlyMap<string, Member> = nobody;
  /** Where names are resolved: a name that stands for something else costs its own addresses, and those of other targets go on as they are. */
  #parts: ReadonlyMap<PlannedTarget, TargetPart> = noParts;
  /** Made with the first request where nothing is to be resolved or checked: most services of a large table have none. */
  #built: Roster | undefined;

  constructor(plan: UpstreamPlan, state: UpstreamState, ports: BalancingPorts) {
    this.plan = plan;
    this.state = state;
    this.#ports = ports;
    const { upstreamId: id, name, hostHeader, healthchecks, tls } = plan;
    this.#watch = id === undefined ? undefined : ports.health.watch({ id, name, hostHeader, healthchecks, tls });
    this.#names = this.#watchNames();
    if (this.#watch !== undefined || this.#names.size > 0) this.#built = this.#build();
  }

  get #roster(): Roster {
    return (this.#built ??= this.#build());
  }

  /**
   * The endpoint for an attempt; `undefined` when none can be used.
   * @param tried endpoints that the request was sent to before: others are preferred
   * @param leavesTier whether a worse tier is better than an endpoint that was tried
   */
  choose(request: BalancedRequest, nowMs: number, tried?: Tried, leavesTier = true): Endpoint | undefined {
    const { algorithm, hashOn, hashFallback } = this.plan;
    const hash = algorithm === 'consistent-hashing' ? hashKeyOf(request, hashOn, hashFallback) : undefined;
    return this.#roster.choose(hash, nowMs, tried, leavesTier);
  }

  /** Whether a retry would reach an endpoint that was not tried. */
  hasUntried(tried: Tried, leavesTier: boolean): boolean {
    return this.#roster.hasUntried(tried, leavesTier);
  }

  /** Whether another address of the same name was not tried yet and has no trouble that is known of. */
  hasAlternative(endpoint: Endpoint, tried: Tried): boolean {
    for (const { endpoint: other } of this.#members.values()) {
      if (other.authority !== endpoint.authority || other === endpoint || tried.includes(other)) continue;
      if (other.health.usable && other.restsUntilMs === 0) return true;
    }
    return false;
  }

  /** No connection could be made: others are preferred for a while, unless health checks look after that. */
  connectFailed(endpoint: Endpoint, nowMs: number): void {
    const { healthchecks } = this.plan;
    const isChecked = (healthchecks?.active ?? healthchecks?.passive ?? undefined) !== undefined;
    if (!isChecked && this.#roster.hasSeveral) endpoint.rest(nowMs);
  }

  /** Why {@link choose} finds none. */
  refusal(): Refusal {
    return this.#roster.refusal();
  }

  /** Whether names have not been resolved for the first time and nothing else is there to choose. */
  get isPending(): boolean {
    if (!this.#roster.isEmpty) return false;
    for (const { state } of this.#names.values()) if (state.status === 'pending') return true;
    return false;
  }

  /** Tells when it is {@link isPending} no longer. */
  wait(waiting: Waiting): void {
    (this.#waiting ??= new Set()).add(waiting);
  }

  /** Not interested any more. */
  leave(waiting: Waiting): void {
    this.#waiting?.delete(waiting);
  }

  /**
   * Another balancer of the upstream follows. Leaves with the endpoints what that goes on with.
   * @returns whether there are endpoints: then it has to {@link takeOver} them
   */
  handOver(): boolean {
    this.#built?.leave();
    return this.#built !== undefined;
  }

  /** Holds its endpoints from now on, before the balancer that was there lets them go. */
  takeOver(): void {
    this.#built ??= this.#build();
  }

  /** Whether {@link retire} was called. */
  get isRetired(): boolean {
    return this.#isRetired;
  }

  /**
   * Only requests that have it already go on with it, and with what is known now: their retries. Nothing is looked up or checked
   * for it any more, but for names that were never resolved and that somebody may wait for.
   */
  retire(): void {
    this.#isRetired = true;
    if (this.#names.size === 0 || !this.isPending) this.#endWatches();
  }

  /** No configuration has it any more. */
  dispose(): void {
    this.#endWatches();
    for (const key of this.#members.keys()) this.state.release(key);
    this.#members = nobody;
  }

  #endWatches(): void {
    for (const watch of this.#names.values()) watch.release();
    for (const targetId of [...(this.#unresolved ?? [])]) this.#clear(this.plan.upstreamId ?? '', targetId);
    this.#watch?.release();
    this.#watch = undefined;
  }

  /** A name stands for something else now. */
  #update(): void {
    this.#built?.leave();
    this.#built = this.#build();
    if (this.isPending) return;
    if (this.#isRetired) this.#endWatches();
    if (this.#waiting === undefined) return;
    const waiting = [...this.#waiting];
    this.#waiting = undefined;
    for (const one of waiting) one.onResolved();
  }

  #watchNames(): ReadonlyMap<PlannedTarget, NameWatch> {
    const named = this.plan.targets.filter(({ host }) => isIP(host) === 0);
    if (named.length === 0) return noNames;
    return new Map(named.map((target) => [target, this.#ports.names.watch(target.host, () => this.#update())]));
  }

  #build(): Roster {
    const members = new Map<string, Member>();
    const parts = new Map<PlannedTarget, TargetPart>();
    const shares: RankedShare[] = [];
    for (const target of this.plan.isClosed ? [] : this.plan.targets) {
      this.#report(target);
      const part = this.#partOf(target, members);
      for (const member of part.members) members.set(member.key, member);
      if (this.#names.size > 0) parts.set(target, part);
      const { weight, priority } = target;
      if (weight === 0) continue;
      for (const { endpoint } of part.members) {
        shares.push({ endpoint, weight: weight / part.members.length, priority });
      }
    }
    for (const [key, { checked }] of this.#members) {
      if (members.has(key)) continue;
      this.#watch?.drop(checked);
      this.state.release(key);
    }
    this.#members = members;
    this.#parts = parts;
    return new Roster(shares, this.plan, this.#ports.random);
  }

  #partOf(target: PlannedTarget, members: ReadonlyMap<string, Member>): TargetPart {
    const addresses = this.#names.get(target)?.state.addresses ?? noAddresses;
    const known = this.#parts.get(target);
    if (known?.addresses === addresses) return known;
    return {
      addresses,
      members: this.#addressesOf(target).map((address) => this.#memberFor(target, address, members)),
    };
  }

  #memberFor(target: PlannedTarget, address: string, members: ReadonlyMap<string, Member>): Member {
    const { id, host, port, authority } = target;
    const { protocol, tls, hostHeader } = this.plan;
    const key = `${protocol} ${host.toLowerCase()} ${address} ${port} ${tls?.id ?? ''} ${hostHeader ?? ''}`;
    const known = members.get(key) ?? this.#members.get(key);
    if (known !== undefined) return known;
    const servername = nameInTls(this.plan, host);
    const named = servername === undefined || servername === address ? {} : { servername };
    const endpoint = this.state.acquire(key, {
      address: { protocol, host: address, port, ...named, ...(tls && { tls }) },
      authority,
      clients: this.#ports.clients,
    });
    const checked = { targetId: id, host: address, port, name: host };
    endpoint.targetId = id;
    endpoint.health = this.#watch?.of(checked) ?? alwaysUsable;
    return { key, endpoint, checked };
  }

  /** Without the addresses that must not be called, unless there is no other: then the answer says so. */
  #addressesOf(target: PlannedTarget): readonly string[] {
    const watch = this.#names.get(target);
    const all = watch === undefined ? [target.host] : watch.state.addresses;
    if (all.length < 2) return all;
    const allowed = all.filter((address) => !this.#ports.refuses(address, target.port));
    return allowed.length === 0 ? all : allowed;
  }

  #report(target: PlannedTarget): void {
    const { upstreamId } = this.plan;
    const status = this.#names.get(target)?.state.status;
    if (upstreamId === undefined || target.id === undefined || status === undefined) return;
    if (status === 'failed' && this.#unresolved?.has(target.id) !== true) {
      (this.#unresolved ??= new Set()).add(target.id);
      if (this.state.noteUnresolved(target.id)) this.#ports.health.noteDnsError(upstreamId, target.id, target.host);
    } else if (status === 'resolved') this.#clear(upstreamId, target.id);
  }

  #clear(upstreamId: string, targetId: string): void {
    if (this.#unresolved?.delete(targetId) !== true) return;
    if (this.state.clearUnresolved(targetId)) this.#ports.health.clearDnsError(upstreamId, targetId);
  }
}
