import { parseTargetName } from '@portcullis/resources';
import type { HashInput, PlannedTarget, UpstreamPlan } from '../balancing/upstream-plan.ts';
import type { TargetRecord, UpstreamRecord } from './records.ts';

/** What an upstream's record and its targets ask of balancing. */
export function planUpstream(record: UpstreamRecord, targets: readonly PlannedTarget[]): UpstreamPlan {
  const { id, name, algorithm, slots } = record;
  return {
    key: `upstream ${id}`,
    upstreamId: id,
    name,
    protocol: 'http',
    hostHeader: record.host_header ?? undefined,
    algorithm,
    hashOn: hashInput(record, 'on'),
    hashFallback: hashInput(record, 'fallback'),
    slots,
    healthchecks: record.healthchecks ?? undefined,
    targets,
  };
}

/** A target as balancing sees it; `undefined` when it has no host and port. */
export function planTarget(record: TargetRecord): PlannedTarget | undefined {
  const place =
    typeof record.host === 'string' && typeof record.port === 'number'
      ? { host: record.host, port: record.port }
      : parseTargetName(record.name ?? '');
  if (place === undefined) return undefined;
  const host = bareHost(place.host);
  const { id, weight, priority } = record;
  return { id, host, port: place.port, authority: authorityOf('http', host, place.port), weight, priority };
}

/** An address without the brackets that IPv6 has in URLs. */
export function bareHost(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

/** `host[:port]` as it stands in a `host` header. */
export function authorityOf(protocol: 'http' | 'https', host: string, port: number): string {
  const bracketed = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return port === (protocol === 'https' ? 443 : 80) ? bracketed : `${bracketed}:${port}`;
}

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
