import { describe, expect, it } from 'vitest';
import { readRefusedNetworks } from './read-refused-networks.ts';

describe('the list of refused addresses', () => {
  it.each([
    ['', []],
    ['10.0.0.5', [{ address: '10.0.0.5', bits: 32 }]],
    [
      '10.0.0.5:5432 , 10.1.0.0/16',
      [
        { address: '10.0.0.5', bits: 32, port: 5432 },
        { address: '10.1.0.0', bits: 16 },
      ],
    ],
    ['10.1.0.0/16:5432', [{ address: '10.1.0.0', bits: 16, port: 5432 }]],
    ['2001:db8::1', [{ address: '2001:db8::1', bits: 128 }]],
    ['2001:db8::/32', [{ address: '2001:db8::', bits: 32 }]],
    ['[2001:db8::/32]:6379', [{ address: '2001:db8::', bits: 32, port: 6379 }]],
    ['[::1]:6379', [{ address: '::1', bits: 128, port: 6379 }]],
  ])('takes %j', (list, networks) => {
    expect(readRefusedNetworks(list)).toEqual(networks);
  });

  it.each([
    'db.test',
    '10.0.0.5:0',
    '10.0.0.5:65536',
    '10.0.0.5:',
    '10.0.0.0/33',
    '10.0.0.0/',
    '::/129',
    '10.0.0.0/1/2',
    '[10.0.0.1',
  ])('refuses %j', (list) => {
    expect(readRefusedNetworks(list)).toBeUndefined();
  });
});
