import { parseServiceUrl, parseTargetName, type ServiceAddress } from '@portcullis/resources';
import type { UpstreamAddress } from '../transport/undici-client.ts';
import type { ErrorList } from './configuration-errors.ts';
import type { Placed, ReadDocument } from './read-document.ts';
import type { ServiceRecord, TargetRecord } from './records.ts';

/** Where a service's requests go, before any connection is made. */
export interface ServicePlan {
  readonly record: ServiceRecord;
  readonly path: string;
  readonly hostHeader: string | undefined;
  /** Names what is shared by services: those of one upstream take turns together. */
  readonly poolKey: string;
  readonly targets: readonly PlannedTarget[];
}

/** An address with its share; the connect time-out is the route's to say. */
export interface PlannedTarget {
  readonly id: string | undefined;
  readonly address: Omit<UpstreamAddress, 'connectTimeoutMs'>;
  /** `host[:port]`, without the scheme's own port. */
  readonly authority: string;
  readonly weight: number;
}

/** Plans every service of a document; mistakes go to `errors`. */
export function planServices(document: ReadDocument, errors: ErrorList): ReadonlyMap<string, ServicePlan> {
  const upstreams = new Map(document.upstreams.map(({ value }) => [value.id, value]));
  const targets = targetsByUpstream(document.targets, errors);
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
    plans.set(value.id, {
      record: value,
      path: '/',
      hostHeader: upstream.host_header ?? undefined,
      poolKey: `upstream ${upstream.id}`,
      targets: targets.get(upstream.id) ?? [],
    });
  }
  return plans;
}

function planUrl(record: ServiceRecord, url: string): ServicePlan | undefined {
  const parsed = parseServiceUrl(url);
  if (parsed === undefined) return undefined;
  const plan = { record, path: parsed.path, hostHeader: undefined, poolKey: `service ${record.id}` };
  // Nothing to send to: its routes answer 503, and the rest of the configuration is served.
  if (!isCallable(parsed)) return { ...plan, targets: [] };
  const { protocol, port } = parsed;
  const target = { id: undefined, address: { protocol, host: bare(parsed.host), port }, weight: 1 };
  return { ...plan, targets: [{ ...target, authority: authorityOf(protocol, parsed.host, port) }] };
}

/** Whether this gateway speaks the protocol of an address: it has HTTP/1.1 only. */
export function isCallable(
  address: ServiceAddress,
): address is ServiceAddress & { readonly protocol: 'http' | 'https' } {
  return address.protocol === 'http' || address.protocol === 'https';
}

/** Enabled targets with a weight: weight 0 drains. */
function targetsByUpstream(
  targets: readonly Placed<TargetRecord>[],
  errors: ErrorList,
): ReadonlyMap<string, readonly PlannedTarget[]> {
  const found = new Map<string, PlannedTarget[]>();
  for (const { value, pointer } of targets) {
    const place =
      typeof value.host === 'string' && typeof value.port === 'number'
        ? { host: value.host, port: value.port }
        : parseTargetName(value.name ?? '');
    if (place === undefined) {
      errors.add(pointer, 'has no host and port');
      continue;
    }
    if (value.weight === 0) continue;
    const host = bare(place.host);
    const list = found.get(value.upstream_id) ?? [];
    list.push({
      id: value.id,
      address: { protocol: 'http', host, port: place.port },
      authority: authorityOf('http', host, place.port),
      weight: value.weight,
    });
    found.set(value.upstream_id, list);
  }
  return found;
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

function authorityOf(protocol: 'http' | 'https', host: string, port: number): string {
  const bracketed = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return port === (protocol === 'https' ? 443 : 80) ? bracketed : `${bracketed}:${port}`;
}
