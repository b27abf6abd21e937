import { parseServiceUrl } from '@portcullis/resources';
import type { CertificateSource } from '../certificates/certificate-index.ts';
import type { PlannedTarget, UpstreamPlan } from '../balancing/upstream-plan.ts';
import type { ConfigurationError, ErrorList } from './configuration-errors.ts';
import type { Placed } from './checked-changes.ts';
import type { ServiceRecord, TargetRecord, UpstreamRecord } from './records.ts';
import { authorityOf, bareHost, planTarget, planUpstream } from './upstream-plans.ts';
import { UpstreamTlsPlans, type TlsPlan } from './upstream-tls-plans.ts';

/** Where a service's requests go, before any connection is made. */
export interface ServicePlan {
  readonly record: ServiceRecord;
  readonly path: string;
  readonly hostHeader: string | undefined;
  /** Services of one upstream that meet it alike have the same one. */
  readonly upstream: UpstreamPlan;
  /** Why the service is not called, while all others are: references of its TLS that lead nowhere. */
  readonly mistakes: readonly ConfigurationError[];
}

/** Some services, with the upstreams and targets that they lead to. */
export interface ServiceRecords {
  readonly services: readonly Placed<ServiceRecord>[];
  readonly upstreams: readonly Placed<UpstreamRecord>[];
  readonly targets: readonly Placed<TargetRecord>[];
}

/** Plans every service that is given; mistakes go to `errors`. */
export function planServices(
  document: ServiceRecords,
  certificates: CertificateSource,
  errors: ErrorList,
): ReadonlyMap<string, ServicePlan> {
  const targets = targetsByUpstream(document, errors);
  const upstreams = new Map(document.upstreams.map((upstream) => [upstream.value.id, upstream]));
  const planned = new Map<string, UpstreamPlan>();
  const tlsPlans = new UpstreamTlsPlans(certificates);
  const plans = new Map<string, ServicePlan>();
  for (const service of document.services) {
    const { value, pointer } = service;
    if (typeof value.url === 'string') {
      const plan = planUrl(service, value.url, tlsPlans);
      if (plan === undefined) errors.add(`${pointer}/url`, 'is not an address that a gateway can call');
      else plans.set(value.id, plan);
      continue;
    }
    const upstream = upstreams.get(value.upstream_id ?? '');
    if (upstream === undefined) {
      errors.add(`${pointer}/upstream_id`, 'names no upstream of this configuration, and there is no url');
      continue;
    }
    const tlsPlan = tlsPlans.planOf(service, upstream.value.protocol, upstream);
    const key = `${upstream.value.id} ${tlsPlan.terms}`;
    const plan = planned.get(key) ?? planUpstream(upstream.value, targets.get(upstream.value.id) ?? [], tlsPlan);
    planned.set(key, plan);
    plans.set(value.id, { ...partsOf(value, tlsPlan), path: '/', hostHeader: plan.hostHeader, upstream: plan });
  }
  return plans;
}

/** A service with an address of its own: an upstream with one target. */
function planUrl(service: Placed<ServiceRecord>, url: string, tlsPlans: UpstreamTlsPlans): ServicePlan | undefined {
  const { value: record } = service;
  const parsed = parseServiceUrl(url);
  if (parsed === undefined) return undefined;
  const { protocol } = parsed;
  const authority = authorityOf(protocol, parsed.host, parsed.port);
  const address = { host: bareHost(parsed.host), port: parsed.port, authority };
  const tlsPlan = tlsPlans.planOf(service, protocol, undefined);
  const key = `service ${record.id}`;
  const upstream: UpstreamPlan = {
    key,
    seriesKey: key,
    upstreamId: undefined,
    name: record.name,
    protocol,
    tls: tlsPlan.tls,
    isClosed: tlsPlan.mistakes.length > 0,
    hostHeader: undefined,
    algorithm: 'round-robin',
    hashOn: { what: 'none' },
    hashFallback: { what: 'none' },
    slots: 1,
    healthchecks: undefined,
    targets: [{ id: undefined, ...address, weight: 1, priority: 0 }],
  };
  return { ...partsOf(record, tlsPlan), path: parsed.path, hostHeader: undefined, upstream };
}

function partsOf(record: ServiceRecord, { mistakes }: TlsPlan): Pick<ServicePlan, 'record' | 'mistakes'> {
  return { record, mistakes };
}

function targetsByUpstream(document: ServiceRecords, errors: ErrorList): ReadonlyMap<string, readonly PlannedTarget[]> {
  const found = new Map<string, PlannedTarget[]>();
  const protocols = new Map(document.upstreams.map(({ value }) => [value.id, value.protocol]));
  for (const { value, pointer } of document.targets) {
    const protocol = protocols.get(value.upstream_id);
    const target = planTarget(value, protocol);
    if (target === undefined) {
      errors.add(pointer, 'has no host and port');
      continue;
    }
    const list = found.get(value.upstream_id);
    if (list === undefined) found.set(value.upstream_id, [target]);
    else list.push(target);
  }
  return found;
}
