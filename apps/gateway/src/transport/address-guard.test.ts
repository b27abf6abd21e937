import { describe, expect, it } from 'vitest';
import { AddressGuard } from './address-guard.ts';

describe('the guard of addresses', () => {
  const guard = new AddressGuard({ host: '192.0.2.7', port: 8001 }, ['192.0.2.9']);

  it.each([
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '::169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    '169.254.170.2',
    '100.100.100.200',
    '168.63.129.16',
    'fd00:ec2::254',
    'fd00:0ec2:0:0:0:0:0:254',
    'fd20:ce::254',
  ])('refuses metadata services on every port (%s)', (address) => {
    expect([guard.refuses(address, 80), guard.refuses(address, 8001)]).toEqual([true, true]);
  });

  it.each(['192.0.2.7', '::ffff:192.0.2.7', '64:ff9b::c000:207'])(
    'refuses the control plane on its port alone (%s)',
    (address) => {
      expect([guard.refuses(address, 8001), guard.refuses(address, 80)]).toEqual([true, false]);
    },
  );

  it.each(['10.0.0.1', '127.0.0.1', '169.254.1.1', '192.0.2.9', '2001:db8::1', '64:ff9b::a00:1', 'name.test'])(
    'lets others be (%s)',
    (address) => {
      expect(guard.refuses(address, 8001)).toBe(false);
    },
  );

  it('refuses what the operator lists, and its own ports, in all spellings', () => {
    const listed = new AddressGuard(
      { host: '192.0.2.7', port: 8001 },
      ['192.0.2.9'],
      [
        { address: '10.0.0.5', bits: 32, port: 5432 },
        { address: '10.1.0.0', bits: 16 },
        { address: '2001:db8::', bits: 32, port: 6379 },
      ],
    );
    for (const address of ['10.0.0.5', '::ffff:10.0.0.5', '::ffff:0:a00:5', '64:ff9b::a00:5', '2002:a00:5::1']) {
      expect([address, listed.refuses(address, 5432), listed.refuses(address, 80)]).toEqual([address, true, false]);
    }
    for (const address of ['10.1.9.9', '64:ff9b::a01:909', '2002:a01:909::']) {
      expect([address, listed.refuses(address, 1)]).toEqual([address, true]);
    }
    expect([listed.refuses('10.2.0.0', 1), listed.refuses('10.0.0.6', 5432)]).toEqual([false, false]);
    expect([listed.refuses('2001:db8::5', 6379), listed.refuses('2001:db9::5', 6379)]).toEqual([true, false]);
    expect(listed.refuses('192.0.2.9', 8100)).toBe(false);
    listed.refuseOwnPort(8100);
    for (const address of ['127.0.0.1', '::1', '0.0.0.0', '0.1.2.3', '192.0.2.9', '::ffff:192.0.2.9']) {
      expect([address, listed.refuses(address, 8100), listed.refuses(address, 80)]).toEqual([address, true, false]);
    }
  });

  it('refuses every address of this machine when the control plane is on it', () => {
    const own = new AddressGuard({ host: 'control.test', port: 8001 }, ['192.0.2.9']);
    expect(own.refuses('127.0.0.1', 8001)).toBe(false);
    own.learn(['192.0.2.9']);
    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '0.0.0.0', '192.0.2.9', '::ffff:127.0.0.1']) {
      expect([address, own.refuses(address, 8001), own.refuses(address, 80)]).toEqual([address, true, false]);
    }
  });
});
