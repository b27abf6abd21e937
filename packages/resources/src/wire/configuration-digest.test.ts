import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigurationDigest } from './configuration-digest.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const place = { tenantId: 't', gatewayId: 'g' };

function digestOf(lines: Iterable<string>, of = place): string {
  const digest = new ConfigurationDigest(sha256, of);
  for (const line of lines) digest.add(sha256(line));
  return digest.value();
}

describe('the hash of a configuration', () => {
  it('depends on the set of lines and on nothing else: neither on their order nor on what was there before', () => {
    const lines = fc.uniqueArray(fc.nat(500).map(String), { maxLength: 60 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const digest = new ConfigurationDigest(sha256, place);
        for (const line of before) digest.add(sha256(line));
        if (before.length % 2 === 0) digest.value();
        for (const line of before) if (!after.includes(line)) digest.remove(sha256(line));
        for (const line of after.toReversed()) if (!before.includes(line)) digest.add(sha256(line));
        expect(digest.value()).toBe(digestOf(after));
        const isSame = before.length === after.length && before.every((line) => after.includes(line));
        expect(digestOf(before) === digestOf(after)).toBe(isSame);
      }),
    );
  });

  it('is another one for another tenant or gateway, and refuses to lose what it does not have', () => {
    expect(digestOf(['a'], { ...place, tenantId: 'u' })).not.toBe(digestOf(['a']));
    expect(digestOf(['a'], { ...place, gatewayId: 'h' })).not.toBe(digestOf(['a']));
    const digest = new ConfigurationDigest(sha256, place);
    expect(() => digest.remove(sha256('a'))).toThrow(RangeError);
  });
});
