import { isIPv6 } from 'node:net';

/** Where a directory is, and how talking to it is protected. */
export interface DirectoryServer {
  /** Name, or literal address without brackets. */
  readonly host: string;
  readonly port: number;
  /** `tls`: from the first octet on; `start_tls`: after a few in plain text; `none`: passwords are readable on the way. */
  readonly security: 'tls' | 'start_tls' | 'none';
}

/** Longest `server_url`, in characters. A name of the DNS has at most 253. */
export const SERVER_URL_LENGTH_MAX = 300;

/** The form of `server_url`: `ldap://` or `ldaps://`, a host, perhaps a port. No user, path or query: they would say something. */
export const SERVER_URL: RegExp =
  /^ldaps?:\/\/(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::[1-9][0-9]{0,4})?\/?$/;

/** @returns `undefined` for what is no address of a directory */
export function parseServerUrl(url: string, useTls: boolean): DirectoryServer | undefined {
  if (!SERVER_URL.test(url)) return undefined;
  const isTls = url.startsWith('ldaps:');
  const [, authority = ''] = url.replace(/\/$/, '').split('://');
  const [, bracketed, name, digits] = /^(?:\[(.+)\]|([^:]+))(?::([0-9]+))?$/.exec(authority) ?? [];
  if (bracketed !== undefined && !isIPv6(bracketed)) return undefined;
  const port = digits === undefined ? (isTls ? 636 : 389) : Number(digits);
  if (port > 65_535) return undefined;
  const protectedBy = useTls ? 'start_tls' : 'none';
  return { host: bracketed ?? name ?? '', port, security: isTls ? 'tls' : protectedBy };
}
