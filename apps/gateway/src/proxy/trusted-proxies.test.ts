import { describe, expect, it } from 'vitest';
import { TrustedProxies } from './trusted-proxies.ts';

describe('the client behind trusted proxies', () => {
  const proxies = new TrustedProxies(['10.0.0.0/8', '2001:db8:1::/48']);

  it.each([
    ['1.2.3.4', '1.2.3.4'],
    ['6.6.6.6, 1.2.3.4', '1.2.3.4'],
    ['6.6.6.6, 1.2.3.4, 10.0.0.2', '1.2.3.4'],
    ['1.2.3.4:5678', '1.2.3.4'],
    ['6.6.6.6:80, 1.2.3.4:5678, 10.0.0.2:90', '1.2.3.4'],
    ['2001:db8:2::1', '2001:db8:2::1'],
    ['[2001:db8:2::1]', '2001:db8:2::1'],
    ['[2001:db8:2::1]:5678', '2001:db8:2::1'],
    ['[::ffff:1.2.3.4]:5', '1.2.3.4'],
    ['1.2.3.4, [2001:db8:1::9]:443', '1.2.3.4'],
    ['10.0.0.3', '10.0.0.3'],
    // What is no address was written by no proxy that is trusted: the last one that is known counts.
    ['unknown', '10.0.0.1'],
    ['1.2.3.4:port', '10.0.0.1'],
    ['', '10.0.0.1'],
  ])('is, of %s, %s', (forwardedFor, client) => {
    expect(proxies.clientAddress('10.0.0.1', forwardedFor)).toBe(client);
  });

  it('is the peer itself when that is not trusted', () => {
    expect(proxies.clientAddress('192.0.2.1', '1.2.3.4')).toBe('192.0.2.1');
  });
});
