import { parseTargetName } from '@portcullis/resources';
import type { HashInput, PlannedTarget, UpstreamPlan } from '../balancing/upstream-plan.ts';
import type { UpstreamProtocol } from '../transport/upstream-transport.ts';
import type { TargetRecord, UpstreamRecord } from './records.ts';
import type { TlsPlan } from './upstream-tls-plans.ts';

/**
 * What an upstream's record and its targets ask of balancing. Services that meet it in TLS each in its own way have a plan each.
 * @param tlsPlan of the services that have the plan
 */
export function planUpstream(
  record: UpstreamRecord,
  targets: readonly PlannedTarget[],
  { terms, tls, mistakes }: TlsPlan,
): UpstreamPlan {
  const { id, name, protocol, algorithm, slots } = record;
  const seriesKey = `upstream ${id}`;
  return {
    key: terms === '' ? seriesKey : `${seriesKey} ${terms}`,
    seriesKey,
    upstreamId: id,
    name,
    protocol,
    tls,
    isClosed: mistakes.length > 0,
    hostHeader: record.host_header ?? undefined,
    algorithm,
    hashOn: hashInput(record, 'on'),
    hashFallback: hashInput(record, 'fallback'),
    slots,
    healthchecks: record.healthchecks ?? undefined,
    targets,
  };
}

/**
 * A target as balancing sees it; `undefined` when it has no host and port.
 * @param protocol of its upstream
 */
export function planTarget(record: TargetRecord, protocol: UpstreamProtocol = 'http'): PlannedTarget | undefined {
  const place =
    typeof record.host === 'string' && typeof record.port === 'number'
      ? { host: record.host, port: record.port }
      : parseTargetName(record.name ?? '');
  if (place === undefined) return undefined;
  const host = bareHost(place.host);
  const { id, weight, priority } = record;
  return { id, host, port: place.port, authority: authorityOf(protocol, host, place.port), weight, priority };
}

/** An address without the brackets that IPv6 has in URLs. */
export function bareHost(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

/** `host[:port]` as it stands in a `host` header. */
export function authorityOf(protocol: UpstreamProtocol, host: string, port: number): string {
  const bracketed = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return port === ownPorts[protocol] ? bracketed : `${bracketed}:${port}`;
}

const ownPorts: Readonly<Partial<Record<UpstreamProtocol, number>>> = { http: 80, https: 443, grpc: 80, grpcs: 443 };

/** What is hashed; the control plane has checked that its name is given. Both cookies are one. */
function hashInput(record: UpstreamRecord, place: 'on' | 'fallback'): HashInput {
  const what = record[`hash_${place}`];
  if (what === 'cookie') {
    const name = record.hash_on_cookie ?? '';
    return name === '' ? { what: 'none' } : { what, name, path: record.hash_on_cookie_path };
  }
  if (what !== 'header' && what !== 'query_arg' && what !== 'uri_capture') return { what };
  const name = record[`hash_${place}_${what}`] ?? '';
  if (name === '') return { what: 'none' };
  return { what, name: what === 'header' ? name.toLowerCase() : name };
}
