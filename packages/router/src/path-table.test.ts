import { expect, it } from 'vitest';
import { exact, prefix, regex, request, rule, tableOf } from './table-samples.test-support.ts';
import type { PathRule } from './route-rule.ts';
import { upstreamPath } from './upstream-path.ts';

const servicePaths = ['', '/', '/api', '/api/', '/a/b', '/a/b/'];
const routePaths: readonly (PathRule | undefined)[] = [
  undefined,
  ...['/', '/v2', '/v2/', '/v2/deep', '/v2/deep/'].map(prefix),
  ...['/', '/v2', '/v2/', '/v2/deep/x'].map(exact),
  ...['/v\\d', '/v\\d/', '/v2/([^/]+)', '/v2/([^/]+)$', '/v2|/v2/deep', '/.*/x'].map(regex),
];
const requestPaths = [
  '/',
  '/v2',
  '/v2/',
  '/v2/x',
  '/v2/deep',
  '/v2/deep/',
  '/v2/deep/x',
  '/v25',
  '/other/x',
  '/v2..',
  '/v2.',
];

/** The part of a path that a route's path takes, in the words of the contract; `undefined` when it does not match. */
function taken(rulePath: PathRule | undefined, path: string): string | undefined {
  if (rulePath === undefined) return '';
  const { type, value } = rulePath;
  if (type === 'exact') return path === value ? path : undefined;
  if (type === 'regex') return new RegExp(`^(?:${value})`).exec(path)?.[0];
  const segments = value.split('/').filter(Boolean);
  const isPrefix = segments.every((segment, index) => path.split('/')[index + 1] === segment);
  return isPrefix ? segments.map((segment) => `/${segment}`).join('') : undefined;
}

/** Service path and remaining path with one slash between them; nothing remains, nothing is added. */
function joined(service: string, remaining: string): string | undefined {
  const first = remaining.split('/')[0];
  if (first === '.' || first === '..') return undefined;
  const base = service === '/' ? '' : service;
  if (remaining === '') return base === '' ? '/' : base;
  return `${base.replace(/\/$/, '')}/${remaining.replace(/^\//, '')}`;
}

const cases = servicePaths.flatMap((service) =>
  routePaths.flatMap((path) =>
    [true, false].flatMap((strips) => requestPaths.map((asked) => ({ service, path, strips, asked }))),
  ),
);

it(`of service path, route path, strip_path and request every combination goes where the contract says (${cases.length})`, () => {
  for (const { service, path, strips, asked } of cases) {
    const table = tableOf([rule('r', { paths: path === undefined ? [] : [path] })]);
    const match = table.match(request({ path: asked }));
    const part = taken(path, asked);
    const place = JSON.stringify({ service, path, strips, asked });
    expect(match?.matchedLength, place).toBe(part?.length);
    if (match === undefined || part === undefined) continue;
    const upstream = upstreamPath(service, asked, strips ? match.matchedLength : 0);
    expect(upstream, place).toBe(joined(service, strips ? asked.slice(part.length) : asked));
  }
});
