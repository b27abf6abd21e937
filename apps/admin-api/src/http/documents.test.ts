import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsedAs } from './parsed-document.ts';
import { textProblems } from './text-problems.ts';

const parseStrictJson = (text: string) => parsedAs('json', text);
const parseStrictYaml = (text: string) => parsedAs('yaml', text);

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const keys = (count: number): string => `{${Array.from({ length: count }, (_, index) => `"k${index}":0`).join(',')}}`;

const uses = (count: number): string => `a: &a x\nb: [${Array.from({ length: count }, () => '*a').join(', ')}]\n`;

/** Any JSON value without the keys that are refused. */
const harmless = fc
  .jsonValue({ maxDepth: 6 })
  .filter((value) => !/"(?:__proto__|constructor|prototype)":/.test(JSON.stringify(value)));

describe('strict JSON', () => {
  it('reads every JSON value as JSON.parse does', () => {
    fc.assert(
      fc.property(harmless, fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  it('never accepts what JSON.parse refuses', () => {
    const fragments = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '1',
      '-',
      '.5',
      'e9',
      'null',
      'tru',
      ' ',
      '\n',
      '\\',
      '\\u00',
      '00',
      '\t',
    );
    fc.assert(
      fc.property(fc.array(fragments, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        if (!parseStrictJson(text).ok) return;
        expect(() => JSON.parse(text)).not.toThrow();
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['a duplicate key', '{"a":1,\n "a":2}', 2, 2, /twice/],
    ['a duplicate key written with an escape', '{"a":1,"\\u0061":2}', 1, 8, /twice/],
    ['__proto__', '{"__proto__":{}}', 1, 2, /not allowed/],
    ['constructor, escaped', '{"c\\u006fnstructor":{}}', 1, 2, /not allowed/],
    ['prototype, deep inside', '{"a":[{"prototype":1}]}', 1, 8, /not allowed/],
    ['a number beyond a double', '[1e400]', 1, 2, /too large/],
    ['65 levels', nested(65), 1, 65, /deeper than 64/],
    ['100,000 levels', nested(100_000), 1, 65, /deeper than 64/],
    ['10,001 keys', keys(10_001), 1, undefined, /more than 10000 keys/],
    ['a trailing comma', '[1,]', 1, 4, /missing or malformed/],
    ['a second document', '{} {}', 1, 4, /follows the end/],
    ['a raw control character', '["\u0001"]', 1, 3, /control character/],
    ['NaN', '[NaN]', 1, 2, /missing or malformed/],
    ['a leading zero', '[01]', 1, 3, /comma or \]/],
    ['a cut off string', '{"a":"b', 1, 6, /not closed/],
    ['a string cut off in an escape', '"\\', 1, 1, /not closed/],
    ['nothing', '', 1, 1, /ends too early/],
    ['single quotes', "{'a':1}", 1, 2, /double quotes/],
    ['an unknown escape', '["\\x"]', 1, 2, /escape/],
    ['a comment', '{} // x', 1, 4, /follows the end/],
  ] as const)('refuses %s and names the place', (_name, text, line, column, message) => {
    const result = parseStrictJson(text);
    expect(result).toMatchObject({ ok: false, line, ...(column !== undefined && { column }) });
    expect(!result.ok && result.message).toMatch(message);
  });

  it('accepts 64 levels and 10,000 keys', () => {
    expect(parseStrictJson(nested(64)).ok).toBe(true);
    expect(parseStrictJson(keys(10_000)).ok).toBe(true);
  });
});

describe('strict YAML', () => {
  it('reads JSON documents and block style alike', () => {
    expect(parseStrictYaml('a: 1\nb: [x, "y"]\nc: {d: ~}\n')).toEqual({
      ok: true,
      value: { a: 1, b: ['x', 'y'], c: { d: null } },
    });
    expect(parseStrictYaml('{"a": {"b": [true, null, "x"]}}')).toEqual({
      ok: true,
      value: { a: { b: [true, null, 'x'] } },
    });
  });

  it('reads words as YAML 1.2 does: NO is a text, 012 a number, 1_000 a text', () => {
    expect(parseStrictYaml('[NO, on, 012, 1_000, 2024-01-01]')).toEqual({
      ok: true,
      value: ['NO', 'on', 12, '1_000', '2024-01-01'],
    });
  });

  it('repeats an anchor up to 1,000 times', () => {
    expect(parseStrictYaml(uses(1000)).ok).toBe(true);
    expect(parseStrictYaml(uses(1001)).ok).toBe(false);
  });

  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefgh'.split('').map((name, index) => {
      const previous = 'abcdefgh'[index];
      return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${previous}`).join(',')}]`;
    }),
  ].join('\n');

  it.each([
    ['a duplicate key', 'a: 1\na: 2\n', /twice/, 2],
    ['__proto__', '__proto__: {a: 1}\n', /not allowed/, 1],
    ['a JavaScript tag', 'a: !!js/function "x"\n', /./, 1],
    ['a standard tag', 'a: !!str 1\n', /tags/, 1],
    ['an alias bomb', bomb, /repeat too much/, undefined],
    ['an unknown alias', 'a: *b\n', /./, undefined],
    ['a circular alias', 'a: &a [*a]\n', /./, undefined],
    ['two documents', 'a: 1\n---\nb: 2\n', /only one/, undefined],
    ['a tab as indentation', 'a:\n\tb: 1\n', /./, undefined],
    ['a mapping as key', '? {a: 1}\n: b\n', /plain values/, 1],
    ['infinity', 'a: .inf\n', /finite/, 1],
    ['not a number', 'a: [.nan]\n', /finite/, 1],
    ['65 levels', nested(65), /deeper than 64/, 1],
    ['20,000 levels', nested(20_000), /./, undefined],
    ['10,001 keys', Array.from({ length: 10_001 }, (_, index) => `k${index}: 0`).join('\n'), /more than 10000/, 1],
    ['an unknown directive', '%FOO x\n---\na: 1\n', /./, 1],
    ['nothing', '', /empty/, 1],
    ['an unclosed list', 'a: [1, 2\n', /./, undefined],
  ] as const)('refuses %s', (_name, text, message, line) => {
    const result = parseStrictYaml(text);
    expect(result).toMatchObject({ ok: false, ...(line !== undefined && { line }) });
    expect(!result.ok && result.message).toMatch(message);
  });

  it('never repeats the text of the document', () => {
    for (const text of [
      'a: "canary-text\n',
      'canary-text: [',
      '"canary-text" x',
      '*canary-text',
      '!canary-text x',
      'a: [1\n canary-text: {\n',
    ]) {
      expect(JSON.stringify(parseStrictYaml(text))).not.toContain('canary');
    }
  });
});

describe('textProblems', () => {
  it('names every string and key with NUL or a lone surrogate', () => {
    const document = { fine: 'é😀', 'a/b': ['x', 'y\0'], lone: { inner: '\ud800' }, nest: { 'k\0': 1 } };
    expect(textProblems(document).map(({ pointer }) => pointer)).toEqual(['/a~1b/1', '/lone/inner', '/nest']);
  });
});
