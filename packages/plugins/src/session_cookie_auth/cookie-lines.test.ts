import type { HeaderEdit } from '@portcullis/plugin-runtime';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cookieRemoval, cookieValues } from './cookie-lines.ts';

const pieces = ['session', 'a', '=', ';', ' ', '\t', '"', 'session=x', 'session = y', 'sessions=z', ''];
const line = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));
const lines = fc.array(line, { minLength: 1, maxLength: 3 });

/** The lines that edits leave of those that were there. */
function left(before: readonly string[], edits: readonly HeaderEdit[]): readonly string[] {
  if (edits.length === 0) return before;
  return edits.flatMap(({ op, value }) => (op === 'remove' ? [] : [value ?? '']));
}

/** Written as plainly as can be. */
function pairs(given: readonly string[]): readonly string[] {
  return given.flatMap((text) => text.split(';'));
}
function isSession(pair: string): boolean {
  return /^[ \t]*session[ \t]*=/.test(pair);
}

describe('cookies of any form', () => {
  it('are found as often as they stand there', () => {
    fc.assert(
      fc.property(lines, (given) => {
        const expected = pairs(given).filter(isSession);
        expect(cookieValues(given, 'session')).toEqual(
          expected.map((pair) => pair.slice(pair.indexOf('=') + 1).trim()),
        );
      }),
    );
  });

  it('are gone when they are removed, and all others stay in their order', () => {
    fc.assert(
      fc.property(lines, (given) => {
        const after = left(given, cookieRemoval(given, 'session'));
        expect(cookieValues(after, 'session')).toEqual([]);
        const named = (all: readonly string[]) =>
          pairs(all)
            .map((pair) => pair.trim())
            .filter((pair) => pair !== '');
        expect(named(after)).toEqual(named(given).filter((pair) => !isSession(pair)));
      }),
    );
  });
});
