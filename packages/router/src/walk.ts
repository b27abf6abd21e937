import { meetsConditions } from './conditions.ts';
import type { HostIndex } from './host-index.ts';
import { depthMax, type HostNode } from './host-node.ts';
import { LookUpCostError, lookUpCostMax } from './look-up-cost.ts';
import type { PathExpression } from './path-expression.ts';
import type { PatternNode } from './pattern-node.ts';
import { lengthUnknown, type RouteEntry, type RouteMatch } from './route-entry.ts';
import { compareEntries } from './route-order.ts';
import type { RequestFacts, RouteRule } from './route-rule.ts';
import { addToHash, hashOf, hashSeed } from './text-hash.ts';

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
  #candidates: Candidate<Route>[] | undefined;
  /** Of the expressions that were run, see {@link lookUpCostMax}. */
  #cost = 0;

  /**
   * The first entry in the order of routes that a request meets.
   * @throws LookUpCostError
   */
  find(hosts: HostIndex<HostNode<Route>>, request: RequestFacts): RouteMatch<Route> | undefined {
    this.#begin(request);
    this.#cost = 0;
    hosts.visit(request.host, this);
    const best = this.#best;
    this.#request = undefined;
    this.#best = undefined;
    if (best === undefined || best.isPlain || best.matchedLength !== lengthUnknown) return best;
    return { route: best.route, matchedLength: this.#bestLength };
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
  }

  visitHost(node: HostNode<Route>): void {
    if (this.#isBeyond(node)) return;
    if (node.root !== undefined) this.#consider(node.root, 0);
    if (node.prefixes !== undefined || node.exacts !== undefined) this.#visitPaths(node);
    if (node.patterns !== undefined && !this.#isBeyond(node)) this.#visitPattern(node.patterns, 0);
  }

  /** Whether nothing of a host can come before what was found for a host that goes before it. */
  #isBeyond({ priorityMax, rank }: HostNode<Route>): boolean {
    const best = this.#best;
    if (best === undefined || priorityMax > best.priority) return false;
    if (priorityMax < best.priority || rank > best.hostRank) return true;
    return rank === best.hostRank && best.pathRank === 0;
  }

  /** The hash of the whole path and, on the way, of each prefix that ends with a segment. */
  #visitPaths({ prefixes, exacts, depths }: HostNode<Route>): void {
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
