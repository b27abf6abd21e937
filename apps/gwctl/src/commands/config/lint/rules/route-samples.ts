import type { RequestFacts, RouteRule } from '@portcullis/router';
import { compileRouteExpression } from '@portcullis/resources';

/** One host, path and method of a route, and a request that has them. */
export interface RouteSample {
  /** Nothing: any. */
  readonly host: string | undefined;
  readonly path: RouteRule['paths'][number] | undefined;
  readonly method: string | undefined;
  readonly request: RequestFacts;
}

/** Combinations of one route that are looked at; routes with more are left out. */
const samplesMax = 256;

/** What no rule names by chance. */
const unlikely = { host: 'sample-7f3a.invalid', method: 'SAMPLE', segment: 'sample-7f3a' };

/** A request for each combination of what a route lists; none when there are too many, or an expression says too little. */
export function samplesOf(rule: RouteRule): readonly RouteSample[] {
  const [hosts, paths, methods] = [orAny(rule.hosts), orAny(rule.paths), orAny(rule.methods)];
  if (hosts.length * paths.length * methods.length > samplesMax) return [];
  const samples: RouteSample[] = [];
  for (const path of paths) {
    const requested = path === undefined ? `/${unlikely.segment}` : pathFor(path);
    if (requested === undefined) return [];
    for (const host of hosts) {
      for (const method of methods) {
        samples.push({ host, path, method, request: requestFor(rule, host, requested, method) });
      }
    }
  }
  return samples;
}

function requestFor(rule: RouteRule, host: string | undefined, path: string, method: string | undefined): RequestFacts {
  const sni = rule.snis?.[0];
  return {
    method: method ?? unlikely.method,
    host: host?.replace('*', 'sample-7f3a') ?? unlikely.host,
    path,
    query: rule.query
      .map(({ name, values }) => `${encodeURIComponent(name)}=${encodeURIComponent(values[0] ?? '')}`)
      .join('&'),
    headers: rule.headers.flatMap(({ name, values }) => [name, values[0] ?? '']),
    ...(sni !== undefined && { sni: sni.replace('*', 'sample-7f3a') }),
  };
}

/** A path below a prefix rather than the prefix itself, which an exact path may take without taking the rest. */
function pathFor({ type, value }: RouteRule['paths'][number]): string | undefined {
  if (type === 'exact') return value;
  if (type === 'prefix') return `${value.replace(/\/$/, '')}/${unlikely.segment}`;
  const filled = value
    .replace(/^\^/, '')
    .replace(/\$$/, '')
    .replaceAll(/\((?:\?:|\?P?<\w+>)?(?:\[\^\/\]|\.)[+*]\)|\[\^\/\][+*]|(?<!\\)\.[+*]/g, unlikely.segment)
    .replaceAll(/\((?:\?:|\?P?<\w+>)?(?:\[0-9\]|\\d)[+*]\)|\[0-9\][+*]|\\d[+*]/g, '73');
  const path = filled.replaceAll(/\\([^A-Za-z0-9])/g, '$1');
  return path.startsWith('/') && compileRouteExpression(value).matcher(path).lookingAt() ? path : undefined;
}

function orAny<Item>(list: readonly Item[]): readonly (Item | undefined)[] {
  return list.length === 0 ? [undefined] : list;
}
