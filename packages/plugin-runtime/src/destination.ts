/**
 * Where a request goes in place of its service: an origin, for instance `https://api.example.com` or `http://10.0.0.7:8080`. Path and
 * query are the request's.
 */
export interface Destination {
  readonly origin: string;
}

/**
 * Reads an origin once, for hooks that return it with every request: what this gives costs nothing when it is applied.
 * @throws TypeError unless it is `http:` or `https:` with a host, without user, path, query or fragment. The text is no part of the message
 */
export function destinationOf(origin: string): Destination {
  const read = readOrigin(origin);
  if (read === undefined)
    throw new TypeError('a destination is an origin: http or https, a host, and a port if it has one');
  const destination = Object.freeze({ origin: read });
  known.add(destination);
  return destination;
}

/** What an edit names, checked and no longer the hook's to change. @throws TypeError as {@link destinationOf} */
export function checkedDestination(given: Destination): Destination {
  if (typeof given !== 'object' || given === null) throw new TypeError('a destination is an object with an origin');
  if (known.has(given)) return given;
  const constant = constants.get(given);
  if (constant !== undefined) return constant;
  const destination = destinationOf(given.origin);
  if (Object.isFrozen(given)) constants.set(given, destination);
  return destination;
}

const known = new WeakSet<Destination>();

/** Frozen objects that hooks made themselves. */
const constants = new WeakMap<Destination, Destination>();

/** Longer ones are no origins: a name has at most 253 characters. */
const ORIGIN_LENGTH_MAX = 300;

/** Scheme and authority, without what the URL standard would drop or turn over before anybody judges it. */
const ORIGIN = /^https?:\/\/[^\s/?#@\\\p{Cc}]+$/iu;

function readOrigin(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > ORIGIN_LENGTH_MAX || !ORIGIN.test(text)) return undefined;
  const url = URL.parse(text);
  // Nobody listens on port 0, and some take it for the scheme's own.
  return url === null || url.port === '0' ? undefined : url.origin;
}
