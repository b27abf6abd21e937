import { BlockList, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientNetwork } from './client-network.ts';

describe('clientNetwork', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['::ffff:0:192.0.2.1', '192.0.2.1'],
    ['64:ff9b::c000:201', '192.0.2.1'],
    ['64:ff9b::198.51.100.1', '198.51.100.1'],
    ['64:ff9b:1::c000:201', '64:ff9b:1:0::/64'],
    ['2001:db8::192.0.2.1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:ffff::', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
    ['febf::2', 'febf::2'],
    ['no address: at all', 'no address: at all'],
    ['', ''],
  ])('of %s is %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });

  it('is the same for two addresses exactly when one /64 has them, however they are written', () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    const groups = fc.array(fc.oneof(fc.constant(0), group), { minLength: 8, maxLength: 8 });
    const written = fc.constantFrom('whole', 'padded', 'upper', 'short');
    fc.assert(
      fc.property(groups, groups, fc.boolean(), written, (one, two, isNear, form) => {
        const [first, second] = [one, isNear ? [...one.slice(0, 4), ...two.slice(4)] : two];
        const [plain, other] = [textOf(first, 'whole'), textOf(second, form)];
        fc.pre(isIPv6(plain) && isIPv6(other) && [first, second].every(([top = 0]) => (top & 0xffc0) !== 0xfe80));
        const network = new BlockList();
        network.addSubnet(plain, 64, 'ipv6');
        // Node takes the addresses of IPv4 in IPv6 for IPv4.
        fc.pre(!other.includes('.') && !isMapped(first) && !isMapped(second));
        expect(clientNetwork(other) === clientNetwork(plain)).toBe(network.check(other, 'ipv6'));
      }),
    );
  });
});

function isMapped(groups: readonly number[]): boolean {
  return groups.slice(0, 5).every((group) => group === 0);
}

function textOf(groups: readonly number[], form: 'whole' | 'padded' | 'upper' | 'short'): string {
  const digits = groups.map((group) => group.toString(16));
  if (form === 'padded') return digits.map((text) => text.padStart(4, '0')).join(':');
  if (form === 'upper') return digits.join(':').toUpperCase();
  const text = digits.join(':');
  return form === 'short' ? text.replace(/(^|:)0(:0)+(:|$)/, '::') : text;
}
