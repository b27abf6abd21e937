import { meetsConditions } from './conditions.ts';
import type { HostIndex } from './host-index.ts';
import { depthMax, HostNode } from './host-node.ts';
import { LookUpCostError, lookUpCostMax } from './look-up-cost.ts';
import type { PathExpression } from './path-expression.ts';
import type { PatternNode } from './pattern-node.ts';
import { lengthUnknown, type FoundRoute, type RouteEntry, type RouteMatch } from './route-entry.ts';
import { compareEntries } from './route-order.ts';
import type { RequestFacts, RouteRule } from './route-rule.ts';
import { addToHash, hashOf, hashSeed } from './text-hash.ts';
import type { TextMap } from './text-map.ts';
import type { TextTrie } from './text-trie.ts';

const slash = 0x2f;
const noMatch = -1;

/** An entry whose host and path a request meets. */
export interface Candidate<Route extends RouteRule> {
  readonly entry: RouteEntry<Route>;
  readonly matchedLength: number;
}

/** One look-up at a time, from its beginning to its end without a pause; its fields save a closure per request. */
export class Walk<Route extends RouteRule> {
  #request: RequestFacts | undefined;
  #path = '';
  #best: RouteEntry<Route> | undefined;
  #bestLength = 0;
  /** What was found first and leaves nothing to ask, before anything is known to compare it with; there is then no best entry yet. */
  #direct: Route | undefined;
  /** Where its entry, or its host, is found when there is something to compare it with. */
  #directIn: TextTrie<HostNode<Route>> | TextTrie<RouteEntry<Route>> | undefined;
  #directNumber = 0;
  #candidates: Candidate<Route>[] | undefined;
  /** Of the expressions that were run, see {@link lookUpCostMax}. */
  #cost = 0;

  /**
   * The first entry in the order of routes that a request meets.
   * @throws LookUpCostError
   */
  match(hosts: HostIndex<HostNode<Route>>, request: RequestFacts): RouteMatch<Route> | undefined {
    this.#search(hosts, request);
    this.#settle();
    const best = this.#best;
    this.#best = undefined;
    if (best === undefined || best.isPlain || best.matchedLength !== lengthUnknown) return best;
    return { route: best.route, matchedLength: this.#bestLength };
  }

  /**
   * Writes to `found` what {@link match} gives.
   * @returns whether there is anything
   * @throws LookUpCostError
   */
  find(hosts: HostIndex<HostNode<Route>>, request: RequestFacts, found: FoundRoute<Route>): boolean {
    this.#search(hosts, request);
    if (this.#direct !== undefined) {
      found.route = this.#direct;
      found.matchedLength = this.#bestLength;
      this.#direct = undefined;
      this.#directIn = undefined;
      return true;
    }
    const best = this.#best;
    this.#best = undefined;
    found.route = best?.route;
    found.matchedLength =
      best === undefined || best.matchedLength === lengthUnknown ? this.#bestLength : best.matchedLength;
    return best !== undefined;
  }

  #search(hosts: HostIndex<HostNode<Route>>, request: RequestFacts): void {
    this.#begin(request);
    this.#cost = 0;
    hosts.visit(request.host, this);
    this.#request = undefined;
  }

  /**
   * Every entry whose host and path a request meets, whatever else they ask for, in no order. What finding its route has
   * cost counts too: both together are one explanation.
   * @throws LookUpCostError
   */
  collect(hosts: HostIndex<HostNode<Route>>, request: RequestFacts): readonly Candidate<Route>[] {
    this.#begin(request);
    const candidates: Candidate<Route>[] = [];
    this.#candidates = candidates;
    try {
      hosts.visit(request.host, this);
    } finally {
      this.#candidates = undefined;
      this.#request = undefined;
    }
    return candidates;
  }

  #begin(request: RequestFacts): void {
    this.#request = request;
    this.#path = request.path;
    this.#best = undefined;
    this.#direct = undefined;
  }

  visitNumber(hosts: TextTrie<HostNode<Route>>, number: number): void {
    if (!this.#takesDirectly(hosts, number, 0)) this.visitHost(hosts.arena.values[number - 1] as HostNode<Route>);
  }

  /** Takes what decides a look-up by itself, if it is the first that is found. */
  #takesDirectly(
    trie: TextTrie<HostNode<Route>> | TextTrie<RouteEntry<Route>>,
    number: number,
    length: number,
  ): boolean {
    if (this.#best !== undefined || this.#direct !== undefined || this.#candidates !== undefined) return false;
    const direct = trie.arena.directs[number - 1];
    if (direct === undefined) return false;
    this.#direct = direct as Route;
    this.#directIn = trie;
    this.#directNumber = number;
    this.#bestLength = length;
    return true;
  }

  /** Makes what was taken directly the best entry. */
  #settle(): void {
    if (this.#direct === undefined) return;
    const value = this.#directIn?.arena.values[this.#directNumber - 1];
    this.#best = value instanceof HostNode ? value.root : value;
    this.#direct = undefined;
    this.#directIn = undefined;
  }

  visitHost(node: HostNode<Route>): void {
    this.#settle();
    if (this.#isBeyond(node)) return;
    if (node.root !== undefined) this.#consider(node.root, 0);
    if (node.prefixes !== undefined || node.exacts !== undefined) this.#visitPaths(node);
    if (node.patterns === undefined) return;
    this.#settle();
    if (!this.#isBeyond(node)) this.#visitPattern(node.patterns, 0);
  }

  /** Whether nothing of a host can come before what was found for a host that goes before it. */
  #isBeyond({ priorityMax, rank }: HostNode<Route>): boolean {
    const best = this.#best;
    if (best === undefined || priorityMax > best.priority) return false;
    if (priorityMax < best.priority || rank > best.hostRank) return true;
    return rank === best.hostRank && best.pathRank === 0;
  }

  #visitPaths(node: HostNode<Route>): void {
    const { prefixes, exacts } = node;
    if (prefixes?.trie !== undefined) prefixes.trie.visitBeginnings(this.#path, slash, this);
    if (exacts?.trie !== undefined) this.#visitExact(exacts.trie);
    const fewPrefixes = prefixes?.trie === undefined ? prefixes : undefined;
    const fewExacts = exacts?.trie === undefined ? exacts : undefined;
    if (fewPrefixes !== undefined || fewExacts !== undefined) this.#visitFew(fewPrefixes, fewExacts, node.depths);
  }

  #visitExact(exacts: TextTrie<RouteEntry<Route>>): void {
    const path = this.#path;
    const number = exacts.numberOf(path, 0, path.length);
    if (number !== 0) this.visitBeginning(exacts, number, path.length);
  }

  visitBeginning(trie: TextTrie<RouteEntry<Route>>, number: number, length: number): void {
    if (!this.#takesDirectly(trie, number, length)) {
      this.#consider(trie.arena.values[number - 1] as RouteEntry<Route>, length);
    }
  }

  /** The hash of the whole path and, on the way, of each prefix that ends with a segment. */
  #visitFew(
    prefixes: TextMap<RouteEntry<Route>> | undefined,
    exacts: TextMap<RouteEntry<Route>> | undefined,
    depths: number,
  ): void {
    const path = this.#path;
    const end = path.length;
    let hash = addToHash(hashSeed, slash);
    let depth = 1;
    for (let at = 1; at < end; at += 1) {
      const code = path.charCodeAt(at);
      if (code === slash) {
        if (prefixes !== undefined && ((depths >>> depth) & 1) === 1) {
          const entry = prefixes.find(hash, path, 0, at);
          if (entry !== undefined) this.#consider(entry, at);
        }
        if (depth < depthMax) depth += 1;
        if (exacts === undefined && depths >>> depth === 0) return;
      }
      hash = addToHash(hash, code);
    }
    if (prefixes !== undefined && ((depths >>> depth) & 1) === 1) {
      const entry = prefixes.find(hash, path, 0, end);
      if (entry !== undefined) this.#consider(entry, end);
    }
    const entry = exacts?.find(hash, path, 0, end);
    if (entry !== undefined) this.#consider(entry, end);
  }

  /** @param position of the slash before the next segment; the path's length when there is none */
  #visitPattern(node: PatternNode<Route>, position: number): void {
    if (node.opens !== undefined) this.#consider(node.opens, position);
    if (node.verifies !== undefined) this.#consider(node.verifies, position);
    if (position === this.#path.length) {
      if (node.ends !== undefined) this.#consider(node.ends, position);
      return;
    }
    if (node.leads !== undefined) this.#visitLeads(node, position + 1);
    const next = this.#path.indexOf('/', position + 1);
    const end = next === -1 ? this.#path.length : next;
    const child = node.literals?.find(hashOf(this.#path, position + 1, end), this.#path, position + 1, end);
    if (child !== undefined) this.#visitPattern(child, end);
    if (node.wildcard !== undefined && end > position + 1) this.#visitPattern(node.wildcard, end);
  }

  #visitLeads({ leads, leadLengths }: PatternNode<Route>, start: number): void {
    const path = this.#path;
    let hash = hashSeed;
    let at = start;
    for (const length of leadLengths) {
      const end = start + length;
      if (end > path.length) return;
      for (; at < end; at += 1) hash = addToHash(hash, path.charCodeAt(at));
      const entry = leads?.find(hash, path, start, end);
      if (entry !== undefined) this.#consider(entry, start);
    }
  }

  /** Takes the first of a place's entries that the request meets, if it comes before the best so far. */
  #consider(first: RouteEntry<Route>, length: number): void {
    if (this.#candidates !== undefined) return this.#gather(first, length, this.#candidates);
    this.#settle();
    if (this.#best !== undefined && compareEntries(first, this.#best) >= 0) return;
    if (first.isPlain) {
      this.#best = first;
      return;
    }
    if (this.#takes(first, length)) return;
    for (const entry of first.others ?? []) {
      if (this.#best !== undefined && compareEntries(entry, this.#best) >= 0) return;
      if (this.#takes(entry, length)) return;
    }
  }

  #takes(entry: RouteEntry<Route>, length: number): boolean {
    if (!entry.unconditional && (this.#request === undefined || !meetsConditions(entry.route, this.#request))) {
      return false;
    }
    if (entry.expression !== undefined) {
      length = this.#matchedLength(entry, entry.expression);
      if (length === noMatch) return false;
    }
    this.#best = entry;
    this.#bestLength = length;
    return true;
  }

  #gather(first: RouteEntry<Route>, length: number, into: Candidate<Route>[]): void {
    for (const entry of [first, ...(first.others ?? [])]) {
      const { expression } = entry;
      const matchedLength = expression === undefined ? length : this.#matchedLength(entry, expression);
      if (matchedLength !== noMatch) into.push({ entry, matchedLength });
    }
  }

  /** How much of the path an entry's expression matches. */
  #matchedLength({ ending, programSize }: RouteEntry<Route>, expression: PathExpression): number {
    const path = this.#path;
    if (!path.endsWith(ending)) return noMatch;
    this.#cost += programSize * (path.length + 1);
    if (this.#cost > lookUpCostMax) throw new LookUpCostError(this.#candidates !== undefined);
    const matcher = expression.matcher(path);
    return matcher.lookingAt() ? matcher.end() : noMatch;
  }
}
