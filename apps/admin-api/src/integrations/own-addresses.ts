import { networkInterfaces } from 'node:os';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { RefusedNetwork } from '@portcullis/egress';

const postgresPort = 5432;

/**
 * The service's own port at every address of this machine: what is configured must not make the service call itself, whatever the operator lets
 * be called.
 */
export function ownServer(url: string): readonly RefusedNetwork[] {
  const { port, hostname } = new URL(url);
  const address = hostname.replaceAll(/[[\]]/g, '');
  const here = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map((one) => one.address));
  const single = [address, ...here, '::', '::1'].filter((one) => isIP(one) !== 0).map((one) => ({ address: one }));
  const blocks = [
    { address: '127.0.0.0', bits: 8 },
    { address: '0.0.0.0', bits: 8 },
  ];
  return [...single, ...blocks].map((network) => ({ ...network, port: Number(port) }));
}

/** What a name stands for; nothing where that cannot be found out. */
export type AddressesOf = (name: string) => Promise<readonly string[]>;

/** The database's server, at the addresses that its name has now. None for a database in a file or on a socket of the file system. */
export async function databaseServer(
  databaseUrl: string,
  addressesOf: AddressesOf = systemAddressesOf,
): Promise<readonly RefusedNetwork[]> {
  if (!/^postgres(?:ql)?:/.test(databaseUrl) || !URL.canParse(databaseUrl)) return [];
  const { hostname, port, searchParams } = new URL(databaseUrl);
  const host = (searchParams.get('host') ?? hostname).replaceAll(/[[\]]/g, '');
  if (host === '' || host.startsWith('/')) return [];
  const addresses = isIP(host) === 0 ? await addressesOf(host) : [host];
  const at = Number(searchParams.get('port') ?? port) || postgresPort;
  return addresses.map((address) => ({ address, port: at }));
}

async function systemAddressesOf(name: string): Promise<readonly string[]> {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address);
  } catch {
    // Opening the database says what is wrong with its name.
    return [];
  }
}
