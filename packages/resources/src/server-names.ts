import * as v from 'valibot';
import { maxCharacters } from './text-length.ts';

const nameLengthMax = 253;
const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const serverName = new RegExp(`^(?:\\*\\.)?(?:${label}\\.)*${label}$`);

/**
 * Whether a text is a name that clients may ask for when TLS begins: a host in lower case, perhaps with `*` as its first
 * label. An address is none. Source: wire contract, Certificates, consumers, vaults; RFC 6066, 3.
 */
export function isServerName(text: string): boolean {
  return text.length <= nameLengthMax && serverName.test(text) && !/(?:^|\.)\d+$/.test(text);
}

/** The server name that stands for every name without a record of its own, and for clients that name none. Source: Kong. */
export const anyServerName = '*';

/** A server name of a route. */
export const serverNamePattern: v.GenericSchema<string> = v.pipe(
  v.string(),
  // As in hosts, case means nothing.
  v.toLowerCase(),
  maxCharacters(nameLengthMax),
  v.check(isServerName, 'must be a host name, with at most one * as its first label'),
);

/** A server name of a certificate: as in routes, or {@link anyServerName}. */
export const certificateServerName: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.toLowerCase(),
  maxCharacters(nameLengthMax),
  v.check(
    (text) => text === anyServerName || isServerName(text),
    'must be a host name, with at most one * as its first label, or * alone',
  ),
);
