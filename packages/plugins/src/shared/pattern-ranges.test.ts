import { expect, it } from 'vitest';
import { patternRanges } from './pattern-ranges.ts';

it('finds every place of a pattern, in units of the text, and no empty ones', () => {
  const text = 'id-12 𝒳 ID-7';
  const found = patternRanges('id-[0-9]*', false)
    .rangesIn(text)
    .map(({ start, end }) => text.slice(start, end));
  expect(found).toEqual(['id-12', 'ID-7']);
  expect(patternRanges('id-[0-9]*', true).rangesIn(text)).toHaveLength(1);
  expect(patternRanges('x*', true).rangesIn('aaa')).toEqual([]);
});
