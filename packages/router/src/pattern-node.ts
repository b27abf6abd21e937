import type { Edit } from './edit.ts';
import type { Place } from './place.ts';
import type { RouteEntry } from './route-entry.ts';
import type { RouteRule } from './route-rule.ts';
import type { SegmentStep } from './segment-pattern.ts';
import { hashOf } from './text-hash.ts';
import { TextMap } from './text-map.ts';
import type { DirectOf } from './trie-arena.ts';

/** A node of the tree of path segments that regular expressions are sorted into. */
export class PatternNode<Route extends RouteRule> {
  readonly owner: Edit;
  literals: TextMap<PatternNode<Route>> | undefined;
  wildcard: PatternNode<Route> | undefined;
  /** For paths that end here. */
  ends: Place<Route>;
  /** For paths that end here or go on. */
  opens: Place<Route>;
  /** Those whose expression has to be asked, with the whole path. */
  verifies: Place<Route>;
  /** The same, by what the next segment begins with. */
  leads: TextMap<RouteEntry<Route>> | undefined;
  /** Lengths of the keys of {@link leads}, upwards; perhaps some that no key has any more. */
  leadLengths: readonly number[];

  constructor(owner: Edit, from?: PatternNode<Route>) {
    this.owner = owner;
    this.literals = from?.literals;
    this.wildcard = from?.wildcard;
    this.ends = from?.ends;
    this.opens = from?.opens;
    this.verifies = from?.verifies;
    this.leads = from?.leads;
    this.leadLengths = from?.leadLengths ?? [];
  }

  isEmpty(): boolean {
    const hasChildren = this.literals !== undefined || this.wildcard !== undefined;
    const hasEntries = this.ends !== undefined || this.opens !== undefined || this.verifies !== undefined;
    return !hasChildren && !hasEntries && this.leads === undefined;
  }
}

/**
 * A tree with one node changed: the nodes on the way are copied, unless the same change has made them.
 * @param change changes the node where the steps lead
 * @returns `undefined` when nothing is left
 */
export function changedTree<Route extends RouteRule>(
  edit: Edit,
  tree: PatternNode<Route> | undefined,
  steps: readonly SegmentStep[],
  change: (node: PatternNode<Route>) => void,
): PatternNode<Route> | undefined {
  const node = tree?.owner === edit ? tree : new PatternNode(edit, tree);
  const [step, ...further] = steps;
  if (steps.length === 0) change(node);
  else if (step === undefined) node.wildcard = changedTree(edit, node.wildcard, further, change);
  else {
    const hash = hashOf(step);
    const child = changedTree(edit, node.literals?.find(hash, step, 0, step.length), further, change);
    node.literals = withText(edit, node.literals, hash, step, child);
  }
  return node.isEmpty() ? undefined : node;
}

/** A map, which is only there while something is in it, with a key set or left out. */
export function withText<Value extends object>(
  edit: Edit,
  map: TextMap<Value> | undefined,
  hash: number,
  key: string,
  value: Value | undefined,
  directOf?: DirectOf<Value>,
): TextMap<Value> | undefined {
  const changed = (map ?? new TextMap<Value>(directOf)).with(edit, hash, key, value);
  return changed.size === 0 ? undefined : changed;
}
