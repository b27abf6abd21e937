import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../testing/any-text.ts';
import { safeJson } from './safe-json.ts';

const UNSAFE = /[\p{Cc}\u2028\u2029]/u;

describe('the JSON of a record', () => {
  it.each([
    ['DEL', '\u007f', String.raw`"a\u007fb"`],
    ['CSI, which begins what a terminal does', '\u009b', String.raw`"a\u009bb"`],
    ['NEL, where some readers end a line', '\u0085', String.raw`"a\u0085b"`],
    ['a line separator', '\u2028', String.raw`"a\u2028b"`],
    ['a paragraph separator', '\u2029', String.raw`"a\u2029b"`],
    ['an escape', '\u001b', String.raw`"a\u001bb"`],
  ])('has %s in an escaped form', (_name, character, written) => {
    expect(safeJson(JSON.stringify(`a${character}b`))).toBe(written);
  });

  it('says the same as before, of whatever text', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 50 }), (text) => {
        const written = safeJson(JSON.stringify({ [text]: text }));
        expect(written).not.toMatch(UNSAFE);
        expect(JSON.parse(written)).toEqual({ [text]: text });
      }),
    );
  });

  it('is left alone where there is nothing of the kind', () => {
    const json = JSON.stringify({ plain: 'ASCII \\ "x"', more: 'Grüße, 世界 🎉' });
    expect(safeJson(json)).toBe(json);
  });
});
