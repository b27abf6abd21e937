import type { ConnectionFacts } from '../transport/server-transport.ts';
import { EndSet, type StatedEnd } from './end-set.ts';

/** What of a route tells connections apart. Made once per configuration. */
export interface StreamRule {
  readonly id: string;
  readonly name: string;
  /** Higher is tried first. */
  readonly priority: number;
  /** Milliseconds since 1970. */
  readonly createdAtMs: number;
  /** Whether it carries connections as they come (`tcp`): in cleartext, or what is in TLS that ends here. */
  readonly carries: boolean;
  /** Whether it passes TLS through untouched (`tls`). */
  readonly passesTls: boolean;
  /** In lower case, perhaps with `*` as the first label; empty means any. */
  readonly snis: readonly string[];
  readonly sources: EndSet | undefined;
  readonly destinations: EndSet | undefined;
}

/** The fields of a route that make its rule. */
export interface StreamFields {
  readonly id: string;
  readonly name: string;
  readonly priority: number;
  readonly created_at_ms: number;
  readonly protocols: readonly string[];
  readonly snis: readonly string[];
  readonly sources: readonly StatedEnd[];
  readonly destinations: readonly StatedEnd[];
}

/**
 * The rule of a route.
 * @param onMistake is told of what cannot be matched, with a pointer into the route
 * @returns `undefined` for a route that carries no connections, or not after a mistake
 */
export function streamRuleOf(
  fields: StreamFields,
  onMistake: (pointer: string, message: string) => void,
): StreamRule | undefined {
  const carries = fields.protocols.includes('tcp');
  const passesTls = fields.protocols.includes('tls');
  if (!carries && !passesTls) return undefined;
  let isBroken = false;
  const tell = (pointer: string, message: string): void => {
    isBroken = true;
    onMistake(pointer, message);
  };
  const sources = endSet(fields, 'sources', tell);
  const destinations = endSet(fields, 'destinations', tell);
  if (passesTls && fields.snis.length + fields.sources.length + fields.destinations.length === 0) {
    // It would take every connection of the TLS port, and no request in TLS would be served any more.
    tell('/snis', 'a route for tls needs snis, sources or destinations');
  }
  if (isBroken) return undefined;
  return {
    id: fields.id,
    name: fields.name,
    priority: fields.priority,
    createdAtMs: fields.created_at_ms,
    carries,
    passesTls,
    snis: fields.snis.map((name) => name.toLowerCase()),
    sources,
    destinations,
  };
}

/** Whether a connection comes from where the rule wants it, and to where. */
export function takesEnds({ sources, destinations }: StreamRule, connection: ConnectionFacts): boolean {
  return (
    (destinations === undefined || destinations.has(connection.localAddress, connection.localPort)) &&
    (sources === undefined || sources.has(connection.peerAddress, connection.peerPort))
  );
}

/**
 * The order of rules that are equal in how exactly they name the server: priority, destinations, sources, oldest, name, ID. One total
 * order, as for requests. Source: wire contract, Gateways, services, routes.
 */
export function compareRules(one: StreamRule, other: StreamRule): number {
  return (
    other.priority - one.priority ||
    Number(other.destinations !== undefined) - Number(one.destinations !== undefined) ||
    Number(other.sources !== undefined) - Number(one.sources !== undefined) ||
    one.createdAtMs - other.createdAtMs ||
    compareTexts(one.name, other.name) ||
    compareTexts(one.id, other.id)
  );
}

function endSet(
  fields: StreamFields,
  name: 'sources' | 'destinations',
  onMistake: (pointer: string, message: string) => void,
): EndSet | undefined {
  if (fields[name].length === 0) return undefined;
  try {
    return new EndSet(fields[name]);
  } catch (error) {
    onMistake(`/${name}`, (error as Error).message);
    return undefined;
  }
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
