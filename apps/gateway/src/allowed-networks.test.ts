import { expect, it } from 'vitest';
import { readSettings } from './settings.ts';

const required = {
  PORTCULLIS_CONTROL_PLANE_URL: 'http://127.0.0.1:8001',
  PORTCULLIS_DATA_PLANE_TOKEN: 'gwdp_a_b',
};

it('networks that plugins may call are read, none by default', () => {
  const networks = (list?: string): unknown => {
    const outcome = readSettings({ ...required, PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: list });
    return outcome.ok ? outcome.settings.allowedNetworks : outcome.mistakes;
  };
  expect([networks(), networks('127.0.0.0/8, ::1/128')]).toEqual([
    [],
    [
      { address: '127.0.0.0', bits: 8 },
      { address: '::1', bits: 128 },
    ],
  ]);
  expect(networks('10.0.0.0/8,name.test,10.0.0.1/8,169.254.169.254')).toEqual([
    'PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: item 2 is neither an address nor a CIDR range.',
    'PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: item 3 has bits set beyond its first 8.',
    'PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: item 4 is a metadata service of a cloud, which is never allowed.',
  ]);
});
