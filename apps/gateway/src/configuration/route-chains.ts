import type { Chain, NamedRecord, Runtime } from '@portcullis/plugin-runtime';
import type { Placed } from './checked-changes.ts';
import type { ErrorList } from './configuration-errors.ts';
import type { Lifetimes } from './lifetimes.ts';
import { PluginChains, type ChainSources } from './plugin-chains.ts';
import type { RouteRecord } from './records.ts';
import type { TimeSlices } from './time-slices.ts';

/** A set of chains, and the first generation that has it. */
interface LivingSet {
  readonly chains: PluginChains;
  readonly born: number;
}

/** The chain of a route with plugins of its own. */
interface LivingChain {
  readonly chain: Chain;
  readonly set: PluginChains;
  readonly born: number;
}

/**
 * The chains of routes over many generations, and when they are let go. The collection is set up anew when an instance of it
 * changes; a route's own plugins live as long as a generation has the chain that they are part of. Instances that did not change
 * go on in either case. Source: ADR 0018.
 */
export class RouteChains {
  readonly #lifetimes: Lifetimes;
  /** The runtime of somebody before this one, whose instances go on. */
  readonly #earlier: Runtime | undefined;
  readonly #inline = new Map<string, LivingChain>();
  #set: LivingSet | undefined;

  constructor(lifetimes: Lifetimes, earlier: Runtime | undefined) {
    this.#lifetimes = lifetimes;
    this.#earlier = earlier;
  }

  /** `undefined` before the first set-up. */
  get current(): PluginChains | undefined {
    return this.#set?.chains;
  }

  /**
   * Sets the collection up for a generation; after it every route wants its chain anew.
   * @returns what is wrong; `undefined` when nothing is
   */
  async setUp(
    generation: number,
    sources: Omit<ChainSources, 'previous'>,
    inlineNames: Iterable<string>,
    slices: TimeSlices,
  ): Promise<ErrorList | undefined> {
    const before = this.#set;
    const previous = before?.chains.runtime ?? this.#earlier;
    const outcome = await PluginChains.setUp({ ...sources, previous }, inlineNames, slices);
    if (!outcome.ok) return outcome.errors;
    this.#set = { chains: outcome.chains, born: generation };
    if (before !== undefined) this.#retireSet(before, generation - 1);
    return undefined;
  }

  /** A route's chain from `generation` on; `undefined` where no hook can run, and where `errors` says what is wrong. */
  chainOf(
    generation: number,
    route: Placed<RouteRecord>,
    service: NamedRecord | undefined,
    found: { readonly errors: ErrorList; readonly missing: ErrorList },
  ): Chain | undefined {
    const set = this.#set?.chains;
    const chain = set?.chainOf(route, service, found.errors, found.missing);
    // After the next one was built, which took over what did not change.
    this.drop(generation, route.value.id);
    if (set === undefined || chain === undefined) return undefined;
    if (route.value.plugins.length > 0) this.#inline.set(route.value.id, { chain, set, born: generation });
    return hasHooks(chain) ? chain : undefined;
  }

  /**
   * Whether a route that did not change keeps the chain that it was compiled with: with no plugins of its own, and when none of the
   * collection's that it has changed.
   */
  keeps({ value }: Placed<RouteRecord>, service: NamedRecord | undefined, before: Chain | undefined): boolean {
    const set = this.#set?.chains;
    if (set === undefined || value.plugins.length > 0) return false;
    const chain = set.sharedChainOf(value, service);
    return before === (hasHooks(chain) ? chain : undefined);
  }

  /** A route has no chain any more, or another one, from `generation` on. */
  drop(generation: number, routeId: string): void {
    const before = this.#inline.get(routeId);
    if (before === undefined) return;
    this.#inline.delete(routeId);
    const { chain, set, born } = before;
    // With a set that was replaced all its chains go.
    if (set !== this.#set?.chains) return;
    this.#lifetimes.retire({ born, died: generation - 1, free: () => set.runtime.releaseChain(chain) });
  }

  /** Lets everything go: what was made for `generation` at once, the rest with the last request of the generation before. */
  abandon(generation: number): void {
    for (const { chain, set, born } of this.#inline.values()) {
      if (born === generation) set.runtime.releaseChain(chain);
    }
    this.#inline.clear();
    if (this.#set !== undefined) this.#retireSet(this.#set, generation);
  }

  #retireSet({ chains, born }: LivingSet, died: number): void {
    this.#lifetimes.retire({ born, died, free: () => chains.runtime.dispose() });
  }
}

function hasHooks(chain: Chain): boolean {
  return (
    chain.hasRequestHooks || chain.hasResponseHooks || chain.hasErrorHooks || chain.hasStreamHooks || chain.hasTcpHooks
  );
}
