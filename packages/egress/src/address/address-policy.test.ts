import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AddressPolicy } from './address-policy.ts';
import { embeddedIpv4 } from './embedded-ipv4.ts';
import { metadataAddresses } from './metadata-addresses.ts';
import { isPublicAddress } from './public-address.ts';
import { RefusedNetworks } from './refused-networks.ts';

/** Special-purpose IPv4 blocks, first and last address. Source: IANA's registry, and RFC 5771 and RFC 1112 for the last third. */
const special: readonly (readonly [string, string])[] = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.0', '192.31.196.255'],
  ['192.52.193.0', '192.52.193.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['192.175.48.0', '192.175.48.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
];

function numberOf(address: string): number {
  return address.split('.').reduce((whole, byte) => whole * 256 + Number(byte), 0);
}

function textOf(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 0xff).join('.');
}

function isSpecial(number: number): boolean {
  return special.some(([first, last]) => number >= numberOf(first) && number <= numberOf(last));
}

/** Any address, and often one at the border of a block. */
const versionFour = fc.oneof(
  fc.nat(0xffffffff),
  fc
    .tuple(fc.constantFrom(...special.flat()), fc.integer({ min: -2, max: 2 }))
    .map(([border, away]) => Math.min(0xffffffff, Math.max(0, numberOf(border) + away))),
);

const groups = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 });
const versionSix = groups.map((parts) => parts.map((part) => part.toString(16)).join(':'));

/** IPv6 addresses that stand for an IPv4 address, but for mapped ones. */
function disguises(address: string): readonly string[] {
  const [high, low] = [Math.floor(numberOf(address) / 65_536).toString(16), (numberOf(address) % 65_536).toString(16)];
  return [
    `::${high}:${low}`,
    `::ffff:0:${high}:${low}`,
    `64:ff9b::${high}:${low}`,
    `64:ff9b:1::${high}:${low}`,
    `2002:${high}:${low}::1`,
    `2001:0:${high}:${low}::`,
    `2a00:1::5efe:${high}:${low}`,
  ];
}

describe('public addresses', () => {
  it('are what no registry of special addresses names', () => {
    fc.assert(
      fc.property(versionFour, (number) => {
        expect([textOf(number), isPublicAddress(textOf(number))]).toEqual([textOf(number), !isSpecial(number)]);
      }),
      { numRuns: 2000 },
    );
  });

  it('are not hidden in others, and mapped ones are what they are', () => {
    fc.assert(
      fc.property(versionFour, (number) => {
        const address = textOf(number);
        for (const disguise of disguises(address)) {
          expect([disguise, isPublicAddress(disguise)]).toEqual([disguise, false]);
          expect(embeddedIpv4(disguise)).toContain(address);
        }
        expect(isPublicAddress(`::ffff:${address}`)).toBe(!isSpecial(number));
      }),
      { numRuns: 500 },
    );
  });

  it('of IPv6 are within 2000::/3', () => {
    fc.assert(
      fc.property(versionSix, (address) => {
        if (isPublicAddress(address)) expect(address).toMatch(/^[23][0-9a-f]{3}:/);
      }),
      { numRuns: 2000 },
    );
    expect(['2606:4700::1111', '2a00:1450:4001::200e', '2001:4860:4860::8888'].map(isPublicAddress)).toEqual([
      true,
      true,
      true,
    ]);
  });

  it.each([
    '',
    'name.test',
    '1.2.3',
    '0x8.8.8.8',
    '010.8.8.8',
    '[2606:4700::1111]',
    '2606:4700::1111%eth0',
    ' 8.8.8.8',
  ])('are no text that is none (%j)', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });
});

describe('the operator’s rule', () => {
  const everything = [
    { address: '0.0.0.0', bits: 0 },
    { address: '::', bits: 0 },
  ];

  it('never allows metadata addresses, in no disguise', () => {
    const policy = new AddressPolicy({ allowed: everything });
    const isFour = (address: string): boolean => isIP(address) === 4;
    const fours = metadataAddresses.filter(isFour);
    const all = [...metadataAddresses, ...fours.map((four) => `::ffff:${four}`), ...fours.flatMap(disguises)];
    expect(all.length).toBeGreaterThan(70);
    expect(all.filter((address) => policy.verdict(address, 80) !== 'refused')).toEqual([]);
  });

  it('never allows what is refused besides, in no disguise, on its port', () => {
    fc.assert(
      fc.property(versionFour, fc.nat(65_535), (number, port) => {
        const address = textOf(number);
        const refused = new RefusedNetworks([{ address, port }]);
        const policy = new AddressPolicy({ allowed: everything, refused });
        for (const disguise of [address, `::ffff:${address}`, ...disguises(address)])
          expect([disguise, policy.verdict(disguise, port)]).toEqual([disguise, 'refused']);
      }),
      { numRuns: 200 },
    );
  });

  it('allows what is listed, and tells it from what is public', () => {
    const policy = new AddressPolicy({
      allowed: [{ address: '10.2.0.0', bits: 16 }, { address: 'fd00:8::', bits: 32 }, { address: '9.9.9.9' }],
    });
    const verdicts = [
      '10.2.255.1',
      '10.3.0.0',
      '::ffff:10.2.0.1',
      '64:ff9b::a02:1',
      'fd00:8::1',
      'fd00:9::1',
      '9.9.9.9',
      '8.8.8.8',
    ];
    expect(verdicts.map((address) => policy.verdict(address, 443))).toEqual([
      'listed',
      'refused',
      'listed',
      'refused',
      'listed',
      'refused',
      'listed',
      'public',
    ]);
  });

  it('takes an address of a listed way to IPv4 for the IPv4 address behind it', () => {
    const policy = new AddressPolicy({
      allowed: [
        { address: '64:ff9b::', bits: 96 },
        { address: '64:ff9b:1::', bits: 48 },
        { address: '2002::', bits: 16 },
        { address: '2001::', bits: 32 },
        { address: '::', bits: 127 },
        { address: '10.2.0.0', bits: 16 },
      ],
    });
    const verdictOf = (address: string) => policy.verdict(address, 443);
    for (const [four, verdict] of [
      ['8.8.8.8', 'public'],
      ['10.2.0.1', 'listed'],
      ['10.3.0.1', 'refused'],
      ['127.0.0.1', 'refused'],
      ['0.0.0.0', 'refused'],
    ] as const) {
      const ways = disguises(four).filter((way) => /^(?:64:ff9b|2002)/.test(way));
      expect(ways.length).toBeGreaterThan(2);
      for (const way of ways) expect([way, verdictOf(way)]).toEqual([way, verdict]);
    }
    // Teredo has a server and a client, whose bits are turned over: either may be the end.
    const teredo = ['2001:0:808:808::f5fd:fffe', '2001:0:a02:1::f5fd:fffe', '2001:0:808:808::f5fc:fffe'];
    expect(teredo.map(verdictOf)).toEqual(['public', 'listed', 'refused']);
    expect(['::', '::1', '::a02:1'].map(verdictOf)).toEqual(['listed', 'listed', 'refused']);
  });

  it('refuses what is no address, and zones', () => {
    const policy = new AddressPolicy({ allowed: everything });
    expect(['name.test', '127.1', 'fe80::1%lo', ''].map((text) => policy.verdict(text, 80))).toEqual(
      Array.from({ length: 4 }, () => 'refused'),
    );
  });

  it('asks for what is refused at each call', () => {
    const refused = new RefusedNetworks();
    const policy = new AddressPolicy({ allowed: everything, refused });
    expect(policy.verdict('10.0.0.5', 5432)).toBe('listed');
    refused.add({ address: '10.0.0.0', bits: 24, port: 5432 });
    expect([policy.verdict('10.0.0.5', 5432), policy.verdict('10.0.0.5', 80)]).toEqual(['refused', 'listed']);
    refused.add({ address: '10.0.0.5' });
    expect(policy.verdict('10.0.0.5', 80)).toBe('refused');
  });
});
