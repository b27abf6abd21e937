import { isDeepStrictEqual } from 'node:util';
import {
  buildRuntimeInSlices,
  type Chain,
  type Clock,
  type DataStores,
  type InlinePlugin,
  type InstanceIdentity,
  type LogFiles,
  type NamedRecord,
  type Outbound,
  type Plugin,
  type PluginInstance,
  type PluginLog,
  type PluginMetrics,
  type Runtime,
  type RuntimeEvents,
  type SecretSource,
  type SharedStore,
} from '@portcullis/plugin-runtime';
import type { Placed } from './checked-changes.ts';
import { ErrorList } from './configuration-errors.ts';
import { missingMessage, MissingPackages } from './missing-packages.ts';
import { SecretPlaces } from '../secret-references/secret-places.ts';
import type { KnownSecret } from '../secret-references/secret-watch.ts';
import type { GatewayRecord, PluginRecord, RouteRecord } from './records.ts';
import type { TimeSlices } from './time-slices.ts';

/** What plugins get from the process. The same for all generations: instances go on from one to the next. */
export interface PluginHost {
  readonly plugins: readonly Plugin[];
  readonly clock: Clock;
  readonly log: PluginLog;
  readonly events: RuntimeEvents;
  readonly newId: () => string;
  readonly outbound?: Outbound;
  readonly secrets?: SecretSource;
  readonly sharedStoreOf?: (tenantId: string) => SharedStore;
  readonly dataStores?: DataStores;
  readonly logFilesOf?: (tenantId: string) => LogFiles;
  readonly metricsOf?: (instance: InstanceIdentity) => PluginMetrics;
}

/** What a chain's place is made of, but for service and route. */
interface ChainPlace {
  readonly gateway: NamedRecord;
  readonly workspaceId?: string;
}

/** What chains are set up from. */
export interface ChainSources {
  readonly host: PluginHost;
  readonly tenantId: string;
  readonly gateway: GatewayRecord;
  readonly plugins: readonly Placed<PluginRecord>[];
  /** What is known of the secrets that configs refer to. */
  readonly knownOf?: ((reference: string) => KnownSecret) | undefined;
  /** Takes over the instances that run and have not changed. */
  readonly previous: Runtime | undefined;
}

/** Either chains or why there are none. */
export type ChainsOutcome =
  | { readonly ok: true; readonly chains: PluginChains }
  | { readonly ok: false; readonly errors: ErrorList };

/**
 * The plugins of a configuration, set up, and the chains of its routes. It goes on from one generation to the next while no
 * instance of the collection changes; routes get chains one by one. Packages that are not installed here are told of, and refuse the
 * requests that they match.
 */
export class PluginChains {
  readonly runtime: Runtime;
  /** Chain of requests without a route: only its error hooks can run. */
  readonly fallback: Chain | undefined;
  /** Instances of the collection whose package is not installed, or of which a secret cannot be read. */
  readonly missing: ErrorList;
  readonly #place: ChainPlace;
  readonly #packages: MissingPackages;
  readonly #secrets: SecretPlaces;
  readonly #standIns: number;

  private constructor(
    runtime: Runtime,
    { packages, secrets }: { readonly packages: MissingPackages; readonly secrets: SecretPlaces },
    place: ChainPlace,
    missing: ErrorList,
  ) {
    this.runtime = runtime;
    this.missing = missing;
    this.#place = place;
    this.#packages = packages;
    this.#secrets = secrets;
    this.#standIns = packages.standIns.length;
    const fallback = runtime.buildChain({ ...place, inline: [] });
    this.fallback = fallback.ok && fallback.chain.hasErrorHooks ? fallback.chain : undefined;
  }

  /**
   * Sets the collection up.
   * @param inlineNames packages that routes name; those that are not installed are stood in for
   */
  static async setUp(
    { host, tenantId, gateway, plugins, knownOf, previous }: ChainSources,
    inlineNames: Iterable<string>,
    slices: TimeSlices,
  ): Promise<ChainsOutcome> {
    const packages = new MissingPackages(host.plugins);
    const secrets = new SecretPlaces(host.plugins, knownOf);
    const missing = new ErrorList();
    const instances: PluginInstance[] = [];
    for (const { value, pointer } of plugins) {
      if (packages.isMissing(value.name)) missing.add(`${pointer}/name`, missingMessage(value.name), 'plugin_missing');
      const instance = secrets.filled(withoutNulls(value) as unknown as PluginInstance, pointer, missing);
      instances.push(packages.replaced(instance));
      if (slices.isOver) await slices.next();
    }
    for (const name of inlineNames) packages.replaced({ name });
    const options = {
      ...host,
      plugins: [...host.plugins, ...packages.standIns],
      instances,
      tenantId,
      ...(host.sharedStoreOf && { sharedStore: host.sharedStoreOf(tenantId) }),
      ...(previous === undefined ? {} : { previous }),
    };
    const build = await buildRuntimeInSlices(options, slices);
    if (!build.ok) {
      const errors = new ErrorList();
      for (const { index, pointer, message } of build.issues) {
        errors.add(`${plugins[index]?.pointer ?? '/resources/plugins'}${pointer}`, message);
      }
      return { ok: false, errors };
    }
    return { ok: true, chains: new PluginChains(build.runtime, { packages, secrets }, chainPlace(gateway), missing) };
  }

  /** Whether a package that is not installed came since the set-up: then it has to be set up anew, with something in its place. */
  knows(route: RouteRecord): boolean {
    for (const entry of route.plugins) this.#packages.replaced(entry);
    return this.#packages.standIns.length === this.#standIns;
  }

  /** The chain of a route without plugins of its own. */
  sharedChainOf({ id, name }: NamedRecord, service: NamedRecord | undefined): Chain {
    return this.runtime.chainFor({ ...this.#place, ...(service && { service }), route: { id, name }, inline: [] });
  }

  /** The chain of a route; `undefined` where `errors` says what is wrong. */
  chainOf(
    { value, pointer }: Placed<RouteRecord>,
    service: NamedRecord | undefined,
    errors: ErrorList,
    missing: ErrorList,
  ): Chain | undefined {
    const inline = value.plugins.map((entry, index) => {
      const isMissing = this.#packages.isMissing(entry.name) && entry['enabled'] !== false;
      if (isMissing) missing.add(`${pointer}/plugins/${index}/name`, missingMessage(entry.name), 'plugin_missing');
      const own = withoutNulls(entry) as unknown as InlinePlugin;
      return this.#packages.replaced(this.#secrets.filled(own, `${pointer}/plugins/${index}`, missing));
    });
    const route = { id: value.id, name: value.name };
    const build = this.runtime.buildChain({ ...this.#place, ...(service && { service }), route, inline });
    if (!build.ok) {
      for (const issue of build.issues) errors.add(`${pointer}/plugins/${issue.index}${issue.pointer}`, issue.message);
      return undefined;
    }
    return build.chain;
  }
}

/** Whether chains are the same under both: all else that a gateway says is nothing to its plugins. */
export function hasSamePlace(one: GatewayRecord | undefined, other: GatewayRecord | undefined): boolean {
  return isDeepStrictEqual(one && chainPlace(one), other && chainPlace(other));
}

function chainPlace(gateway: GatewayRecord): ChainPlace {
  const workspaceId = gateway.workspace_id ?? gateway.workspace?.id;
  const own = { id: gateway.id, name: gateway.name };
  return workspaceId === undefined ? { gateway: own } : { gateway: own, workspaceId };
}

/** On the wire null means absent; the runtime takes a field that is there as one that says something. */
function withoutNulls(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}
