import {
  buildRuntime,
  type Chain,
  type Clock,
  type InlinePlugin,
  type NamedRecord,
  type Plugin,
  type PluginInstance,
  type PluginLog,
  type Runtime,
} from '@portcullis/plugin-runtime';
import type { ErrorList } from './configuration-errors.ts';
import { missingMessage, MissingPackages } from './missing-packages.ts';
import type { Placed, ReadDocument } from './read-document.ts';
import type { RouteRecord, ServiceRecord } from './records.ts';

/** What plugins get from the process. The same for all generations: instances go on from one to the next. */
export interface PluginHost {
  readonly plugins: readonly Plugin[];
  readonly clock: Clock;
  readonly log: PluginLog;
  readonly newId: () => string;
}

/** The chains of a configuration. */
export interface Chains {
  readonly runtime: Runtime;
  /** By route ID; absent where no hook can run. */
  readonly ofRoute: ReadonlyMap<string, Chain>;
  readonly fallback: Chain | undefined;
}

/** A route as its chain depends on it. */
interface ChainedRoute extends Placed<RouteRecord> {
  readonly plan: { readonly record: ServiceRecord } | undefined;
}

/**
 * Sets the plugins up and compiles one chain per route; `undefined` when `errors` says why not. Plugins that are not installed
 * here are told to `missing`; they refuse the requests that they match.
 */
export function buildChains(
  read: ReadDocument,
  routes: readonly ChainedRoute[],
  host: PluginHost,
  previous: Runtime | undefined,
  errors: ErrorList,
  missing: ErrorList,
): Chains | undefined {
  const packages = new MissingPackages(host.plugins);
  const instances = read.plugins.map(({ value, pointer }) => {
    if (packages.isMissing(value.name)) missing.add(`${pointer}/name`, missingMessage(value.name));
    return packages.replaced(withoutNulls(value) as unknown as PluginInstance);
  });
  const inlineOf = new Map(
    routes.map(({ value, pointer }) => {
      const entries = value.plugins.map((entry, index) => {
        const isMissing = packages.isMissing(entry.name) && entry['enabled'] !== false;
        if (isMissing) missing.add(`${pointer}/plugins/${index}/name`, missingMessage(entry.name));
        return packages.replaced(withoutNulls(entry) as unknown as InlinePlugin);
      });
      return [value.id, entries] as const;
    }),
  );
  const build = buildRuntime({
    ...host,
    plugins: [...host.plugins, ...packages.standIns],
    instances,
    tenantId: read.tenantId,
    ...(previous === undefined ? {} : { previous }),
  });
  if (!build.ok) {
    for (const { index, pointer, message } of build.issues) {
      errors.add(`${read.plugins[index]?.pointer ?? '/resources/plugins'}${pointer}`, message);
    }
    return undefined;
  }
  const { runtime } = build;
  const gateway: NamedRecord = { id: read.gateway.id, name: read.gateway.name };
  const workspaceId = read.gateway.workspace_id ?? read.gateway.workspace?.id;
  const place = workspaceId === undefined ? { gateway } : { gateway, workspaceId };
  const ofRoute = new Map<string, Chain>();
  for (const { value, pointer, plan } of routes) {
    const service = plan && { service: { id: plan.record.id, name: plan.record.name } };
    const inline = inlineOf.get(value.id) ?? [];
    const chain = runtime.buildChain({ ...place, ...service, route: { id: value.id, name: value.name }, inline });
    if (!chain.ok) for (const issue of chain.issues) errors.add(inlinePointer(pointer, issue), issue.message);
    else if (hasHooks(chain.chain)) ofRoute.set(value.id, chain.chain);
  }
  const fallback = runtime.buildChain({ ...place, inline: [] });
  if (errors.errors.length > 0) {
    runtime.dispose();
    return undefined;
  }
  return { runtime, ofRoute, fallback: fallback.ok && fallback.chain.hasErrorHooks ? fallback.chain : undefined };
}

function hasHooks(chain: Chain): boolean {
  return chain.hasRequestHooks || chain.hasResponseHooks || chain.hasErrorHooks;
}

function inlinePointer(route: string, issue: { readonly index: number; readonly pointer: string }): string {
  return `${route}/plugins/${issue.index}${issue.pointer}`;
}

/** On the wire null means absent; the runtime takes a field that is there as one that says something. */
function withoutNulls(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}
