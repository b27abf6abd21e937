import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { literalEnding } from './literal-ending.ts';
import { anyExpression } from './table-samples.test-support.ts';

describe('what every match of an expression ends with', () => {
  it.each([
    ['/api/[a-z]+-17$', '-17'],
    ['/a/(?<id>[^/]+)/part$', '/part'],
    ['/a\\.b$', '/a.b'],
    ['/(?:a|b[)])\\d{2}-x$', '-x'],
    ['/ab?$', ''],
    ['/a+b$', 'b'],
    ['/ab', ''],
    ['/ab\\$', ''],
    ['(?i)/ab$', ''],
    ['/(?i)ab$', ''],
    ['/\\x41$', ''],
    ['/\\pLu$', ''],
    ['/\\Qa.b\\E$', ''],
    ['/[[:alpha:]]b$', ''],
    ['/[]x]b$', ''],
    ['/a$b$', ''],
    ['/a{b$', 'b'],
    ['/a{2}b$', 'b'],
  ])('%s: %s', (expression, ending) => {
    expect(literalEnding(expression)).toBe(ending);
  });

  it('is at the end of every path that matches', () => {
    const atoms = [
      'a',
      'b',
      '/',
      '-',
      '\\.',
      '[ab/]',
      '[^b]',
      '(?:a|b)',
      '(a(b))',
      '\\d',
      '.',
      '^',
      '1',
      '[a\\]]',
      '(?i:a)',
    ];
    const repeated = fc
      .tuple(fc.constantFrom(...atoms), fc.constantFrom('', '', '*', '+', '?', '+?', '{2}', '{0,1}'))
      .map((parts) => parts.join(''));
    const generated = fc.array(repeated, { minLength: 1, maxLength: 4 }).map((parts) => `${parts.join('')}$`);
    const texts = allTexts('ab-/', 4);
    let matched = 0;
    const property = fc.property(
      fc.oneof(
        generated,
        anyExpression.filter((one) => !one.endsWith('|/b')),
      ),
      (expression) => {
        const compiled = RE2JS.compile(expression);
        const ending = literalEnding(expression);
        if (ending === '') return;
        for (const text of texts.filter((one) => compiled.matcher(one).lookingAt())) {
          matched += 1;
          expect(text.endsWith(ending), `${expression} on ${text}`).toBe(true);
        }
      },
    );
    fc.assert(property, { numRuns: 2000 });
    expect(matched).toBeGreaterThan(50);
  }, 60_000);
});

/** Every text of up to so many of these characters. */
function allTexts(characters: string, lengthMax: number): string[] {
  let longest = [''];
  const all = [''];
  for (let length = 1; length <= lengthMax; length += 1) {
    longest = longest.flatMap((text) => Array.from(characters, (character) => text + character));
    all.push(...longest);
  }
  return all;
}
