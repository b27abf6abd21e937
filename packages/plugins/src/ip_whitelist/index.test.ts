import { describe, expect, it } from 'vitest';
import { ipBlacklist } from '../ip_blacklist/index.ts';
import type { BuiltIn } from '../shared/built-in.ts';
import { mistakesOf } from '../testing/bad-configs.ts';
import { PluginBench, problemOf } from '../testing/plugin-bench.ts';
import { ipWhitelist } from './index.ts';

/** Both plugins read the same lists; what one lets pass, the other refuses. */
const both: readonly (readonly [BuiltIn, string])[] = [
  [ipWhitelist, 'allowed_ips'],
  [ipBlacklist, 'blocked_ips'],
];

/** The reasons that a bench's instance wrote. */
function reasonsLog() {
  const reasons: unknown[] = [];
  const silent = () => undefined;
  const debug = (_message: string, details?: Readonly<Record<string, unknown>>) =>
    void reasons.push(details?.['reason']);
  return { reasons, log: { debug, warn: silent, error: silent } };
}

const manyNetworks = Array.from({ length: 10_000 }, (_, at) => `10.${at >> 8}.${at & 255}.0/24`);

describe('lists of addresses', () => {
  it.each([
    ['one address', ['192.0.2.7'], '192.0.2.7', true],
    ['another address', ['192.0.2.7'], '192.0.2.8', false],
    ['the first address of a range', ['10.0.0.0/8'], '10.0.0.0', true],
    ['the last address of a range', ['10.0.0.0/8'], '10.255.255.255', true],
    ['the address behind a range', ['10.0.0.0/8'], '11.0.0.0', false],
    ['the address before a range', ['10.0.0.0/8'], '9.255.255.255', false],
    ['all of IPv4', ['0.0.0.0/0'], '255.255.255.255', true],
    ['IPv6 in all of IPv4', ['0.0.0.0/0'], '2001:db8::1', false],
    ['IPv4 in all of IPv6', ['::/0'], '192.0.2.7', false],
    ['an IPv6 address in another spelling', ['2001:db8::1'], '2001:0DB8:0:0::0001', true],
    ['an IPv6 range', ['2001:db8::/33'], '2001:db8:7fff::1', true],
    ['the address behind an IPv6 range', ['2001:db8::/33'], '2001:db8:8000::', false],
    ['a mapped client', ['10.0.0.0/8'], '::ffff:10.1.2.3', true],
    ['a mapped client in hex', ['10.0.0.0/8'], '::ffff:a01:203', true],
    ['a mapped entry', ['::ffff:10.0.0.7'], '10.0.0.7', true],
    ['a mapped range', ['::ffff:10.0.0.0/104'], '10.200.0.7', true],
    ['a link-local client with its zone', ['fe80::/10'], 'fe80::1%eth0', true],
    ['the second of two entries', ['192.0.2.7', '2001:db8::/32'], '2001:db8::9', true],
    ['a range within a range', ['10.0.0.0/8', '10.1.0.0/16', '10.1.2.3'], '10.9.9.9', true],
    ['an entry that stands there twice', ['192.0.2.7', '192.0.2.7'], '192.0.2.7', true],
    ['the last of very many', manyNetworks, '10.39.15.200', true],
    ['none of very many', manyNetworks, '10.39.16.0', false],
  ])('%s', async (_name, list, clientIp, isListed) => {
    for (const [plugin, field] of both) {
      const { result } = await new PluginBench(plugin, { [field]: list }).request({ clientIp });
      expect(result, plugin.plugin.name).toBe((plugin === ipWhitelist) === isListed ? 'continue' : 'respond');
    }
  });

  it.each(['', 'unknown', '192.0.2.7, 10.0.0.1', '192.0.2.07', '[::1]', '_hidden'])(
    'refuse a client whose address is none: %j',
    async (clientIp) => {
      for (const [plugin, field] of both) {
        const bench = new PluginBench(plugin, { [field]: ['0.0.0.0/0', '::/0'] });
        expect((await bench.request({ clientIp })).result, plugin.plugin.name).toBe('respond');
        const other = new PluginBench(plugin, { [field]: ['192.0.2.7'] });
        expect((await other.request({ clientIp })).result, plugin.plugin.name).toBe('respond');
      }
    },
  );

  it.each([
    [ipWhitelist, 'allowed_ips', '198.51.100.1', 'address_not_allowed'],
    [ipWhitelist, 'allowed_ips', 'unknown', 'address_not_allowed'],
    [ipBlacklist, 'blocked_ips', '192.0.2.7', 'address_blocked'],
    [ipBlacklist, 'blocked_ips', 'unknown', 'address_unknown'],
  ] as const)(
    '$plugin.name says 403 to the client, and why to the operator alone',
    async (plugin, field, clientIp, reason) => {
      const { reasons, log } = reasonsLog();
      const { exchange } = await new PluginBench(plugin, { [field]: ['192.0.2.7'] }, { log }).request({ clientIp });
      expect(exchange.response).toMatchObject({ status: 403 });
      expect(problemOf(exchange)).toMatchObject({ status: 403, code: 'forbidden', request_id: 'r1' });
      expect(JSON.stringify(problemOf(exchange))).not.toMatch(/list|192\.0\.2|block/);
      expect(reasons).toEqual([reason]);
    },
  );

  it.each([
    ['no list', {}, [': is required']],
    ['an empty list', [], [': must not be empty']],
    ['one text in place of a list', '10.0.0.1', [': must be a list of addresses and CIDR ranges']],
    ['a number', [7], ['/0: must be text']],
    ['a name', ['localhost'], ['/0: is neither an address nor a CIDR range']],
    ['nothing', [''], ['/0: is neither an address nor a CIDR range']],
    ['leading zeros', ['010.0.0.1'], ['/0: is neither an address nor a CIDR range']],
    ['three octets', ['10.0.0'], ['/0: is neither an address nor a CIDR range']],
    ['a number for an address', ['167772161'], ['/0: is neither an address nor a CIDR range']],
    ['spaces around it', [' 10.0.0.1'], ['/0: is neither an address nor a CIDR range']],
    ['a line break', ['10.0.0.1\n'], ['/0: is neither an address nor a CIDR range']],
    ['a zone', ['fe80::1%eth0'], ['/0: is neither an address nor a CIDR range']],
    ['a range of two addresses', ['10.0.0.1-10.0.0.9'], ['/0: is neither an address nor a CIDR range']],
    [
      'a prefix that is too long',
      ['10.0.0.0/33', '::/129'],
      [
        '/0: has a prefix that is no whole number from 0 to 32',
        '/1: has a prefix that is no whole number from 0 to 128',
      ],
    ],
    ['a prefix with a leading zero', ['10.0.0.0/08'], ['/0: has a prefix that is no whole number from 0 to 32']],
    [
      'bits beyond the prefix',
      ['10.0.0.1/8', '2001:db8::1/64'],
      ['/0: has bits set beyond its first 8', '/1: has bits set beyond its first 64'],
    ],
    [
      'a text without end',
      ['1'.repeat(100_000)],
      ['/0: must have at most 49 characters', '/0: is neither an address nor a CIDR range'],
    ],
    ['too many entries', Array.from({ length: 10_001 }, () => '10.0.0.1'), [': must have at most 10000 entries']],
  ])('refuse a config with %s', (_name, list, mistakes) => {
    for (const [plugin, field] of both) {
      const config = Array.isArray(list) || typeof list === 'string' ? { [field]: list } : list;
      expect(mistakesOf(plugin, config)).toEqual(mistakes.map((mistake) => `/${field}${mistake}`));
    }
  });
});
