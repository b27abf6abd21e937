import { describe, expect, it } from 'vitest';
import { VERIFIED_MAX, VERIFIED_MS, VerifiedPasswords } from './verified-passwords.ts';

describe('verified passwords', () => {
  it('are known for their hash, until a time after their last use', () => {
    const verified = new VerifiedPasswords();
    verified.add('d', 'hash', 0);
    expect(verified.has('d', 'hash', VERIFIED_MS - 1)).toBe(true);
    expect(verified.has('d', 'hash', 2 * VERIFIED_MS - 2)).toBe(true);
    expect(verified.has('d', 'hash', 3 * VERIFIED_MS - 2)).toBe(false);
    expect([verified.has('other', 'hash', 0), verified.size]).toEqual([false, 0]);
  });

  it('are forgotten when their hash is another', () => {
    const verified = new VerifiedPasswords();
    verified.add('d', 'hash', 0);
    expect([verified.has('d', 'changed', 1), verified.has('d', 'hash', 1)]).toEqual([false, false]);
  });

  it('are so many at most; those used longest ago go first', () => {
    const verified = new VerifiedPasswords();
    for (let digest = 0; digest < VERIFIED_MAX; digest += 1) verified.add(`${digest}`, 'hash', 0);
    expect(verified.has('0', 'hash', 1)).toBe(true);
    verified.add('one more', 'hash', 1);
    expect([verified.size, verified.has('0', 'hash', 1), verified.has('1', 'hash', 1)]).toEqual([
      ...[VERIFIED_MAX, true, false],
    ]);
  });

  it('make room at once for all that nobody uses any more', () => {
    const verified = new VerifiedPasswords();
    for (let digest = 0; digest < VERIFIED_MAX; digest += 1) verified.add(`${digest}`, 'hash', 0);
    verified.add('one more', 'hash', VERIFIED_MS);
    expect([verified.size, verified.has('one more', 'hash', VERIFIED_MS)]).toEqual([1, true]);
  });
});
