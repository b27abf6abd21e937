import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { lengthOfStrings, maySay } from './json-scan.ts';

test.each([
  ['{"usage":null}', false],
  ['{"usage": null,"x":1}', false],
  ['{"usage"\t:\r\n null}', false],
  ['{"usage":{}}', true],
  ['{"usage" :\t{}}', true],
  ['{"a":{"usage":0}}', true],
  ['{"usage":null,"b":{"usage":1}}', true],
  ['{"a":"\\"usage\\":1"}', false],
  ['{"a":"usage","b":1}', false],
  ['{"my_usage":1}', false],
  ['{"usage', false],
])('%s: %s', (json, expected) => {
  expect(maySay(json, 'usage"')).toBe(expected);
});

test('the characters of texts, however they are written', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('"', '\\', '\\"', '\u0001', '"content":"x"', '\uD800'),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), fc.constantFrom(undefined, 2), (texts, indent) => {
      const json = JSON.stringify(
        texts.map((content) => ({ content, other: content })),
        null,
        indent,
      );
      expect(lengthOfStrings(json, 'content"')).toBe(texts.join('').length);
    }),
  );
});

test('a text that has no end is counted to its end, and nothing is waited for', () => {
  expect(lengthOfStrings('{"content":"abc', 'content"')).toBe(3);
  expect(lengthOfStrings('{"content":"abc\\', 'content"')).toBe(4);
});
