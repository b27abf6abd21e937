import type { RouteRule } from '@portcullis/router';

/**
 * The path of the route that a request matched, as the route states it, a regular expression with its `~`; `undefined` for a
 * route without paths. It groups requests whose own paths all differ.
 * @param matchedLength how many characters of the path the route's path matched
 */
export function pathTemplate(route: RouteRule, path: string, matchedLength: number): string | undefined {
  const { paths } = route;
  const literal =
    paths.length < 2
      ? paths[0]
      : (paths.find(
          ({ type, value }) => type !== 'regex' && value.length === matchedLength && path.startsWith(value),
        ) ??
        paths.find(({ type }) => type === 'regex') ??
        paths[0]);
  if (literal === undefined) return undefined;
  return literal.type === 'regex' ? `~${literal.value}` : literal.value;
}
