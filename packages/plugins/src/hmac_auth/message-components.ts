import type { RequestView } from '@portcullis/plugin-runtime';
import { authorityOf, headerOf, targetOf } from './request-parts.ts';

/**
 * The value of a component of a request. Source: RFC 9421, section 2.
 * @param name without parameters: none is supported
 * @returns `undefined` for a component that the request does not have, or that is not supported
 */
export function componentValue(request: RequestView, name: string): string | undefined {
  if (name.startsWith('@')) return DERIVED.get(name)?.(request);
  // Names of headers stand there in lower case: section 2.1.
  return name === name.toLowerCase() ? headerOf(request, name) : undefined;
}

/** With what the components say by the way. */
export function withImplied(covered: ReadonlySet<string>): ReadonlySet<string> {
  const all = new Set(covered);
  for (const [name, implied] of IMPLIED) if (covered.has(name)) for (const other of implied) all.add(other);
  return all;
}

/** Source: section 2.2. */
const DERIVED: ReadonlyMap<string, (request: RequestView) => string> = new Map([
  ['@method', ({ method }) => method],
  ['@target-uri', (request) => `${request.scheme}://${authorityOf(request)}${targetOf(request)}`],
  ['@authority', authorityOf],
  ['@scheme', ({ scheme }) => scheme],
  ['@request-target', targetOf],
  ['@path', ({ path }) => path],
  ['@query', ({ query }) => `?${query}`],
]);

const IMPLIED: ReadonlyMap<string, readonly string[]> = new Map([
  ['@target-uri', ['@scheme', '@authority', '@request-target', '@path', '@query']],
  ['@request-target', ['@path', '@query']],
]);
