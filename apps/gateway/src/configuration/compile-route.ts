import { readRoutePath } from '@portcullis/resources';
import type { PathRule, RouteRule } from '../router/route-rule.ts';
import type { ErrorList } from './configuration-errors.ts';
import type { RouteRecord } from './records.ts';

/** The matching part of a route; mistakes in its paths go to `errors`. */
export function routeRule(route: RouteRecord, pointer: string, errors: ErrorList): RouteRule {
  const listed = typeof route.path === 'string' ? [route.path] : route.paths;
  const paths = listed.map((path, index) => {
    const at = typeof route.path === 'string' ? `${pointer}/path` : `${pointer}/paths/${index}`;
    return pathRule(path, route.path_type, at, errors);
  });
  return {
    id: route.id,
    name: route.name,
    createdAtMs: route.created_at_ms,
    priority: route.priority,
    regexPriority: route.regex_priority,
    hosts: route.hosts,
    paths: paths.filter((path) => path !== undefined),
    methods: route.methods,
    headers: Object.entries(route.headers).map(([name, values]) => ({ name: name.toLowerCase(), values })),
    query: Object.entries(route.query).map(([name, values]) => ({ name, values })),
  };
}

/**
 * Whether a request of this gateway can have what the route asks of its connection. It takes HTTP/1.1 without TLS of its own,
 * so no request has a server name, and protocols other than HTTP do not come in.
 */
export function isReachable({ snis, protocols }: Pick<RouteRecord, 'snis' | 'protocols'>): boolean {
  return snis.length === 0 && (protocols.length === 0 || protocols.includes('http') || protocols.includes('https'));
}

/** What the route answers a request in cleartext with; `undefined` where it takes those. */
export function plainStatusOf(route: RouteRecord): number | undefined {
  const { protocols, https_redirect_status_code: status } = route;
  return protocols.includes('https') && !protocols.includes('http') ? status : undefined;
}

function pathRule(path: string, type: PathRule['type'], pointer: string, errors: ErrorList): PathRule | undefined {
  const reading = readRoutePath(path, type);
  if (reading.ok) return reading;
  errors.add(pointer, reading.message);
  return undefined;
}
