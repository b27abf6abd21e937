import type { CertificateSource } from '../certificates/certificate-index.ts';
import type { Balancing } from '../balancing/balancing.ts';
import type { UpstreamBalancer } from '../balancing/upstream-balancer.ts';
import type { CheckedChange, Placed } from './checked-changes.ts';
import type { ConfigurationError, ErrorList } from './configuration-errors.ts';
import type { CompiledService } from './generation.ts';
import type { ServiceRecord, TargetRecord, UpstreamRecord } from './records.ts';
import { planServices, type ServicePlan } from './service-plans.ts';
import type { TimeSlices } from './time-slices.ts';

/** Services that are planned in one go, between two looks at the clock. */
const plannedAtOnce = 20;

/** A service as routes lead to it, from one generation to the next while nothing of it changes. */
export interface ServiceEntry {
  readonly plan: ServicePlan;
  readonly service: CompiledService;
  readonly balancer: UpstreamBalancer;
  /** The first generation that has it. */
  readonly born: number;
}

/** What replanning changed. */
export interface ReplannedServices {
  /** IDs of services that lead elsewhere, or nowhere, from now on. */
  readonly changed: ReadonlySet<string>;
  readonly retired: readonly ServiceEntry[];
  /** By service ID, of those planned anew: mistakes that close the service and nothing else. */
  readonly mistakes: ReadonlyMap<string, readonly ConfigurationError[]>;
}

/** Services, upstreams and targets, and what was made of them: a change of one replans the services that depend on it. */
export class ServiceIndex {
  readonly #balancing: Balancing;
  readonly #certificates: CertificateSource;
  readonly #services = new Map<string, Placed<ServiceRecord>>();
  readonly #known = new Set<string>();
  readonly #upstreams = new Map<string, Placed<UpstreamRecord>>();
  readonly #targets = new Map<string, Placed<TargetRecord>>();
  readonly #targetsOf = new Map<string, Set<string>>();
  readonly #servicesOf = new Map<string, Set<string>>();
  /** IDs of services and of upstreams by that of a certificate or an authority that they refer to. */
  readonly #servicesOfCertificate = new Map<string, Set<string>>();
  readonly #upstreamsOfCertificate = new Map<string, Set<string>>();
  readonly #entries = new Map<string, ServiceEntry>();
  readonly #stale = new Set<string>();

  constructor(balancing: Balancing, certificates: CertificateSource) {
    this.#balancing = balancing;
    this.#certificates = certificates;
  }

  /** Whether there is such a service, enabled or not. */
  has(id: string): boolean {
    return this.#known.has(id);
  }

  /** Where a service leads; `undefined` for one that is disabled. */
  entryOf(id: string): ServiceEntry | undefined {
    return this.#entries.get(id);
  }

  /** All entries, for letting them go. */
  entries(): Iterable<ServiceEntry> {
    return this.#entries.values();
  }

  /** Takes a change in; {@link replan} acts on it. */
  put(change: CheckedChange): void {
    if (change.family === 'services') this.#putService(change.id, change.checked, change.received !== undefined);
    else if (change.family === 'upstreams') this.#putUpstream(change.id, change.checked);
    else if (change.family === 'targets') this.#putTarget(change.id, change.checked);
  }

  /** Plans all services anew that depend on what changed; mistakes go to `errors`. */
  async replan(born: number, errors: ErrorList, slices: TimeSlices): Promise<ReplannedServices> {
    const changed = new Set(this.#stale);
    const retired: ServiceEntry[] = [];
    const mistakes = new Map<string, readonly ConfigurationError[]>();
    const waiting = [...changed];
    this.#stale.clear();
    for (let at = 0; at < waiting.length; at += plannedAtOnce) {
      const ids = waiting.slice(at, at + plannedAtOnce);
      const plans = planServices(this.#partOf(ids), this.#certificates, errors);
      for (const id of ids) {
        const before = this.#entries.get(id);
        const plan = plans.get(id);
        if (before !== undefined) retired.push(before);
        if (plan !== undefined && plan.mistakes.length > 0) mistakes.set(id, plan.mistakes);
        if (plan === undefined) this.#entries.delete(id);
        else this.#entries.set(id, this.#enter(plan, born));
      }
      if (slices.isOver) await slices.next();
    }
    return { changed, retired, mistakes };
  }

  /** A certificate or an authority changed: services that refer to it are planned anew. */
  touchCertificate(id: string): void {
    for (const serviceId of this.#servicesOfCertificate.get(id) ?? []) this.#stale.add(serviceId);
    for (const upstreamId of this.#upstreamsOfCertificate.get(id) ?? []) this.#touchUpstream(upstreamId);
  }

  #enter(plan: ServicePlan, born: number): ServiceEntry {
    const { record, path, hostHeader } = plan;
    const service = {
      record: Object.freeze({ id: record.id, name: record.name }),
      path,
      hostHeader,
      retries: record.retries,
    };
    return { plan, service, balancer: this.#balancing.acquire(plan.upstream), born };
  }

  /** Some services with what they refer to. */
  #partOf(ids: readonly string[]): Parameters<typeof planServices>[0] {
    const services = ids.flatMap((id) => this.#services.get(id) ?? []);
    const upstreamIds = new Set(services.flatMap(({ value }) => value.upstream_id ?? []));
    const targetIds = [...upstreamIds].flatMap((id) => [...(this.#targetsOf.get(id) ?? [])]);
    return {
      services,
      upstreams: [...upstreamIds].flatMap((id) => this.#upstreams.get(id) ?? []),
      // In one order however they came, so that a node balances alike after a restart.
      targets: targetIds.toSorted().flatMap((id) => this.#targets.get(id) ?? []),
    };
  }

  #putService(id: string, record: Placed<ServiceRecord> | undefined, isKnown: boolean): void {
    const last = this.#services.get(id)?.value;
    const before = last?.upstream_id;
    if (typeof before === 'string') removeFrom(this.#servicesOf, before, id);
    for (const used of certificatesOf(last)) removeFrom(this.#servicesOfCertificate, used, id);
    for (const used of certificatesOf(record?.value)) addTo(this.#servicesOfCertificate, used, id);
    if (record === undefined) this.#services.delete(id);
    else this.#services.set(id, record);
    const next = record?.value.upstream_id;
    if (typeof next === 'string') addTo(this.#servicesOf, next, id);
    if (isKnown) this.#known.add(id);
    else this.#known.delete(id);
    this.#stale.add(id);
  }

  #putUpstream(id: string, record: Placed<UpstreamRecord> | undefined): void {
    const before = this.#upstreams.get(id)?.value.client_certificate_id;
    const next = record?.value.client_certificate_id;
    if (typeof before === 'string') removeFrom(this.#upstreamsOfCertificate, before, id);
    if (typeof next === 'string') addTo(this.#upstreamsOfCertificate, next, id);
    if (record === undefined) this.#upstreams.delete(id);
    else this.#upstreams.set(id, record);
    this.#touchUpstream(id);
  }

  #putTarget(id: string, record: Placed<TargetRecord> | undefined): void {
    const before = this.#targets.get(id)?.value.upstream_id;
    if (before !== undefined) {
      removeFrom(this.#targetsOf, before, id);
      this.#touchUpstream(before);
    }
    if (record === undefined) this.#targets.delete(id);
    else {
      this.#targets.set(id, record);
      addTo(this.#targetsOf, record.value.upstream_id, id);
      this.#touchUpstream(record.value.upstream_id);
    }
  }

  #touchUpstream(id: string): void {
    for (const serviceId of this.#servicesOf.get(id) ?? []) this.#stale.add(serviceId);
  }
}

function certificatesOf(service: ServiceRecord | undefined): readonly string[] {
  if (service === undefined) return [];
  const { client_certificate_id: own, ca_certificate_ids: authorities } = service;
  return typeof own === 'string' ? [own, ...authorities] : authorities;
}

/** Adds to one of the sets of an index. */
export function addTo(index: Map<string, Set<string>>, key: string, id: string): void {
  const ids = index.get(key);
  if (ids === undefined) index.set(key, new Set([id]));
  else ids.add(id);
}

/** Removes from one of the sets of an index; empty ones go. */
export function removeFrom(index: Map<string, Set<string>>, key: string, id: string): void {
  const ids = index.get(key);
  ids?.delete(id);
  if (ids?.size === 0) index.delete(key);
}
