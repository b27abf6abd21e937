import { compileRouteExpression } from '@portcullis/resources';
import type { RE2JS } from 're2js';
import { meetsConditions } from './conditions.ts';
import { HostTable } from './host-pattern.ts';
import { insertChoice, PathNode, type TableEntry } from './path-trie.ts';
import { choicesOf, inOrder } from './route-order.ts';
import type { RequestFacts, RouteRule } from './route-rule.ts';

/** The route of a request, and how much of its path the route's path matched. */
export interface RouteMatch<Route extends RouteRule> {
  readonly route: Route;
  /** Length of the matched part, in characters of the normalised path; what `strip_path` cuts off. */
  readonly matchedLength: number;
}

/**
 * An immutable table of routes. A look-up costs the same whatever the number of routes: hosts are found in maps, paths in
 * a tree of segments, and the lowest order that is found so far cuts off the rest.
 */
export class Router<Route extends RouteRule> {
  readonly #hosts = new HostTable<PathNode<Route>>();
  readonly #walk = new Walk<Route>();

  /** @param routes with normalised paths and expressions that {@link compileRouteExpression} takes */
  constructor(routes: readonly Route[]) {
    const compiled = new Map<string, RE2JS>();
    const compile = (expression: string): RE2JS => {
      const known = compiled.get(expression) ?? compileRouteExpression(expression);
      compiled.set(expression, known);
      return known;
    };
    for (const [order, choice] of inOrder(routes.flatMap((route) => choicesOf(route))).entries()) {
      insertChoice(
        this.#hosts.obtain(choice.host, () => new PathNode()),
        choice,
        order,
        compile,
      );
    }
  }

  /** The first route, in the order of the wire contract, that a request meets. */
  match(request: RequestFacts): RouteMatch<Route> | undefined {
    return this.#walk.find(this.#hosts, request);
  }
}

/** One look-up at a time; its fields save a closure per request. */
class Walk<Route extends RouteRule> {
  #request: RequestFacts | undefined;
  #path = '';
  #best: TableEntry<Route> | undefined;
  #bestOrder = Number.POSITIVE_INFINITY;
  #bestLength = 0;

  find(hosts: HostTable<PathNode<Route>>, request: RequestFacts): RouteMatch<Route> | undefined {
    this.#request = request;
    this.#path = request.path;
    this.#best = undefined;
    this.#bestOrder = Number.POSITIVE_INFINITY;
    hosts.visit(request.host, this);
    this.#request = undefined;
    return this.#result();
  }

  #result(): RouteMatch<Route> | undefined {
    return this.#best && { route: this.#best.route, matchedLength: this.#bestLength };
  }

  visitHost(root: PathNode<Route>): void {
    this.#visit(root, 0);
  }

  /** @param position of the slash before the next segment; the path's length when there is none */
  #visit(node: PathNode<Route>, position: number): void {
    if (node.lowestOrder >= this.#bestOrder) return;
    if (node.opens.length > 0) this.#consider(node.opens, position);
    if (node.verifies.length > 0) this.#ask(node.verifies);
    if (position === this.#path.length) {
      if (node.ends.length > 0) this.#consider(node.ends, position);
      return;
    }
    const slash = this.#path.indexOf('/', position + 1);
    const end = slash === -1 ? this.#path.length : slash;
    if (node.literals.size > 0) {
      const child = node.literals.get(this.#path.slice(position + 1, end));
      if (child !== undefined) this.#visit(child, end);
    }
    if (node.wildcard !== undefined && end > position + 1) this.#visit(node.wildcard, end);
  }

  #consider(entries: readonly TableEntry<Route>[], length: number): void {
    for (const entry of entries) {
      if (entry.order >= this.#bestOrder) return;
      if (this.#request === undefined || !meetsConditions(entry.route, this.#request)) continue;
      this.#keep(entry, length);
      return;
    }
  }

  #ask(entries: readonly TableEntry<Route>[]): void {
    for (const entry of entries) {
      if (entry.order >= this.#bestOrder) return;
      if (this.#request === undefined || !meetsConditions(entry.route, this.#request)) continue;
      const matcher = entry.expression?.matcher(this.#path);
      if (matcher === undefined || !matcher.lookingAt()) continue;
      this.#keep(entry, matcher.end());
      return;
    }
  }

  #keep(entry: TableEntry<Route>, length: number): void {
    this.#best = entry;
    this.#bestOrder = entry.order;
    this.#bestLength = length;
  }
}
