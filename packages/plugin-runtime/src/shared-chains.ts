import type { AdoptResponse } from './apply-result.ts';
import type { Chain } from './chain.ts';
import type { CollectionIndex } from './collection-index.ts';
import { compileChain, type PlacedInstance } from './compile-chain.ts';
import { consumerGuardOf, type ChainTarget } from './scope-matching.ts';
import { triggerOf } from './trigger-stages.ts';

/** A chain with what it was compiled of. */
interface SharedChain {
  readonly chain: Chain;
  readonly placed: readonly PlacedInstance[];
}

/**
 * The chains of targets without plugins of their own. Targets that the same instances match have the same chain, and a chain of which
 * nothing changed goes on from the runtime before: so a host sees by its identity that nothing changed for a target.
 */
export class SharedChains {
  readonly #collection: CollectionIndex;
  readonly #adopt: AdoptResponse | undefined;
  /** Those of the runtime before, which empties them when it is disposed. It knows none before it: no line of runtimes stays in memory. */
  readonly #earlier: ReadonlyMap<string, SharedChain>;
  /** By gateway, workspace and tenant, for targets that only common instances see: that is most of them. */
  readonly #ofPlaces = new Map<string, Chain>();
  /** By the IDs of the instances, in their order. */
  readonly #ofInstances = new Map<string, SharedChain>();

  constructor(collection: CollectionIndex, adopt: AdoptResponse | undefined, earlier: SharedChains | undefined) {
    this.#collection = collection;
    this.#adopt = adopt;
    this.#earlier = earlier !== undefined && earlier.#adopt === adopt ? earlier.#ofInstances : new Map();
  }

  /** The chain of a target. */
  of(target: ChainTarget): Chain {
    if (this.#collection.narrowMatching(target).length > 0) return this.#obtain(this.placed(target));
    const place = JSON.stringify([target.tenantId, target.gateway.id, target.workspaceId]);
    const known = this.#ofPlaces.get(place);
    if (known !== undefined) return known;
    const chain = this.#obtain(this.placed(target));
    this.#ofPlaces.set(place, chain);
    return chain;
  }

  /** The instances of the collection that a target has, in their order. */
  placed(target: ChainTarget): readonly PlacedInstance[] {
    return this.#collection.matching(target).map(({ record, running }) => ({
      running,
      trigger: triggerOf(record, running.plugin),
      guard: consumerGuardOf(record),
    }));
  }

  /** The runtime is disposed: nobody takes its chains over any more. */
  clear(): void {
    this.#ofPlaces.clear();
    this.#ofInstances.clear();
  }

  #obtain(placed: readonly PlacedInstance[]): Chain {
    const key = JSON.stringify(placed.map(({ running }) => running.identity.id));
    const known = this.#ofInstances.get(key);
    if (known !== undefined) return known.chain;
    const earlier = this.#earlier.get(key);
    const isSame = earlier?.placed.every((one, index) => isAlike(one, placed[index] as PlacedInstance)) === true;
    const shared = isSame ? earlier : { chain: compileChain(placed, [], this.#adopt), placed };
    this.#ofInstances.set(key, shared);
    return shared.chain;
  }
}

/** Whether an instance that goes on does so in the same way. */
function isAlike(before: PlacedInstance, now: PlacedInstance): boolean {
  return (
    before.running === now.running &&
    before.trigger === now.trigger &&
    before.guard?.consumerId === now.guard?.consumerId &&
    before.guard?.group === now.guard?.group
  );
}
