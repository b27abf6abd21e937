import { isIP } from 'node:net';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { readAddress } from './address-bits.ts';
import { type Network, NetworkSet } from './network-set.ts';
import { readNetwork } from './read-network.ts';

/** Bytes of an address by another implementation; a mapped one is its IPv4 address. */
function bytesOf(address: string): readonly number[] {
  return ipaddr.process(address).toByteArray();
}

/** The same question, asked of each network in turn. */
function isInOne(networks: readonly Network[], address: string): boolean {
  const bytes = bytesOf(address);
  return networks.some((network) => {
    const start = bytesOf(network.address);
    const given = network.bits ?? (network.address.includes(':') ? 128 : 32);
    const bits = given - (start.length === 4 && network.address.includes(':') ? 96 : 0);
    const isSame = (byte: number, at: number): boolean =>
      (((start[at] ?? 0) ^ byte) & (0xff00 >> Math.min(8, Math.max(0, bits - at * 8))) & 0xff) === 0;
    return start.length === bytes.length && bytes.every(isSame);
  });
}

// Few different octets and groups, so that networks meet, and lie within one another.
const octet = fc.constantFrom(0, 1, 2, 10, 127, 128, 255);
const ipv4 = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join('.'));
const group = fc.constantFrom('0', '1', 'ff', 'FFFF', '8000', '2001', 'db8');
const ipv6 = fc.oneof(
  fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => groups.join(':')),
  fc
    .tuple(fc.array(group, { maxLength: 3 }), fc.array(group, { maxLength: 3 }))
    .map(([a, b]) => `${a.join(':')}::${b.join(':')}`),
  ipv4.map((address) => `::ffff:${address}`),
  ipv4.map((address) => `64:ff9b::${address}`),
);
const address = fc.oneof(ipv4, ipv6);
const network: fc.Arbitrary<Network> = fc.oneof(
  fc.record({ address: ipv4, bits: fc.integer({ min: 0, max: 32 }) }),
  fc
    .record({ address: ipv6, bits: fc.integer({ min: 0, max: 128 }) })
    // Wider than all mapped addresses: an IPv6 network, which the naive question cannot ask.
    .filter((one) => one.bits >= 96 || bytesOf(one.address).length === 16),
);

describe('a set of networks', () => {
  it('holds what one of its networks holds, in whatever order they came', () => {
    const property = fc.property(fc.array(network, { maxLength: 12 }), fc.array(address), (networks, addresses) => {
      const set = new NetworkSet(networks);
      for (const one of [...addresses, ...networks.map((given) => given.address)]) {
        expect(set.has(one), `${JSON.stringify(networks)} ${one}`).toBe(isInOne(networks, one));
      }
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it.each([
    ['of one provider', (at: number) => `10.${at >> 8}.${at & 255}.0/24`],
    ['that share all but some bits', (at: number) => `10.1.1${at >> 8}.${at & 255}/32`],
    ['of all sizes', (at: number) => `${(at * 7919) & 255}.${(at * 31) & 255}.0.0/${16 + (at % 3)}`],
    ['of IPv6', (at: number) => `2001:db8:${(at * 40_503).toString(16).slice(-4)}:${at.toString(16)}::/64`],
    ['whose last bits differ', (at: number) => `2001:db8::${at.toString(16)}`],
    [
      'whose bits differ across two words',
      (at: number) => `2001:d${(at >> 6).toString(16)}:${((at & 63) << 10).toString(16)}::/38`,
    ],
  ])('finds its way through many networks %s', (_name, textOf) => {
    const networks = Array.from({ length: 900 }, (_, at) => readNetwork(textOf(at))).filter(
      (one) => typeof one !== 'string',
    );
    expect(networks.length).toBeGreaterThan(300);
    const set = new NetworkSet(networks);
    for (const { address: base } of networks.slice(0, 40)) {
      const bytes = [...bytesOf(base)];
      for (const change of [
        [],
        [bytes.length - 1, 1],
        [bytes.length - 1, 128],
        [bytes.length >> 1, 1],
        [4 % bytes.length, 64],
        [0, 1],
        [1, 1],
      ]) {
        const [at = 0, bit = 0] = change;
        const near = ipaddr.fromByteArray(bytes.with(at, (bytes[at] ?? 0) ^ bit)).toString();
        expect(set.has(near), near).toBe(isInOne(networks, near));
      }
    }
  });

  it('holds what is added while it is being asked', () => {
    const networks = Array.from({ length: 500 }, (_, at) => ({
      address: `10.${at % 250}.${at >> 1}.0`.replace('.256', '.1'),
      bits: 24,
    })).filter((one) => isIP(one.address) === 4);
    const set = new NetworkSet();
    for (const [at, one] of networks.entries()) {
      set.add(one);
      expect(set.has(one.address.replace(/0$/, '77'))).toBe(true);
      expect(set.has('11.0.0.1')).toBe(false);
      expect(set.has(networks[at >> 1]?.address ?? '')).toBe(true);
    }
  });

  it.each([
    ['10.0.0.0', 8, '::ffff:10.1.2.3', true],
    ['10.0.0.0', 8, '::ffff:a01:203', true],
    ['::ffff:10.0.0.0', 104, '10.1.2.3', true],
    ['::ffff:10.0.0.0', 104, '::ffff:10.1.2.3', true],
    ['::ffff:0:0', 96, '203.0.113.1', true],
    ['::', 0, '203.0.113.1', false],
    ['::', 0, '::ffff:203.0.113.1', false],
    ['::', 0, 'ffff::', true],
    ['0.0.0.0', 0, '255.255.255.255', true],
    ['0.0.0.0', 0, '::1', false],
    ['fe80::', 10, 'fe80::1%eth0', true],
    ['255.255.255.255', 32, '255.255.255.255', true],
    ['2001:db8::', 33, '2001:db8:8000::', false],
  ])('%s/%i and %s: %s', (base, bits, asked, isIn) => {
    expect(new NetworkSet([{ address: base, bits }]).has(asked)).toBe(isIn);
  });

  it.each([
    { address: 'localhost' },
    { address: '10.0.0.0', bits: 33 },
    { address: '10.0.0.0', bits: -1 },
    { address: '10.0.0.0', bits: 8.5 },
    { address: '::', bits: 129 },
  ])('takes no %j', (given) => {
    expect(() => new NetworkSet([given])).toThrow(RangeError);
  });

  it.each(['', 'localhost', '10.0.0', '10.0.0.01', '10.0.0.1.', '[::1]', '::1%', ' ::1', '10.0.0.1 ', '1:2:3:4:5:6:7'])(
    'does not hold %j, which is no address, even when it holds all',
    (text) => {
      const all = new NetworkSet([
        { address: '0.0.0.0', bits: 0 },
        { address: '::', bits: 0 },
      ]);
      expect(all.has(text)).toBe(false);
    },
  );
});

describe('reading an address', () => {
  const into = new Uint32Array(4);
  const piece = fc.constantFrom(
    '0',
    '1',
    '9',
    'a',
    'F',
    '.',
    ':',
    '::',
    '10',
    '255',
    '256',
    '00',
    'ffff',
    '%',
    'g',
    '127.0.0.1',
  );

  it('takes what Node takes for one, but for zones, and no other text', () => {
    const texts = fc.oneof(
      fc.array(piece, { maxLength: 16 }).map((parts) => parts.join('')),
      address,
    );
    const property = fc.property(texts, (text) => {
      fc.pre(!text.includes('%'));
      expect(readAddress(text, into) !== 0, text).toBe(isIP(text) !== 0);
    });
    fc.assert(property, { numRuns: 20_000 });
  });

  it('gives the bits that another implementation gives', () => {
    const property = fc.property(address, (text) => {
      const words = readAddress(text, into);
      const bytes = [...into.subarray(0, words)].flatMap((word) =>
        [24, 16, 8, 0].map((shift) => (word >>> shift) & 255),
      );
      expect(bytes).toEqual(bytesOf(text));
    });
    fc.assert(property, { numRuns: 2000 });
  });
});

describe('reading a network', () => {
  it.each([
    ['10.0.0.1', { address: '10.0.0.1', bits: 32 }],
    ['2001:DB8::/32', { address: '2001:DB8::', bits: 32 }],
    ['::ffff:10.0.0.0/104', { address: '::ffff:10.0.0.0', bits: 104 }],
    ['::ffff:10.0.0.1', { address: '::ffff:10.0.0.1', bits: 128 }],
    ['::/0', { address: '::', bits: 0 }],
  ])('%s', (text, read) => {
    expect(readNetwork(text)).toEqual(read);
  });

  it.each([
    ['010.0.0.1', /neither/],
    ['10.0.0.1/', /prefix/],
    ['10.0.0.0/33', /0 to 32/],
    ['fe80::1%eth0', /neither/],
    ['10.0.0.1/24', /beyond its first 24/],
    ['::ffff:10.0.0.0/90', /beyond/],
    ['::ffff:10.0.0.1/104', /beyond/],
    ['2001:db8::1/64', /beyond/],
    ['10.0.0.1-10.0.0.9', /neither/],
    ['10.0.0.0/8/8', /neither/],
  ])('refuses %s', (text, mistake) => {
    expect(readNetwork(text)).toMatch(mistake);
  });
});
