import { readFileSync } from 'node:fs';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, canonicalRecord, CanonicalError } from '../index.ts';
import { jsonForm, parseCanonical } from './json-form.ts';

interface Vectors {
  readonly texts: readonly { readonly name: string; readonly input: string; readonly outputHex: string }[];
  readonly numbers: readonly (readonly [string, string])[];
}

const vectors = JSON.parse(readFileSync(new URL('../testdata/rfc8785.json', import.meta.url), 'utf8')) as Vectors;

describe('the published vectors of RFC 8785', () => {
  it.each(vectors.texts)('$name', ({ input, outputHex }) => {
    const output = Buffer.from(outputHex, 'hex').toString('utf8');
    expect(jsonForm(JSON.parse(input))).toBe(output);
    expect(parseCanonical(output)).toEqual({ value: JSON.parse(input) });
    expect(parseCanonical(input)).toBe(undefined);
  });

  it.each(vectors.numbers)('%s', (bits, expected) => {
    const value = Buffer.from(bits.padStart(16, '0'), 'hex').readDoubleBE();
    expect(jsonForm(value)).toBe(expected);
  });
});

it.each([
  [{ a: [1, { 'b/c~': 'x\ud800' }] }, '/a/1/b~1c~0', 'text with a lone surrogate'],
  [{ a: 'x\u0000' }, '/a', 'text with U+0000'],
  [{ 'x\u0000': 1 }, '', 'text with U+0000'],
  [{ n: 2 ** 53 }, '/n', 'an integer beyond 2^53 - 1, which readers round: write it as a string'],
  [{ n: -(2 ** 53) }, '/n', 'an integer beyond 2^53 - 1, which readers round: write it as a string'],
  [[Number.NaN], '/0', 'JSON has no NaN'],
  [{ n: Number.POSITIVE_INFINITY }, '/n', 'JSON has no Infinity'],
  [{ n: undefined }, '/n', 'JSON has no undefined'],
  [[undefined], '/0', 'JSON has no undefined'],
  [{ n: 1n }, '/n', 'JSON has no bigint'],
  [{ when: new Date(0) }, '/when', 'JSON has no Date'],
  [{ m: new Map() }, '/m', 'JSON has no Map'],
  [{ f: () => 1 }, '/f', 'JSON has no function'],
])('refuses %o', (value, pointer, rule) => {
  expect(() => canonicalJson(value)).toThrow(new CanonicalError(pointer, rule));
});

it('refuses values that are nested too deep, and those that contain themselves', () => {
  const endless: unknown[] = [];
  endless.push(endless);
  expect(() => canonicalJson(endless)).toThrow('nested deeper than 128');
});

it.each(['2026-01-01', '2026-01-01T00:00:00Z', '2026-02-30T00:00:00.000Z', '2026-01-01T00:00:00.000+00:00', 1, null])(
  'takes %s for no timestamp of a record',
  (timestamp) => {
    expect(() => canonicalRecord({ timestamp })).toThrow('/timestamp: a timestamp is YYYY-MM-DDTHH:MM:SS.sssZ');
  },
);

it('takes what every reader agrees on', () => {
  expect(canonicalRecord({ timestamp: '2024-02-29T23:59:59.999Z' })).toBe('{"timestamp":"2024-02-29T23:59:59.999Z"}');
  expect(canonicalJson({ b: [1.5, -0, 2 ** 53 - 1], a: 'é\n', 10: null, 9: true })).toBe(
    '{"10":null,"9":true,"a":"é\\n","b":[1.5,0,9007199254740991]}',
  );
});

it('tells canonical text from its twins as canonicalize does', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (text) => {
      const value: unknown = JSON.parse(text);
      let canonical: string | undefined;
      try {
        canonical = canonicalize(value);
      } catch {
        canonical = undefined;
      }
      expect(parseCanonical(text) !== undefined).toBe(text === canonical);
      if (canonical !== undefined) expect(parseCanonical(canonical)).toEqual({ value: JSON.parse(canonical) });
    }),
  );
});

it.each([
  '{"a":1.0}',
  '{"b":1,"a":1}',
  '{"a":"\\u0061"}',
  '{"a":1,"a":1}',
  '{"a": 1}',
  '{"a":1e2}',
  '{"9":1,"10":1}',
  '"\\ud800"',
])('knows the twin %s', (text) => {
  expect(parseCanonical(text)).toBe(undefined);
});
