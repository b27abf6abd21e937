import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyText } from '../testing/any-text.ts';
import { CALL_LENGTH_MAX, CALL_TEXTS_MAX, textCalls } from './text-pieces.ts';

it('cuts texts into calls that are short enough, and loses nothing', () => {
  const text = fc
    .tuple(fc.constantFrom('', ' ', 'ab ', '𝒳'), fc.nat(30_000), anyText({ maxLength: 5 }))
    .map(([unit, count, end]) => unit.repeat(count) + end);
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), (texts) => {
      const calls = textCalls(texts);
      expect(
        texts.map((_text, of) =>
          calls
            .flat()
            .filter((piece) => piece.of === of)
            .map((piece) => piece.text)
            .join(''),
        ),
      ).toEqual(texts);
      for (const call of calls) {
        expect(call.reduce((sum, piece) => sum + piece.text.length, 0)).toBeLessThanOrEqual(CALL_LENGTH_MAX);
        for (const piece of call) expect(piece.text.isWellFormed()).toBe(true);
      }
    }),
    { numRuns: 40 },
  );
});

it('puts no more texts into a call than it may have', () => {
  expect(textCalls(Array.from({ length: CALL_TEXTS_MAX + 1 }, () => 'a')).map((call) => call.length)).toEqual([
    CALL_TEXTS_MAX,
    1,
  ]);
  expect(textCalls([])).toEqual([]);
});

it('cuts between words', () => {
  const [first] = textCalls([`${'a'.repeat(CALL_LENGTH_MAX - 10)} ${'b'.repeat(20)}`]);
  expect(first?.map(({ text }) => text)).toEqual([`${'a'.repeat(CALL_LENGTH_MAX - 10)} `]);
});
