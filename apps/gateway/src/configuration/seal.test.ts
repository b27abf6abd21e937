import { describe, expect, it } from 'vitest';
import { Seal } from './seal.ts';

function close(seal: Seal, text: string, place: string): Buffer {
  const sealing = seal.sealing(place);
  const middle = Math.floor(text.length / 2);
  const pieces = [text.slice(0, middle), text.slice(middle)].map((piece) => sealing.piece(piece));
  return Buffer.concat([sealing.begin, ...pieces, sealing.end()]);
}

describe('Seal', () => {
  const text = '{"secret":"canary"}';

  it('opens what it closed, never the same way twice, and shows nothing of it', () => {
    const seal = new Seal('gwdp_a');
    const [one, two] = [close(seal, text, '1'), close(seal, text, '1')];
    expect([seal.open(one, '1')?.toString(), seal.open(two, '1')?.toString()]).toEqual([text, text]);
    expect(one.equals(two)).toBe(false);
    expect(one.includes('canary')).toBe(false);
  });

  it('opens nothing that was cut, changed in any byte, moved to another place, or sealed with another token', () => {
    const seal = new Seal('gwdp_a');
    const blob = close(seal, text, '1');
    for (let at = 0; at < blob.length; at += 1) {
      const changed = Buffer.from(blob);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(seal.open(changed, '1')).toBeUndefined();
      expect(seal.open(blob.subarray(0, at), '1')).toBeUndefined();
    }
    expect(seal.open(blob, '2')).toBeUndefined();
    expect(new Seal('gwdp_b').open(blob, '1')).toBeUndefined();
  });

  it('names the owner of a token in the same way each time, without a word of it', () => {
    expect(new Seal('gwdp_a').owner).toBe(new Seal('gwdp_a').owner);
    expect(new Seal('gwdp_a').owner).not.toBe(new Seal('gwdp_b').owner);
    expect(new Seal('gwdp_a').owner).toMatch(/^[0-9a-f]{16}$/);
  });
});
