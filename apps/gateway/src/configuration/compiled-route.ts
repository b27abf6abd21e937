import type { Chain } from '@portcullis/plugin-runtime';
import { HostTable } from '@portcullis/router';
import type { RouteSeries } from '../observations/route-metrics.ts';
import type { CompiledRoute } from './generation.ts';
import { protocolRuleOf } from './protocol-rule.ts';
import type { PlannedRoute } from './route-index.ts';
import type { ServiceEntry } from './service-index.ts';

/** A route with all that a request on it needs. */
export function compiledRoute(
  { value, rule, stream }: PlannedRoute,
  entry: ServiceEntry | undefined,
  chain: Chain | undefined,
  series: RouteSeries,
): CompiledRoute {
  const timeouts = value.timeout_ms ?? {};
  const record = entry?.plan.record;
  return {
    ...rule,
    record: Object.freeze({ id: value.id, name: value.name }),
    service: entry?.service,
    protocolRule: protocolRuleOf(value),
    stripPath: value.strip_path,
    preserveHost: value.preserve_host,
    holdsRequests: value.request_buffering,
    holdsAnswers: value.response_buffering,
    balancer: entry?.balancer,
    connectTimeoutMs: timeouts.connect ?? record?.connect_timeout ?? 0,
    readTimeoutMs: timeouts.read ?? record?.read_timeout ?? 0,
    writeTimeoutMs: timeouts.write ?? record?.write_timeout ?? 0,
    chain,
    series,
    stream,
  };
}

/** Whether a route that was compiled again, for its chain or its service, came out the same: then the table need not change. */
export function isSame(before: CompiledRoute, next: CompiledRoute): boolean {
  const names = Object.keys(next) as (keyof CompiledRoute)[];
  return (
    names.every((name) => name === 'record' || before[name] === next[name]) && before.record.name === next.record.name
  );
}

/** The hosts that a gateway answers for; `undefined` means all. */
export function hostTable(hosts: readonly string[]): HostTable<true> | undefined {
  if (hosts.length === 0) return undefined;
  const table = new HostTable<true>();
  for (const host of hosts) table.obtain(host, () => true);
  return table;
}
