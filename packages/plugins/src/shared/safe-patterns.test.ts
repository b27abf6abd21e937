import { describe, expect, it } from 'vitest';
import { patternMistakes, patternSet } from './safe-patterns.ts';

/** Characters of a text: an engine that goes back would not end before the test does. */
const LENGTH = 10_000;

describe('patterns', () => {
  it.each([
    ['(a+)+$', 'a', '!'],
    ['^(a|a)*$', 'a', '!'],
    ['^(a|aa)+$', 'a', '!'],
    ['(.*a){12}$', 'a', '!'],
    ['^(\\w+\\s?)*$', 'ab ', '!'],
    ['^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+$', 'a', '!'],
  ])('end in a text that %s tries in vain', (pattern, repeated, end) => {
    expect(patternMistakes([pattern])).toEqual([]);
    const find = patternSet([pattern], true);
    expect(find(repeated.repeat(LENGTH) + end)).toBe(false);
    expect(find('nothing of it')).toBe(pattern.startsWith('^(\\w'));
  });

  it.each(['(?=a)', '(?<!a)b', '(a)\\1', '(?>a)'])(
    'are refused where they need an engine that goes back: %s',
    (text) => {
      expect(patternMistakes([text])).toMatchObject([{ at: 0, message: expect.stringContaining('RE2') as unknown }]);
    },
  );
});
