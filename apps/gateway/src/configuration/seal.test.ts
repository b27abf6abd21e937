import { describe, expect, it } from 'vitest';
import { Seal } from './seal.ts';

describe('Seal', () => {
  const text = '{"secret":"canary"}';

  it('opens what it closed, never the same way twice, and shows nothing of it', () => {
    const seal = new Seal('gwdp_a');
    const [one, two] = [seal.close(text), seal.close(text)];
    expect([seal.open(one), seal.open(two)]).toEqual([text, text]);
    expect(one.equals(two)).toBe(false);
    expect(one.includes('canary')).toBe(false);
  });

  it('opens nothing that was cut, changed in any byte, or sealed with another token', () => {
    const seal = new Seal('gwdp_a');
    const blob = seal.close(text);
    for (let at = 0; at < blob.length; at += 1) {
      const changed = Buffer.from(blob);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(seal.open(changed)).toBeUndefined();
      expect(seal.open(blob.subarray(0, at))).toBeUndefined();
    }
    expect(new Seal('gwdp_b').open(blob)).toBeUndefined();
  });
});
