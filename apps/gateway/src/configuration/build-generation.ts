import type { Chain, Runtime } from '@portcullis/plugin-runtime';
import type { ConfigurationDocument } from '@portcullis/resources';
import type { RouteMetrics } from '../observations/route-metrics.ts';
import { HostTable } from '../router/host-pattern.ts';
import type { RouteRule } from '../router/route-rule.ts';
import { Router } from '../router/router.ts';
import type { UpstreamPools } from '../transport/upstream-pools.ts';
import { BalancerPool } from './balancer-pool.ts';
import { buildChains, type PluginHost } from './build-chains.ts';
import { isReachable, plainStatusOf, routeRule } from './compile-route.ts';
import { ErrorList, type ConfigurationError } from './configuration-errors.ts';
import { buildConsumerDirectory } from './consumer-directory.ts';
import { fieldsNotActedOn, type NotActedOn } from './fields-not-acted-on.ts';
import { Generation, type CompiledRoute, type CompiledService } from './generation.ts';
import { readDocument, type Placed, type ReadDocument } from './read-document.ts';
import type { RouteRecord } from './records.ts';
import { planServices, type ServicePlan } from './service-plans.ts';

/** What building takes from the process. */
export interface BuildPorts {
  readonly pools: UpstreamPools;
  readonly metrics: RouteMetrics;
  readonly plugins: PluginHost;
}

/** A generation ready to serve, or every mistake of the document. */
export type BuildOutcome =
  | {
      readonly ok: true;
      readonly generation: Generation;
      /** Mistakes of single routes, which are left out, and plugins that are not installed; the others are served. */
      readonly leftOut: readonly ConfigurationError[];
      /** What the document says and this gateway does not do. */
      readonly notActedOn: NotActedOn;
    }
  | { readonly ok: false; readonly errors: readonly ConfigurationError[] };

/** A route with its rule and where it leads, before anything is acquired. */
interface PlannedRoute extends Placed<RouteRecord> {
  readonly rule: RouteRule;
  readonly plan: ServicePlan | undefined;
}

/**
 * Builds what serves a document. A route that cannot be matched is left out: one mistake must not keep every later change,
 * a revoked key for instance, from the gateway. Nothing stays acquired when the document is refused.
 */
export function buildGeneration(
  document: ConfigurationDocument,
  ports: BuildPorts,
  previous: Runtime | undefined,
): BuildOutcome {
  const errors = new ErrorList();
  const routeErrors = new ErrorList();
  const read = readDocument(document, errors, routeErrors);
  if (read === undefined) return refusal(errors, routeErrors);
  const consumers = buildConsumerDirectory(read.consumers, read.credentials, errors);
  const routes = planRoutes(read, document, errors, routeErrors);
  if (errors.errors.length > 0 || routes === undefined) return refusal(errors, routeErrors);
  const chains = buildChains(read, routes, ports.plugins, previous, errors, routeErrors);
  if (chains === undefined) return { ok: false, errors: errors.errors };
  const balancers = new BalancerPool(ports.pools);
  const compiled = compileRoutes(routes, chains.ofRoute, balancers, ports.metrics);
  const generation = new Generation({
    revision: document.revision,
    hash: document.hash,
    tenantId: read.tenantId,
    gateway: { id: read.gateway.id, name: read.gateway.name },
    workspaceId: read.gateway.workspace_id ?? read.gateway.workspace?.id,
    hosts: hostTable(read.gateway.hosts),
    allowsEncodedSlashes: read.gateway.allow_encoded_slashes,
    router: new Router(compiled),
    consumers,
    fallbackChain: chains.fallback,
    runtime: chains.runtime,
    dispose: () => {
      balancers.release();
      chains.runtime.dispose();
    },
  });
  return { ok: true, generation, leftOut: routeErrors.errors, notActedOn: fieldsNotActedOn(document) };
}

/** All mistakes at once, those of the whole document first. */
function refusal(errors: ErrorList, routeErrors: ErrorList): BuildOutcome {
  errors.addAll(routeErrors);
  return { ok: false, errors: errors.errors };
}

/**
 * The routes that can be served; those of a disabled service are left out with it.
 * @returns `undefined` when there are routes and each has a mistake: then it is the document that is wrong
 */
function planRoutes(
  read: ReadDocument,
  document: ConfigurationDocument,
  errors: ErrorList,
  routeErrors: ErrorList,
): readonly PlannedRoute[] | undefined {
  const plans = planServices(read, errors);
  const known = new Set(document.resources.services.map(({ id }) => id));
  const planned: PlannedRoute[] = [];
  let soundRoutes = 0;
  for (const { value, pointer } of read.routes) {
    const mistakes = new ErrorList();
    const serviceId = value.service_id ?? undefined;
    if (serviceId !== undefined && !known.has(serviceId)) {
      mistakes.add(`${pointer}/service_id`, 'names no service of this configuration');
    }
    const rule = routeRule(value, pointer, mistakes);
    routeErrors.addAll(mistakes);
    if (mistakes.errors.length > 0) continue;
    soundRoutes += 1;
    // A route that asks for what no request here can have is never the one that matches.
    if (!isReachable(value)) continue;
    const plan = serviceId === undefined ? undefined : plans.get(serviceId);
    if (serviceId === undefined || plan !== undefined) planned.push({ value, pointer, plan, rule });
  }
  return soundRoutes === 0 && routeErrors.errors.length > 0 ? undefined : planned;
}

function compileRoutes(
  routes: readonly PlannedRoute[],
  chains: ReadonlyMap<string, Chain>,
  balancers: BalancerPool,
  metrics: RouteMetrics,
): readonly CompiledRoute[] {
  const services = new Map<ServicePlan, CompiledService>();
  return routes.map(({ value, rule, plan }) => {
    const timeouts = value.timeout_ms ?? {};
    const connectMs = timeouts.connect ?? plan?.record.connect_timeout ?? 0;
    const service = plan && (services.get(plan) ?? compileService(plan));
    if (plan && service) services.set(plan, service);
    return {
      ...rule,
      record: { id: value.id, name: value.name },
      service,
      plainStatus: plainStatusOf(value),
      stripPath: value.strip_path,
      preserveHost: value.preserve_host,
      balancer: plan && balancers.of(plan, connectMs),
      readTimeoutMs: timeouts.read ?? plan?.record.read_timeout ?? 0,
      writeTimeoutMs: timeouts.write ?? plan?.record.write_timeout ?? 0,
      chain: chains.get(value.id),
      series: metrics.of(value.id, plan?.record.id ?? ''),
    };
  });
}

function compileService({ record, path, hostHeader }: ServicePlan): CompiledService {
  return { record: { id: record.id, name: record.name }, path, hostHeader, retries: record.retries };
}

function hostTable(hosts: readonly string[]): HostTable<true> | undefined {
  if (hosts.length === 0) return undefined;
  const table = new HostTable<true>();
  for (const host of hosts) table.obtain(host, () => true);
  return table;
}
