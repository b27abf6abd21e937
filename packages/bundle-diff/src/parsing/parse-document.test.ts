import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBundle, parseDocument } from '../index.ts';

/** Any JSON value without the keys that are refused. */
const harmless = fc
  .jsonValue({ maxDepth: 5 })
  .filter((value) => !/"(?:__proto__|constructor|prototype)":/.test(JSON.stringify(value)));

describe('parseDocument', () => {
  it('reads JSON as JSON.parse does, and the same text as YAML alike', () => {
    fc.assert(
      fc.property(harmless, (value) => {
        const text = JSON.stringify(value);
        for (const format of ['json', 'yaml'] as const) {
          expect(parseDocument(text, { format })).toMatchObject({ ok: true });
          expect(parseDocument(text, { format })).toHaveProperty('document', JSON.parse(text));
        }
      }),
    );
  });

  it.each([
    ['an escaped NUL in JSON', 'json', '{"a":"x\\u0000"}', { a: 'x\0' }],
    ['half a surrogate pair in JSON', 'json', '{"a":"\\ud800"}', { a: '\ud800' }],
    ['a key with an escaped NUL in JSON', 'json', '{"a\\u0000":1}', { 'a\0': 1 }],
    ['a literal half surrogate pair in JSON', 'json', '{"a":"\udc00"}', { a: '\udc00' }],
    ['an escaped NUL in YAML', 'yaml', 'a: "x\\0"\n', { a: 'x\0' }],
    ['half a surrogate pair in YAML', 'yaml', 'a: "\\uD800"\n', { a: '\ud800' }],
    ['a key with an escaped NUL in YAML', 'yaml', '"a\\0": 1\n', { 'a\0': 1 }],
  ] as const)('refuses %s unless the caller keeps it; a bundle never does', (_, format, text, document) => {
    expect(parseDocument(text, { format, unstorableText: 'keep' })).toMatchObject({ ok: true, document });
    const refused = parseDocument(text, { format });
    expect(refused).toMatchObject({ ok: false, error: { message: expect.stringMatching(/U\+0000 or half/) } });
    expect(parseBundle(text, { format })).toEqual(refused);
  });

  it.each([
    ['a literal NUL in a text', '{"a":"\0"}', 7],
    ['a literal NUL between values', '{"a":\0 1}', 6],
  ])('JSON with %s is malformed even for those who keep such text', (_, text, column) => {
    expect(parseDocument(text, { format: 'json', unstorableText: 'keep' })).toMatchObject({
      ok: false,
      error: { line: 1, column },
    });
  });

  it.each([
    ['JSON', '{"a":"\\u0000",\n"b":[true,\nnull]}', { line: 3, column: 1 }],
    ['YAML', 'a: "\\0"\nb:\n  - true\n  - null\n', { line: 4, column: 5 }],
  ])('finds the place of a value in %s with kept text', (_, text, place) => {
    const parsed = parseDocument(text, { unstorableText: 'keep' });
    if (!parsed.ok) throw new Error(parsed.error.message);
    expect(parsed.positions('/b/1')).toEqual(place);
  });

  it('finds the place of every value of a JSON text, a short and a long one alike', () => {
    const pointersOf = (value: unknown, pointer: string): [string, unknown][] => {
      const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
      const step = (key: string): string => `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      return [[pointer, value], ...inner.flatMap(([key, one]) => pointersOf(one, step(key)))];
    };
    const long = ' '.repeat(1_100_000);
    fc.assert(
      fc.property(harmless, fc.constantFrom('\n', ' ', '\n\n  '), (value, space) => {
        const text = `${space}${JSON.stringify(value, null, space)}`;
        const [short, padded] = [text, text + long].map((one) => parseDocument(one, { format: 'json' }));
        if (short?.ok !== true || padded?.ok !== true) throw new Error('is JSON');
        const lines = text.split('\n');
        for (const [pointer, inner] of pointersOf(JSON.parse(text), '').slice(0, 5)) {
          const place = short.positions(pointer);
          expect(padded.positions(pointer)).toEqual(place);
          const rest = lines
            .slice((place?.line ?? 0) - 1)
            .join('\n')
            .slice((place?.column ?? 0) - 1);
          expect(rest.startsWith(JSON.stringify(inner, null, space).split('\n')[0] ?? '?')).toBe(true);
        }
        expect(short.positions('/no/such/~1place')).toBeUndefined();
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ['tru', 1, /missing or malformed/],
    ['[nul]', 2, /missing or malformed/],
    ['falsey', 6, /follows the end/],
    ['-', 1, /missing or malformed/],
    ['{"a":1,"b":{"c":":","c":2}}', 21, /given twice/],
    ['{"a":1,"\\u0061":2}', 8, /given twice/],
    ['{"\\u005f_proto__":1}', 2, /not allowed/],
    ['[1,1e999]', 4, /too large/],
    [`${'['.repeat(65)}${']'.repeat(65)}`, 65, /nested deeper/],
  ])('%s is no JSON', (text, column, message) => {
    expect(parseDocument(text, { format: 'json' })).toMatchObject({
      ok: false,
      error: { line: 1, column, message: expect.stringMatching(message) },
    });
  });
});
