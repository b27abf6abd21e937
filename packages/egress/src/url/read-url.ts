import { isIP } from 'node:net';
import { EgressError } from '../egress-error.ts';

/** Longer ones are no addresses of services. */
export const urlLengthMax = 8192;

/** RFC 1035, 2.3.4. */
const nameLengthMax = 253;
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** Where a request goes. */
export interface CallTarget {
  readonly isTls: boolean;
  /** Name in lower case, in ASCII and without a dot at its end; or a literal address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** Scheme, host and port as they are written: `https://name.test`, `http://[2001:db8::1]:81`. */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
}

/**
 * Reads the address of a call. It is `http:` or `https:`, without user and password, control characters, spaces and backslashes. Other
 * spellings of an address (`0x7f.1`, `①`, `%31`) become that address, as the URL standard says, before anybody judges it.
 * @param base where `text` may be relative to
 * @throws EgressError `refused`
 */
export function readUrl(text: string, base?: CallTarget): CallTarget {
  if (typeof text !== 'string' || text.length > urlLengthMax) throw refused('is no text or too long');
  // The standard drops, trims or turns these over, and not every program does.
  if (/[\p{Cc}\s\\]/u.test(text)) throw refused('has spaces, control characters or backslashes');
  if (base === undefined && !/^https?:\/\//i.test(text)) throw refused('does not begin with http:// or https://');
  const root = base && `${base.origin}${base.path}`;
  if (!URL.canParse(text, root)) throw refused('is none');
  const url = new URL(text, root);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused('is neither http nor https');
  if (url.username !== '' || url.password !== '') throw refused('has a user or a password');
  const isTls = url.protocol === 'https:';
  const host = readHostname(url.hostname);
  const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port);
  if (port === 0) throw refused('has port 0');
  url.hostname = host.includes(':') ? `[${host}]` : host;
  return { isTls, host, port, origin: url.origin, path: `${url.pathname}${url.search}` };
}

/**
 * Reads the host of a call that is not HTTP: a name or an address, in any spelling that URLs have too; IPv6 with or without brackets.
 * @throws EgressError `refused`
 */
export function readHost(text: string): string {
  if (typeof text !== 'string' || text === '' || text.length > urlLengthMax) throw refused('has no host');
  const host = isIP(text) === 6 ? `[${text}]` : text;
  if (/[\p{Cc}\s\\/?#@%]|:(?![^[]*\])/u.test(host)) throw refused('has a host that is no name');
  if (!URL.canParse(`http://${host}`)) throw refused('has a host that is none');
  return readHostname(new URL(`http://${host}`).hostname);
}

/** @param hostname as URLs have it: IPv6 in brackets */
function readHostname(hostname: string): string {
  const bare = hostname.replace(/^\[|\]$/g, '');
  if (isIP(bare) !== 0) return bare;
  // A dot at the end says that a name is whole. Certificates and servers know it without.
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  if (name.length > nameLengthMax || !name.split('.').every((part) => label.test(part)))
    throw refused('has a host that is no name');
  return name;
}

function refused(what: string): EgressError {
  return new EgressError('refused', `the call was refused: its address ${what}`);
}
