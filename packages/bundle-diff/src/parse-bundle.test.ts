import { describe, expect, it } from 'vitest';
import { documentLimits, parseBundle } from './index.ts';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const wide = (keys: number): string => `{${Array.from({ length: keys }, (_, index) => `"k${index}":1`).join(',')}}`;
const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]']
  .concat('bcdefghi'.split('').map((name, index) => `${name}: &${name} [${`*${'abcdefgh'[index]}, `.repeat(8)}x]`))
  .join('\n');

describe('parseBundle', () => {
  it.each([
    ['JSON', '{"tenant_id":"acme","gateways":[{"name":"g"}]}'],
    ['YAML', 'tenant_id: acme\ngateways:\n  - name: g\n'],
    ['YAML with a byte order mark', '\uFEFFtenant_id: acme\ngateways: [{name: g}]\n'],
    ['JSON with a byte order mark', '\uFEFF {"tenant_id":"acme","gateways":[{"name":"g"}]}'],
    ['YAML with an alias', 'tenant_id: &t acme\ngateways: [{name: g}]\n'],
    ['YAML with carriage returns', 'tenant_id: acme\r\ngateways:\r\n- name: g\r\n'],
  ])('%s gives the document', (_, text) => {
    expect(parseBundle(text)).toMatchObject({
      ok: true,
      document: { tenant_id: 'acme', gateways: [{ name: 'g' }] },
    });
  });

  it('YAML may repeat a short value often', () => {
    const uses = Array.from({ length: 900 }, (_, index) => `a${index}: *shared`).join('\n');
    const parsed = parseBundle(`shared: &shared {k: 1}\n${uses}\n`);
    expect(parsed).toMatchObject({ ok: true, document: { shared: { k: 1 }, a0: { k: 1 }, a899: { k: 1 } } });
  });

  it('YAML follows the 1.2 core schema: no, 010 and dates stay what they look like', () => {
    const parsed = parseBundle('a: no\nb: 010\nc: 2026-01-01\nd: 0o10\ne: ~\nf: 1e3\n<<: {g: 1}\n');
    expect(parsed).toMatchObject({
      ok: true,
      document: { a: 'no', b: 10, c: '2026-01-01', d: 8, e: null, f: 1000, '<<': { g: 1 } },
    });
  });

  it.each([
    ['a tab as indentation', 'a:\n\tb: 1\n', 2, 1, /tabs must not indent/],
    ['a custom tag', 'a: 1\nb: !!js/function "x"\n', 2, 4, /tag/],
    ['a core tag', 'a: !!str 1\n', 1, 10, /tag/],
    ['a duplicate key', 'a: 1\nb:\n  c: 1\n  c: 2\n', 4, 3, /given twice/],
    ['duplicate keys of different notation', 'a: 1\n"a": 2\n', 2, 1, /given twice/],
    ['two documents', 'a: 1\n---\nb: 2\n', 2, 1, /only one document/],
    ['a list as a key', '? [a, b]\n: 1\n', 1, 3, /keys must be plain values/],
    ['a prototype key', 'a:\n  __proto__: {}\n', 2, 3, /not allowed/],
    ['an infinite number', 'a: 1\nb: .inf\n', 2, 4, /finite/],
    ['an escaped NUL', 'a: "x\\0"\n', 1, 4, /U\+0000/],
    ['an escaped half surrogate pair', 'a: "\\uD800"\n', 1, 4, /surrogate/],
    ['a literal NUL', 'a: 1\nb: x\0\n', 2, 5, /U\+0000/],
    ['a literal half surrogate pair', 'a: \uDC00\n', 1, 4, /surrogate/],
    ['an unknown alias', 'a: *b\n', 1, 4, /alias/],
    ['a circular alias', 'a: &a [*a]\n', 1, 8, /no anchor before/],
    ['an unclosed quote', 'a: "b\n', 2, 1, /quote/],
    ['nothing at all', '', 1, 1, /empty/],
    ['an alias bomb', bomb, 7, 8, /aliases repeat too much/],
    ['too deep flow lists', `a: ${nested(70)}`, 1, 67, /deeper than 64/],
    ['deeper than any stack', `a: ${'['.repeat(60_000)}`, 1, 1, /nested too deeply|deeper than 64|YAML rule/],
  ])('YAML with %s is refused with its place', (_, text, line, column, message) => {
    const parsed = parseBundle(text, { format: 'yaml' });
    expect(parsed).toMatchObject({ ok: false, error: { message: expect.stringMatching(message) } });
    if (!parsed.ok && !text.includes('[[[[[')) expect(parsed.error).toMatchObject({ line, column });
  });

  it.each([
    ['a duplicate key', '{"a":1,\n "a":2}', 2, 2, /given twice/],
    ['a trailing comma', '{"a":1,}', 1, 8, /key in double quotes/],
    ['single quotes', "{'a':1}", 1, 2, /key in double quotes/],
    ['a comment', '{"a":1 // x\n}', 1, 8, /comma or }/],
    ['text after the end', '{} x', 1, 4, /follows the end/],
    ['an escaped NUL', '{"a":"\\u0000"}', 1, 6, /U\+0000/],
    ['an escaped half surrogate pair', '{"a":"\\ud800"}', 1, 6, /surrogate/],
    ['a raw control character', '{"a":"\t"}', 1, 7, /control character/],
    ['a number beyond a double', '{"a":1e999}', 1, 6, /too large/],
    ['a number that JSON does not know', '{"a":012}', 1, 7, /comma or }/],
    ['a prototype key', '{"__proto__":{}}', 1, 2, /not allowed/],
    ['too many levels', nested(65), 1, 65, /deeper than 64/],
    ['too many keys', wide(documentLimits.keysPerObjectMax + 1), 1, 98_900, /more than 10000 keys/],
    ['an early end', '{"a":', 1, 6, /ends too early/],
  ])('JSON with %s is refused with its place', (_, text, line, column, message) => {
    expect(parseBundle(text, { format: 'json' })).toMatchObject({
      ok: false,
      error: { line, column, message: expect.stringMatching(message) },
    });
  });

  it('takes exactly the limits of depth and keys', () => {
    expect(parseBundle(nested(documentLimits.depthMax)).ok).toBe(true);
    expect(parseBundle(wide(documentLimits.keysPerObjectMax)).ok).toBe(true);
    expect(parseBundle(wide(documentLimits.keysPerObjectMax), { format: 'yaml' }).ok).toBe(true);
  });

  it('the message of a mistake never quotes the document', () => {
    for (const text of ['key: "hunter2', 'key: !x hunter2', '{"key":"hunter2"']) {
      const parsed = parseBundle(text);
      expect(parsed.ok).toBe(false);
      expect(JSON.stringify(parsed)).not.toContain('hunter2');
    }
  });

  it.each([
    ['YAML', 'tenant_id: acme\nroutes:\n  - name: a\n  - name: b\n    path: /x\n', { line: 5, column: 11 }],
    ['JSON', '{"tenant_id":"acme","routes":[{"name":"a"},\n{"name":"b","path":"/x"}]}', { line: 2, column: 20 }],
  ])('finds the place of a value in %s', (_, text, place) => {
    const parsed = parseBundle(text);
    if (!parsed.ok) throw new Error(parsed.error.message);
    expect(parsed.positions('/routes/1/path')).toEqual(place);
    expect(parsed.positions('/routes/7/path')).toBeUndefined();
  });
});
