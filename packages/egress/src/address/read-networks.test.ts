import { describe, expect, it } from 'vitest';
import { networksMax, readNetworks } from './read-networks.ts';

describe('a list of networks', () => {
  it.each([
    ['', []],
    [' , ', []],
    ['10.0.0.5', [{ address: '10.0.0.5', bits: 32 }]],
    [
      '127.0.0.0/8,::1/128',
      [
        { address: '127.0.0.0', bits: 8 },
        { address: '::1', bits: 128 },
      ],
    ],
    [
      ' 10.2.0.0/16 , fd00:8::/32 ',
      [
        { address: '10.2.0.0', bits: 16 },
        { address: 'fd00:8::', bits: 32 },
      ],
    ],
    ['0.0.0.0/0', [{ address: '0.0.0.0', bits: 0 }]],
    ['10.1.1.128/25', [{ address: '10.1.1.128', bits: 25 }]],
    ['169.254.0.0/16', [{ address: '169.254.0.0', bits: 16 }]],
  ])('is read (%j)', (list, networks) => {
    expect(readNetworks(list)).toEqual({ ok: true, networks });
  });

  it.each([
    ['localhost', /^item 1 is neither/],
    ['10.0.0.0/8,,10.0.0.1', /^item 2 is neither/],
    ['10.0.0.0/8/8', /neither/],
    ['10.0.0.0/', /prefix .* 0 to 32$/],
    ['10.0.0.0/33', /prefix .* 0 to 32$/],
    ['10.0.0.0/08', /prefix/],
    ['fd00::/129', /prefix .* 0 to 128$/],
    ['10.0.0.1/8', /beyond its first 8$/],
    ['10.1.1.127/25', /beyond its first 25$/],
    ['fd00:8::1/32', /beyond its first 32$/],
    ['::ffff:10.0.0.0/104', /write IPv4$/],
    ['fe80::1%eth0', /neither/],
    ['169.254.169.254', /metadata/],
    ['FD00:0EC2::254/128', /metadata/],
    [Array.from({ length: networksMax + 1 }, () => '10.0.0.1').join(), /longer than/],
  ])('that has a mistake says where (%s)', (list, mistake) => {
    expect(readNetworks(list)).toEqual({ ok: false, mistakes: [expect.stringMatching(mistake)] });
  });

  it('names all mistakes, by their place and not by their text', () => {
    const outcome = readNetworks('one.test,10.0.0.0/8,two.test');
    expect(outcome).toEqual({
      ok: false,
      mistakes: ['item 1 is neither an address nor a CIDR range', 'item 3 is neither an address nor a CIDR range'],
    });
  });
});
