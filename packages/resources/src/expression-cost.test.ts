import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expressionCost } from './expression-cost.ts';
import { compileRouteExpression, familyNamed, readRoutePath } from './index.ts';

/** Instructions that the engine makes of an expression; nothing where it does not take it. */
function programSize(expression: string): number | undefined {
  try {
    return compileRouteExpression(expression).programSize();
  } catch {
    return undefined;
  }
}

const atoms = [
  'a',
  '.',
  '\\d',
  '\\.',
  '[a-z]',
  '[]x]',
  '[^]{9}]',
  '[[:alpha:][]',
  '\\Q[(\\E',
  '\\Q\\E',
  '(?i-s)',
  '(?i)',
  '^',
  '|',
  '',
  '\\pL',
];
const repetitions = ['', '', '*', '+?', '?', '{3}', '{0,7}', '{2,}', '{9}'];
const expressions = fc.letrec<{ one: string; group: string }>((tie) => ({
  one: fc
    .array(
      fc.tuple(fc.oneof({ maxDepth: 3 }, fc.constantFrom(...atoms), tie('group')), fc.constantFrom(...repetitions)),
      {
        maxLength: 5,
      },
    )
    .map((parts) => parts.map(([atom, repetition]) => atom + repetition).join('')),
  group: fc.tuple(fc.constantFrom('(', '(?:', '(?P<n>'), tie('one')).map(([open, inner]) => `${open}${inner})`),
})).one;

describe('what compiling an expression costs', () => {
  it('is never less than what the engine makes of it', () => {
    const isBound = fc.property(
      expressions,
      (expression) => expressionCost(expression) >= (programSize(expression) ?? 0),
    );
    expect(fc.check(isBound, { numRuns: 3_000 })).toMatchObject({ failed: false, counterexample: null });
  });

  it.each([
    '/v\\d{1,3}/users/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    `/${'a'.repeat(990)}`,
    '/[a-z0-9_]{1,999}',
    '/(?:[^/]{1,100}/){1,10}',
  ])('is bearable for %s', (expression) => {
    expect(readRoutePath(`~${expression}`, 'prefix')).toMatchObject({ ok: true });
  });

  it.each([
    '/(?:[\\pL\\pN\\pS\\pP]?){999}'.repeat(40).slice(0, 960),
    '/a{1000}'.repeat(100),
    `/${'\\pL'.repeat(300)}`,
    '/\\Q[\\E(?:a{1000}){1}b{1000}c{1000}d{1000}\\Q]\\E',
  ])('is too much for %s, which is refused before it is compiled', (expression) => {
    expect(readRoutePath(`~${expression}`, 'prefix')).toEqual({ ok: false, message: 'repeats too much' });
  });

  it('is bounded for a route as a whole: the first path beyond is named, the rest not looked at', () => {
    const rules = familyNamed('routes').rules ?? [];
    const problemsOf = (count: number): unknown[] =>
      rules.flatMap((rule) => rule({ paths: Array.from({ length: count }, (_, index) => `~/${index}/a{900}`) }));
    expect(problemsOf(10)).toEqual([]);
    expect(problemsOf(256)).toEqual([
      {
        pointer: expect.stringMatching(/^\/paths\/\d\d$/),
        code: 'invalid_path',
        message: "the route's regular expressions are too much together",
      },
    ]);
  });
});
