import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { StreamTooLargeError } from '../errors.ts';
import { JsonLines } from './json-lines.ts';

test('texts come whole, however the bytes are cut', () => {
  const text = fc.json().map((json) => json.replaceAll(/[\n\r]/g, ' '));
  fc.assert(
    fc.property(
      fc.array(text),
      fc.constantFrom('\n', '\r\n', '\n\n'),
      fc.integer({ min: 1, max: 9 }),
      (texts, end, size) => {
        const bytes = Buffer.from(texts.join(end));
        const lines = new JsonLines();
        const read: string[] = [];
        for (let at = 0; at < bytes.length; at += size) read.push(...lines.push(bytes.subarray(at, at + size)));
        read.push(...lines.end());
        expect(read.map((line) => JSON.parse(line))).toEqual(texts.map((json) => JSON.parse(json)));
      },
    ),
  );
});

test('lines above the bound are refused, whole and in pieces', () => {
  expect(new JsonLines(10).push(Buffer.from('1234567890\n'))).toEqual(['1234567890']);
  expect(() => new JsonLines(9).push(Buffer.from('1234567890\n'))).toThrow(StreamTooLargeError);
  const lines = new JsonLines(9);
  expect(() => Buffer.from('1234567890').forEach((byte) => lines.push(Buffer.of(byte)))).toThrow(StreamTooLargeError);
});
