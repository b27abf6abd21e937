import fc from 'fast-check';
import CachePolicy from 'http-cache-semantics';
import { describe, expect, it } from 'vitest';
import { CacheBench } from './cache-bench.test-support.ts';
import { NO_DIRECTIVES, parseDirectives } from './directives.ts';

const seconds = fc.constantFrom(0, 1, 5, 10, 59, 100);
const numbered = (...names: string[]) =>
  fc.tuple(fc.constantFrom(...names), seconds).map(([name, value]) => `${name}=${value}`);

/** Without must-revalidate and proxy-revalidate: the other library never uses answers with them, not even fresh ones. */
const responseControl = fc.uniqueArray(
  fc.oneof(numbered('max-age', 's-maxage'), fc.constantFrom('public', 'private', 'no-store', 'no-cache')),
  { maxLength: 4, selector: (directive) => directive.split('=')[0] },
);

/** Without max-stale, which the other library lets pass over max-age, and s-maxage too. */
const requestControl = fc.uniqueArray(
  fc.oneof(numbered('max-age', 'min-fresh'), fc.constantFrom('no-cache', 'no-store')),
  { maxLength: 2, selector: (directive) => directive.split('=')[0] },
);

const mostly = <Value>(usual: Value, other: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });

const cases = fc.record({
  firstControl: mostly<readonly string[]>([], requestControl),
  secondControl: mostly<readonly string[]>([], requestControl),
  control: responseControl,
  status: mostly(200, fc.constantFrom(203, 204, 301, 404, 410, 500, 302)),
  age: mostly<number | undefined>(undefined, seconds),
  expires: mostly<number | undefined>(100, fc.constantFrom(undefined, -10, 0, 10)),
  isAuthorized: mostly(false, fc.constant(true)),
  vary: mostly<string | undefined>(undefined, fc.constantFrom('Accept', 'accept, X-A', '*')),
  accepts: fc.tuple(fc.constantFrom('a', 'b'), fc.constantFrom('a', 'b')),
  afterSeconds: fc.constantFrom(0, 1, 4, 5, 9, 10, 11, 58, 99, 100),
});

const joined = (directives: readonly string[]): readonly [string, string][] =>
  directives.length === 0 ? [] : [['cache-control', directives.join(', ')]];

describe('the decision to answer from the store', () => {
  it('is that of http-cache-semantics, for whom both take it', async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(cases, async (given) => {
        const bench = new CacheBench({});
        const identity: [string, string][] = given.isAuthorized ? [['authorization', 'x']] : [];
        const first: [string, string][] = [...joined(given.firstControl), ...identity, ['accept', given.accepts[0]]];
        const second: [string, string][] = [...joined(given.secondControl), ...identity, ['accept', given.accepts[1]]];
        const answer: [string, string][] = [...joined(given.control), ['date', bench.date()], ['etag', '"1"']];
        if (given.age !== undefined) answer.push(['age', String(given.age)]);
        if (given.expires !== undefined) answer.push(['expires', bench.date(given.expires)]);
        if (given.vary !== undefined) answer.push(['vary', given.vary]);
        const request = { url: '/', method: 'GET', headers: { host: 'api.test', ...Object.fromEntries(first) } };
        const policy = new (class extends CachePolicy {
          now(): number {
            return bench.clock.nowMs();
          }
        })(request, { status: given.status, headers: Object.fromEntries(answer) }, { shared: true, cacheHeuristic: 0 });

        await bench.get({ headers: first.flat() }, { status: given.status, headers: answer.flat() });
        bench.clock.advance(given.afterSeconds * 1000);
        const later = { ...request, headers: { host: 'api.test', ...Object.fromEntries(second) } };
        const isFresh =
          policy.storable() &&
          // It has statuses of its own that it stores without being told so, and takes no-store of a later request for nothing.
          ![302, 500].includes(given.status) &&
          policy.satisfiesWithoutRevalidation(later);
        const got = await bench.get({ headers: second.flat() });
        if (isFresh) answered += 1;
        expect(got.cache === 'HIT').toBe(isFresh);
        if (isFresh) expect(Number(got.header('age'))).toBe(Math.floor(policy.age()));
      }),
      { numRuns: 1000 },
    );
    expect(answered, 'the cases have hits among them').toBeGreaterThan(20);
  });
});

describe('directives', () => {
  it.each([
    ['max-age=5', { maxAge: 5 }],
    ['MAX-AGE = 5', { maxAge: 5 }],
    ['max-age="5"', { maxAge: 5 }],
    ['max-age=-5', { maxAge: 0 }],
    ['max-age=5.5', { maxAge: 0 }],
    ['max-age', { maxAge: 0 }],
    ['max-age=99999999999999999999', { maxAge: 2 ** 31 }],
    ['max-age=7, max-age=5', { maxAge: 5 }],
    ['min-fresh=7, min-fresh=5', { minFresh: 7 }],
    ['max-stale', { maxStale: Infinity }],
    ['max-stale=7', { maxStale: 7 }],
    ['no-cache="a, no-store", x', { noCache: true }],
    ['x="\\", no-store"', {}],
    ['no-storee, xno-store, no_store', {}],
    [' ,, no-store ,', { noStore: true }],
    ['no-store;public', { noStore: true, isPublic: true }],
    ['', {}],
  ])('%s', (text, expected) => {
    expect(parseDirectives(text)).toEqual({ ...NO_DIRECTIVES, ...expected });
  });

  it('are read in a time that grows with their length only', () => {
    const startedMs = performance.now();
    for (const part of ['a="', '\\"', 'a=', ',', '="\\']) parseDirectives(part.repeat(100_000));
    expect(performance.now() - startedMs).toBeLessThan(10_000);
  });

  it('never fail', () => {
    fc.assert(fc.property(fc.string(), (text) => parseDirectives(text).maxAge !== null));
    expect(parseDirectives(undefined)).toBe(NO_DIRECTIVES);
  });
});
