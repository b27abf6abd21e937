import { expect, it } from 'vitest';
import { patternRanges, PLACES_TIME_MS } from './pattern-ranges.ts';

const text = 'id-12 𝒳 ID-7 key';
const still = (): number => 0;
const foundBy = (patterns: readonly string[], isCaseSensitive = false, clock = still): string[] =>
  patternRanges(patterns, isCaseSensitive, clock)
    .rangesIn(text)
    .map(({ start, end }) => text.slice(start, end));

it('finds every place of every pattern, in units of the text, and no empty ones', () => {
  expect(foundBy(['id-[0-9]*', 'key'])).toEqual(['id-12', 'ID-7', 'key']);
  expect(foundBy(['id-[0-9]*'], true)).toEqual(['id-12']);
  expect(foundBy(['q*'], true)).toEqual([]);
});

it('says whether there is any in one pass', () => {
  expect(patternRanges(['nothing', 'key'], true, still).isIn(text)).toBe(true);
  expect(patternRanges(['nothing'], true, still).isIn(text)).toBe(false);
});

it('tells of the rest as one place when its time is over, and of all when some patterns had no turn', () => {
  let nowMs = 0;
  const late = (): number => (nowMs += PLACES_TIME_MS);
  expect(foundBy(['id-[0-9]*'], true, late)).toEqual(['id-12', text.slice(5)]);
  nowMs = 0;
  expect(foundBy(['id-[0-9]*', 'key'], true, late)).toEqual([text]);
});
