/** How one path of a route matches. Source: wire contract, Gateways, services, routes. */
export interface PathRule {
  readonly type: 'prefix' | 'exact' | 'regex';
  /** Normalised path; for `regex` the expression without a leading `~`. */
  readonly value: string;
}

/** What a request must have for a route, and where the route stands in the order. Empty lists and maps mean any. */
export interface RouteRule {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since 1970; older routes win ties. */
  readonly createdAtMs: number;
  readonly priority: number;
  readonly regexPriority: number;
  readonly hosts: readonly string[];
  readonly paths: readonly PathRule[];
  readonly methods: readonly string[];
  /** Header names in lower case with their alternatives. */
  readonly headers: readonly NamedAlternatives[];
  /** Query parameters with their alternatives. */
  readonly query: readonly NamedAlternatives[];
  /** Server names of TLS, perhaps with `*` as the first label, which stands for one or more. Missing or empty means any. */
  readonly snis?: readonly string[];
}

/** A name whose value must be one of several. */
export interface NamedAlternatives {
  readonly name: string;
  readonly values: readonly string[];
}

/** The facts of a request that routes are matched with. */
export interface RequestFacts {
  readonly method: string;
  /** As `hostOfAuthority` gives it. */
  readonly host: string;
  /** Normalised, as the routes' paths are. */
  readonly path: string;
  /** Raw query without `?`. */
  readonly query: string;
  /** Name and value by turns, as received. */
  readonly headers: readonly string[];
  /** Server name that the client asked for in TLS, in lower case. */
  readonly sni?: string | undefined;
}
