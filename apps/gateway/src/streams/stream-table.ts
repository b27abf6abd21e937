import type { ConnectionFacts } from '../transport/server-transport.ts';
import { compareRules, takesEnds, type StreamRule } from './stream-rule.ts';

/** A route of connections: what leads to it, and whatever else it has. */
export interface StreamRoute {
  readonly stream?: StreamRule | undefined;
}

interface Ruled<Route> {
  readonly rule: StreamRule;
  readonly route: Route;
}

type Ranked<Route> = readonly Ruled<Route>[];

/**
 * The routes of connections, as one generation has them: immutable. One total order: priority, exact server name, longer wildcard, shorter
 * wildcard, none, then {@link compareRules}. To look one up costs a few accesses of maps, and a pass over those routes only that say the
 * same of the server name, or of the port.
 */
export class StreamTable<Route extends StreamRoute> {
  readonly #passed: NameIndex<Route>;
  readonly #terminated: NameIndex<Route>;
  readonly #byPort: ReadonlyMap<number, Ranked<Route>>;
  readonly #anyPort: Ranked<Route>;
  /** How many routes there are. */
  readonly size: number;

  /** @param routes those without a rule for connections are left out */
  constructor(routes: Iterable<Route>) {
    const ruled: Ruled<Route>[] = [];
    for (const route of routes) if (route.stream !== undefined) ruled.push({ rule: route.stream, route });
    ruled.sort((one, other) => compareRules(one.rule, other.rule));
    this.size = ruled.length;
    this.#passed = new NameIndex(ruled.filter(({ rule }) => rule.passesTls));
    this.#terminated = new NameIndex(ruled.filter(({ rule }) => rule.carries && rule.snis.length > 0));
    const plain = ruled.filter(({ rule }) => rule.carries && rule.snis.length === 0);
    const byPort = new Map<number, Ruled<Route>[]>();
    for (const one of plain) for (const port of one.rule.destinations?.ports ?? []) listOf(byPort, port).push(one);
    this.#byPort = byPort;
    this.#anyPort = plain.filter(({ rule }) => rule.destinations?.ports === undefined);
  }

  /** Whether any route passes TLS through. */
  get passesTls(): boolean {
    return !this.#passed.isEmpty;
  }

  /** The route that passes a connection through whose TLS asks for a server name. */
  passed(connection: ConnectionFacts): Route | undefined {
    return this.#passed.find(connection);
  }

  /** The route that carries what is in TLS that ends here. */
  terminated(connection: ConnectionFacts): Route | undefined {
    return this.#terminated.find(connection);
  }

  /** The route of a connection on a port for streams. */
  plain(connection: ConnectionFacts): Route | undefined {
    const byPort = firstOf(this.#byPort.get(connection.localPort), connection);
    const any = firstOf(this.#anyPort, connection);
    if (byPort === undefined || any === undefined) return (byPort ?? any)?.route;
    return (compareRules(byPort.rule, any.rule) <= 0 ? byPort : any).route;
  }
}

/** Routes by server name. */
class NameIndex<Route> {
  readonly #exact = new Map<string, Ruled<Route>[]>();
  /** By what follows the `*`, with its dot. */
  readonly #wildcards = new Map<string, Ruled<Route>[]>();
  readonly #any: Ranked<Route>;
  readonly isEmpty: boolean;

  /** @param ruled in the order of {@link compareRules} */
  constructor(ruled: Ranked<Route>) {
    for (const one of ruled) {
      for (const name of new Set(one.rule.snis)) {
        if (name.startsWith('*')) listOf(this.#wildcards, name.slice(1)).push(one);
        else listOf(this.#exact, name).push(one);
      }
    }
    this.#any = ruled.filter(({ rule }) => rule.snis.length === 0);
    this.isEmpty = ruled.length === 0;
  }

  find(connection: ConnectionFacts): Route | undefined {
    if (this.isEmpty) return undefined;
    const { serverName } = connection;
    let best: Ruled<Route> | undefined;
    if (serverName !== undefined) {
      best = firstOf(this.#exact.get(serverName), connection);
      if (this.#wildcards.size > 0) {
        for (let dot = serverName.indexOf('.'); dot !== -1; dot = serverName.indexOf('.', dot + 1)) {
          best = better(best, firstOf(this.#wildcards.get(serverName.slice(dot)), connection));
        }
      }
    }
    return better(best, firstOf(this.#any, connection))?.route;
  }
}

/** Of two that match, the first in the order; the second names the server less exactly. */
function better<Route>(exact: Ruled<Route> | undefined, less: Ruled<Route> | undefined): Ruled<Route> | undefined {
  if (exact === undefined || less === undefined) return exact ?? less;
  return less.rule.priority > exact.rule.priority ? less : exact;
}

function firstOf<Route>(list: Ranked<Route> | undefined, connection: ConnectionFacts): Ruled<Route> | undefined {
  return list?.find(({ rule }) => takesEnds(rule, connection));
}

function listOf<Key, Value>(index: Map<Key, Value[]>, key: Key): Value[] {
  const known = index.get(key);
  if (known !== undefined) return known;
  const made: Value[] = [];
  index.set(key, made);
  return made;
}
