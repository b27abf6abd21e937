import type { AttemptTarget } from './request-trace.ts';

/** Where a request goes that is sent to an endpoint. @param target path with query */
export function attemptTarget({ protocol, host, port, servername }: EndpointPlace, target: string): AttemptTarget {
  return { scheme: protocol, host: servername ?? host, port, path: withoutQuery(target) };
}

/** Where a request goes that is sent to an origin, `https://host[:port]`. */
export function originTarget(origin: string, path: string): AttemptTarget {
  const { protocol, hostname, port } = new URL(origin);
  const scheme = protocol.slice(0, -1);
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return { scheme, host, port: port === '' ? (scheme === 'https' ? 443 : 80) : Number(port), path: withoutQuery(path) };
}

/** As much of an endpoint's address as a span tells. */
interface EndpointPlace {
  readonly protocol: string;
  readonly host: string;
  readonly port: number;
  readonly servername?: string;
}

/** What stands in a query is for the upstream alone. */
function withoutQuery(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? target : target.slice(0, mark);
}
