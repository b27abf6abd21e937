import { describe, expect, it } from 'vitest';
import {
  REMEMBERED_MAX,
  REMEMBERED_MS,
  REMEMBERED_SIZE_MAX,
  rememberedUntilMs,
  VerifiedTokens,
} from './verified-tokens.ts';

const entry = (size: number, untilMs = 1000) => ({ size, untilMs });
const count = (tokens: VerifiedTokens<ReturnType<typeof entry>>, given: number) =>
  Array.from({ length: given }, (_, index) => tokens.find(`t${index}`, 0)).filter((found) => found !== undefined)
    .length;

describe('verified tokens', () => {
  it('are remembered for some minutes, and no longer than they are good', () => {
    expect(rememberedUntilMs(REMEMBERED_MS - 1, 0)).toBe(REMEMBERED_MS - 1);
    expect(rememberedUntilMs(Number.MAX_SAFE_INTEGER, 7)).toBe(REMEMBERED_MS + 7);
  });

  it('are found until their time is over, and by their whole text only', () => {
    const tokens = new VerifiedTokens();
    expect(tokens.find('t', 0)).toBeUndefined();
    tokens.remember('t', entry(1));
    expect([tokens.find('t', 999), tokens.find('t.', 0), tokens.find('T', 0)]).toEqual([
      entry(1),
      undefined,
      undefined,
    ]);
    expect(tokens.find('t', 1000)).toBeUndefined();
    expect(tokens.find('t', 0)).toBeUndefined();
  });

  it('are so many at most, and so long together', () => {
    const many = new VerifiedTokens<ReturnType<typeof entry>>();
    for (let index = 0; index < REMEMBERED_MAX + 10; index += 1) many.remember(`t${index}`, entry(100));
    expect(count(many, REMEMBERED_MAX + 10)).toBe(REMEMBERED_MAX);
    const long = new VerifiedTokens<ReturnType<typeof entry>>();
    for (let index = 0; index < 1000; index += 1) long.remember(`t${index}`, entry(16_000));
    expect(count(long, 1000) * 16_000).toBeLessThanOrEqual(REMEMBERED_SIZE_MAX);
    expect(long.find('t999', 0)).toBeDefined();
  });
});
