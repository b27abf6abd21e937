import { describe, expect, it } from 'vitest';
import { parseDescription } from './parse-description.ts';

const shown = (text: string): unknown => {
  const parsed = parseDescription(text);
  return parsed.ok ? parsed.document : parsed.error;
};

describe('parseDescription', () => {
  it.each([
    ['JSON', '{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
    ['JSON after a byte order mark', '\uFEFF {"a":1}', { a: 1 }],
    ['YAML', 'a: [1, {b: null}]\n200: x\non: 2026-01-02\n', { a: [1, { b: null }], 200: 'x', on: '2026-01-02' }],
    ['YAML that begins like JSON', '{a: 1, b: [x]}', { a: 1, b: ['x'] }],
    [
      'aliases and merge keys',
      'a: &a {x: 1}\nb: *a\nc: {<<: *a, y: 2}\n',
      { a: { x: 1 }, b: { x: 1 }, c: { x: 1, y: 2 } },
    ],
  ])('reads %s', (_name, text, document) => {
    expect(shown(text)).toEqual(document);
  });

  it.each([
    ['a broken object', '{"a": 1,\n "b" 2}', 2, /yaml rule broken/i],
    ['a key given twice', 'a: 1\nb: 2\na: 3\n', 3, /twice/],
    ['tags', 'a: !!js/function x\n', 1, /tag/i],
    ['two documents', 'a: 1\n---\nb: 2\n', 2, /only one/],
    ['nothing', '', 1, /empty/],
    ['keys that are lists', '? [a, b]\n: 1\n', 1, /plain/],
    ['unknown aliases', 'a: *b\n', 1, /alias|rule/i],
    ['an alias inside of itself', 'a: &a [*a]\n', 1, /alias/],
    ['a merge key of a text', 'a: 1\nb: {<<: x}\n', 1, /merge key/],
    ['a merge key of a list of texts', 'a: &a [x]\nb: {<<: *a}\n', 1, /merge key/],
    ['nesting', '['.repeat(200_000), 1, /deep|rule/],
  ])('refuses %s, with its line and without its text', (_name, text, line, message) => {
    const parsed = parseDescription(text);
    expect(parsed).toMatchObject({ ok: false, error: { line, message: expect.stringMatching(message) as string } });
  });

  it('refuses what is too large without reading it', () => {
    const error = { line: 1, column: 1, message: 'is larger than 16777216 bytes' };
    expect(shown(`"${'ü'.repeat(9 * 1024 * 1024)}"`)).toEqual(error);
  });

  it('takes what is repeated often, as long as it stays short', () => {
    const uses = Array.from({ length: 900 }, (_, index) => `a${index}: *shared`).join('\n');
    expect(shown(`shared: &shared {k: 1}\n${uses}`)).not.toMatchObject({ message: expect.anything() as unknown });
  });

  it('refuses aliases that explode', () => {
    const lines = Array.from({ length: 30 }, (_, index) => {
      const before = `*a${index - 1}`;
      return `a${index}: &a${index} [${index === 0 ? 'x' : Array.from({ length: 10 }, () => before).join(', ')}]`;
    });
    expect(shown(lines.join('\n'))).toMatchObject({ message: 'aliases repeat too much' });
  });

  it.each([
    ['{\n  "paths": {\n    "/a": {"get": {}}\n  }\n}', '/paths/~1a/get', { line: 3, column: 12 }],
    ['paths:\n  /a:\n    get: {}\n', '/paths/~1a/get', { line: 3, column: 5 }],
    ['a:\n  - b\n  - c\n', '/a/1', { line: 3, column: 5 }],
    ['responses:\n  200: {}\n', '/responses/200', { line: 2, column: 3 }],
    ['x: 1\na:\n  b: 1\n', '/a/missing/far', { line: 2, column: 1 }],
    ['a: 1\n', '', { line: 1, column: 1 }],
  ])('finds the place of %j %s, or of what is around it', (text, pointer, place) => {
    const parsed = parseDescription(text);
    expect(parsed.ok && parsed.positions(pointer)).toEqual(place);
  });
});
