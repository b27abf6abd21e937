import { Edit } from './edit.ts';
import { explainMatch, type ExplainLimits, type RouteExplanation } from './explain.ts';
import { hostIndex, type HostIndex } from './host-index.ts';
import { directOfHost, withChoice, withoutChoice, type HostNode } from './host-node.ts';
import type { CompileExpression } from './path-expression.ts';
import type { FoundRoute, RouteMatch } from './route-entry.ts';
import type { PathRule, RequestFacts, RouteRule } from './route-rule.ts';
import { hashOf } from './text-hash.ts';
import { TextMap } from './text-map.ts';
import { Walk } from './walk.ts';

/** What every table needs. */
export interface RouteTableOptions {
  /** Compiles regular expressions of paths; what it throws, building and changing a table throw. */
  readonly compile: CompileExpression;
}

/** A change of a table. A route that is in both lists is in the new table. */
export interface RouteChanges<Route extends RouteRule> {
  /** Routes to add, or to put in the place of those with the same ID. */
  readonly upsert?: Iterable<Route>;
  /** IDs of routes to leave out; unknown ones mean nothing. */
  readonly remove?: Iterable<string>;
}

/**
 * An immutable table of routes. A look-up costs the same whatever their number: hosts and paths are found by hash, regular
 * expressions in a tree of segments. A changed table shares all that the change does not touch.
 */
export class RouteTable<Route extends RouteRule> {
  readonly #hosts: HostIndex<HostNode<Route>>;
  readonly #routes: TextMap<Route>;
  readonly #options: RouteTableOptions;
  readonly #walk = new Walk<Route>();

  /** Use `routeTable` or `buildRouteTable`. */
  constructor(
    options: RouteTableOptions,
    hosts: HostIndex<HostNode<Route>> = hostIndex<HostNode<Route>>(directOfHost),
    routes: TextMap<Route> = new TextMap(),
  ) {
    this.#options = options;
    this.#hosts = hosts;
    this.#routes = routes;
  }

  /** How many routes there are. */
  get size(): number {
    return this.#routes.size;
  }

  /** The route with an ID. */
  get(id: string): Route | undefined {
    return this.#routes.find(hashOf(id), id, 0, id.length);
  }

  /** All routes, in no order that means anything. */
  routes(): IterableIterator<Route> {
    return this.#routes.values();
  }

  /**
   * The first route, in the order of the wire contract, that a request meets.
   * @throws LookUpCostError when expressions would hold up other requests; such a one must be refused
   */
  match(request: RequestFacts): RouteMatch<Route> | undefined {
    return this.#walk.match(this.#hosts, request);
  }

  /**
   * Writes to `found` what {@link match} gives, for one who looks up all the time: nothing is made, and of what many routes have each,
   * nothing is fetched from memory where host and path decide.
   * @returns whether there is a route
   * @throws LookUpCostError as `match` does
   */
  find(request: RequestFacts, found: FoundRoute<Route>): boolean {
    return this.#walk.find(this.#hosts, request, found);
  }

  /** {@link match}, and why: which other routes have the request's host and path, and what each lost by or asks for. @throws LookUpCostError as `match` does, or while it collects those others */
  explain(request: RequestFacts, limits?: ExplainLimits): RouteExplanation<Route> {
    return explainMatch(this.match(request), this.#walk.collect(this.#hosts, request), request, limits);
  }

  /**
   * A table with some routes changed; this one stays as it is. Costs as much as the change.
   * @throws what compiling an expression throws
   */
  with({ upsert = [], remove = [] }: RouteChanges<Route>): RouteTable<Route> {
    const draft = new RouteTableDraft(this.#options, this.#hosts, this.#routes);
    for (const id of remove) draft.remove(id);
    for (const route of upsert) draft.put(route);
    return draft.table();
  }
}

/** A table that is being made. Nobody else has what it writes to. */
export class RouteTableDraft<Route extends RouteRule> {
  readonly #edit = new Edit();
  readonly #options: RouteTableOptions;
  #hosts: HostIndex<HostNode<Route>>;
  #routes: TextMap<Route>;

  constructor(
    options: RouteTableOptions,
    hosts: HostIndex<HostNode<Route>> = hostIndex<HostNode<Route>>(directOfHost),
    routes: TextMap<Route> = new TextMap(),
  ) {
    this.#options = options;
    this.#hosts = hosts;
    this.#routes = routes;
  }

  /** Adds a route, or puts it in the place of the one with its ID. */
  put(route: Route): void {
    this.remove(route.id);
    const { compile } = this.#options;
    this.#routes = this.#routes.with(this.#edit, hashOf(route.id), route.id, route);
    for (const { host, path } of choicesOf(route)) {
      const node = withChoice(this.#edit, this.#hosts.get(host), route, host, path, compile);
      this.#hosts = this.#hosts.with(this.#edit, host, node);
    }
  }

  /** Leaves out the route with an ID, if there is one. */
  remove(id: string): void {
    const hash = hashOf(id);
    const route = this.#routes.find(hash, id, 0, id.length);
    if (route === undefined) return;
    this.#routes = this.#routes.with(this.#edit, hash, id, undefined);
    for (const { host, path } of choicesOf(route)) {
      const node = this.#hosts.get(host);
      if (node === undefined) continue;
      this.#hosts = this.#hosts.with(this.#edit, host, withoutChoice(this.#edit, node, id, path));
    }
  }

  /** The table. The draft must not be used after it. */
  table(): RouteTable<Route> {
    return new RouteTable(this.#options, this.#hosts, this.#routes);
  }
}

/** Every way in which a route can match. */
function choicesOf(
  route: RouteRule,
): readonly { readonly host: string | undefined; readonly path: PathRule | undefined }[] {
  const hosts = route.hosts.length > 0 ? route.hosts : [undefined];
  const paths = route.paths.length > 0 ? route.paths : [undefined];
  return hosts.flatMap((host) => paths.map((path) => ({ host, path })));
}
