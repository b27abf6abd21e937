import { RE2JS } from 're2js';
import type { PathRule, RequestFacts, RouteRule } from './route-rule.ts';

/**
 * The wire contract's matching rules, written down once more as plainly as possible: try everything, sort what matches.
 * Tests compare the router with it.
 */
export function matchLinearly<Route extends RouteRule>(
  routes: readonly Route[],
  request: RequestFacts,
): Route | undefined {
  const candidates = routes.flatMap((route) =>
    (route.hosts.length > 0 ? route.hosts : [undefined]).flatMap((host) =>
      (route.paths.length > 0 ? route.paths : [undefined]).map((path) => ({ route, host, path })),
    ),
  );
  const matching = candidates.filter(
    ({ route, host, path }) =>
      hostMatches(host, request.host) && pathMatches(path, request.path) && rest(route, request),
  );
  return matching.toSorted(compare)[0]?.route;
}

interface Candidate {
  readonly route: RouteRule;
  readonly host: string | undefined;
  readonly path: PathRule | undefined;
}

function hostMatches(pattern: string | undefined, host: string): boolean {
  if (pattern === undefined) return true;
  const escaped = pattern.replaceAll('.', '\\.').replace('*', '.+');
  return new RegExp(`^${escaped}$`).test(host);
}

function pathMatches(rule: PathRule | undefined, path: string): boolean {
  if (rule === undefined) return true;
  if (rule.type === 'exact') return path === rule.value;
  if (rule.type === 'regex') return compiled(rule.value).matcher(path).lookingAt();
  const prefix = rule.value.replace(/\/$/, '');
  return path === prefix || path.startsWith(`${prefix}/`);
}

const expressions = new Map<string, RE2JS>();

/** Compiling takes most of the time of the tests otherwise. */
function compiled(expression: string): RE2JS {
  const known = expressions.get(expression) ?? RE2JS.compile(expression);
  expressions.set(expression, known);
  return known;
}

function rest(route: RouteRule, request: RequestFacts): boolean {
  const headers = Array.from({ length: request.headers.length / 2 }, (_, index) => [
    request.headers[index * 2]?.toLowerCase(),
    request.headers[index * 2 + 1] ?? '',
  ]);
  const query = [...new URLSearchParams(request.query)];
  const snis = route.snis ?? [];
  return (
    (snis.length === 0 || snis.some((sni) => hostMatches(sni, request.sni ?? ''))) &&
    (route.methods.length === 0 || route.methods.includes(request.method)) &&
    route.headers.every((rule) =>
      headers.some(([name, value = '']) => name === rule.name && rule.values.includes(value)),
    ) &&
    route.query.every((rule) => query.some(([name, value]) => name === rule.name && rule.values.includes(value)))
  );
}

function compare(left: Candidate, right: Candidate): number {
  return (
    right.route.priority - left.route.priority ||
    compareHosts(left.host, right.host) ||
    comparePaths(left, right) ||
    Number(right.route.methods.length > 0) - Number(left.route.methods.length > 0) ||
    right.route.headers.length - left.route.headers.length ||
    right.route.query.length - left.route.query.length ||
    Number((right.route.snis ?? []).length > 0) - Number((left.route.snis ?? []).length > 0) ||
    left.route.createdAtMs - right.route.createdAtMs ||
    (left.route.name < right.route.name ? -1 : left.route.name > right.route.name ? 1 : 0) ||
    (left.route.id < right.route.id ? -1 : left.route.id > right.route.id ? 1 : 0)
  );
}

function compareHosts(left: string | undefined, right: string | undefined): number {
  const kind = (host: string | undefined) => (host === undefined ? 2 : host.includes('*') ? 1 : 0);
  if (kind(left) !== kind(right)) return kind(left) - kind(right);
  return kind(left) === 1 ? (right?.length ?? 0) - (left?.length ?? 0) : 0;
}

function comparePaths(left: Candidate, right: Candidate): number {
  const kind = (path: PathRule | undefined) => (path?.type === 'exact' ? 0 : path?.type === 'regex' ? 1 : 2);
  if (kind(left.path) !== kind(right.path)) return kind(left.path) - kind(right.path);
  if (kind(left.path) === 0) return 0;
  if (kind(left.path) === 2) return (right.path?.value.length ?? 0) - (left.path?.value.length ?? 0);
  return right.route.regexPriority - left.route.regexPriority || literal(right.path) - literal(left.path);
}

/** Cut at the first character with a meaning, of which the generated expressions escape dots only; alternatives: none. */
function literal(path: PathRule | undefined): number {
  const value = path?.value ?? '';
  if (value.endsWith('|/b')) return 0;
  return /^(?:\\[.]|[^\\.^$|?*+()[\]{}](?![?*{]))*/.exec(value)?.[0].replaceAll('\\', '').length ?? 0;
}
