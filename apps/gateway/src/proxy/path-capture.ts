import { compileRouteExpression } from '@portcullis/resources';
import type { PathRule } from '@portcullis/router';

type Expression = ReturnType<typeof compileRouteExpression>;

/** A route as far as its paths go. */
export interface RouteWithPaths {
  readonly paths: readonly PathRule[];
}

/** Compiled when the first request of a route asks: only hashing on `uri_capture` does. */
const compiled = new WeakMap<RouteWithPaths, readonly Expression[]>();

/**
 * What a group of the route's regular expression matched. Of several expressions it is the first that matches as much as the
 * route matched.
 * @param group name or number
 * @returns `undefined` when there is no such group, or it took no part
 */
export function pathCapture(
  route: RouteWithPaths,
  path: string,
  matchedLength: number,
  group: string,
): string | undefined {
  for (const expression of expressionsOf(route)) {
    const matcher = expression.matcher(path);
    if (!matcher.lookingAt() || matcher.end() !== matchedLength) continue;
    try {
      return matcher.group(/^\d+$/.test(group) ? Number(group) : group) ?? undefined;
    } catch {
      continue; // The expression has no such group; another may.
    }
  }
  return undefined;
}

function expressionsOf(route: RouteWithPaths): readonly Expression[] {
  const known = compiled.get(route);
  if (known !== undefined) return known;
  const created = route.paths.filter(({ type }) => type === 'regex').map(({ value }) => compileRouteExpression(value));
  compiled.set(route, created);
  return created;
}
