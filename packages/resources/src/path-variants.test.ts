import { expect, it } from 'vitest';
import { normalisePath } from './normalise-path.ts';

/** Ways to begin a path that lead to the same place. */
const beginnings = ['/', '//', '/./', '/x/../', '/%2e/', '/x/%2E%2e/', '///.//', '/../../'];
/** Ways to write one word. */
const words = ['admin', '%61dmin', 'adm%69n', '%61%64%6d%69%6e', '%61%64%6D%69%6E'];
/** Ways to end, with what remains of them. */
const endings: readonly (readonly [string, string])[] = [
  ['', ''],
  ['/', '/'],
  ['//', '/'],
  ['/.', '/'],
  ['/x/..', '/'],
];

const variants = beginnings.flatMap((beginning) =>
  words.flatMap((word) => endings.map(([ending, rest]) => [`${beginning}${word}${ending}`, `/admin${rest}`] as const)),
);

it(`every spelling of a path is one path (${variants.length}): who may see it is decided by what goes upstream`, () => {
  expect(variants.length).toBe(200);
  for (const [spelling, path] of variants) {
    expect(normalisePath(spelling), spelling).toBe(path);
    expect(normalisePath(path), spelling).toBe(path);
  }
});

/** What must not become the same place, whatever an upstream makes of it. */
it.each([
  ['/x%2F..%2Fadmin', '/x%2F..%2Fadmin'],
  ['/%2fadmin', '/%2Fadmin'],
  ['/%252e%252e/admin', '/%252e%252e/admin'],
  ['/admin%20', '/admin%20'],
  ['/Admin', '/Admin'],
  ['/admin;x=1', '/admin;x=1'],
])('%s is %s', (spelling, path) => {
  expect(normalisePath(spelling)).toBe(path);
});

it.each([
  '/a%5Cadmin',
  '/a\\admin',
  '/admin%00',
  '/a/..;/admin',
  '/a/%2e%2e%3b/admin',
  '/a/..%3Bx/admin',
  '/%zz',
  '/%4',
])('%s is refused', (spelling) => {
  expect(normalisePath(spelling)).toHaveProperty('message');
});
