import { parseServiceUrl, type ServiceAddress } from '@portcullis/resources';
import type { PlannedTarget, UpstreamPlan } from '../balancing/upstream-plan.ts';
import type { ErrorList } from './configuration-errors.ts';
import type { Placed } from './checked-changes.ts';
import type { ServiceRecord, TargetRecord, UpstreamRecord } from './records.ts';
import { authorityOf, bareHost, planTarget, planUpstream } from './upstream-plans.ts';

/** Where a service's requests go, before any connection is made. */
export interface ServicePlan {
  readonly record: ServiceRecord;
  readonly path: string;
  readonly hostHeader: string | undefined;
  /** Services of one upstream have the same one. */
  readonly upstream: UpstreamPlan;
}

/** Some services, with the upstreams and targets that they lead to. */
export interface ServiceRecords {
  readonly services: readonly Placed<ServiceRecord>[];
  readonly upstreams: readonly Placed<UpstreamRecord>[];
  readonly targets: readonly Placed<TargetRecord>[];
}

/** Plans every service that is given; mistakes go to `errors`. */
export function planServices(document: ServiceRecords, errors: ErrorList): ReadonlyMap<string, ServicePlan> {
  const targets = targetsByUpstream(document, errors);
  const upstreams = new Map<string, UpstreamPlan>();
  for (const { value } of document.upstreams) upstreams.set(value.id, planUpstream(value, targets.get(value.id) ?? []));
  const plans = new Map<string, ServicePlan>();
  for (const { value, pointer } of document.services) {
    if (typeof value.url === 'string') {
      const plan = planUrl(value, value.url);
      if (plan === undefined) errors.add(`${pointer}/url`, 'is not an address that a gateway can call');
      else plans.set(value.id, plan);
      continue;
    }
    const upstream = upstreams.get(value.upstream_id ?? '');
    if (upstream === undefined) {
      errors.add(`${pointer}/upstream_id`, 'names no upstream of this configuration, and there is no url');
      continue;
    }
    plans.set(value.id, { record: value, path: '/', hostHeader: upstream.hostHeader, upstream });
  }
  return plans;
}

/** A service with an address of its own: an upstream with one target. */
function planUrl(record: ServiceRecord, url: string): ServicePlan | undefined {
  const parsed = parseServiceUrl(url);
  if (parsed === undefined) return undefined;
  const callable = isCallable(parsed);
  const protocol = callable ? parsed.protocol : 'http';
  const authority = authorityOf(protocol, parsed.host, parsed.port);
  const address = { host: bareHost(parsed.host), port: parsed.port, authority };
  const upstream: UpstreamPlan = {
    key: `service ${record.id}`,
    upstreamId: undefined,
    name: record.name,
    protocol,
    hostHeader: undefined,
    algorithm: 'round-robin',
    hashOn: { what: 'none' },
    hashFallback: { what: 'none' },
    slots: 1,
    healthchecks: undefined,
    // Nothing to send to: its routes answer 503, and the rest of the configuration is served.
    targets: callable ? [{ id: undefined, ...address, weight: 1, priority: 0 }] : [],
  };
  return { record, path: parsed.path, hostHeader: undefined, upstream };
}

/** Whether this gateway speaks the protocol of an address: it has HTTP/1.1 only. */
export function isCallable(
  address: ServiceAddress,
): address is ServiceAddress & { readonly protocol: 'http' | 'https' } {
  return address.protocol === 'http' || address.protocol === 'https';
}

function targetsByUpstream(document: ServiceRecords, errors: ErrorList): ReadonlyMap<string, readonly PlannedTarget[]> {
  const found = new Map<string, PlannedTarget[]>();
  for (const { value, pointer } of document.targets) {
    const target = planTarget(value);
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
