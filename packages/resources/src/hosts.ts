import * as v from 'valibot';
import { maxCharacters } from './text-length.ts';

const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const host = new RegExp(`^(?:\\*\\.)?(?:${label}\\.)*${label}(?:\\.\\*)?$`);

/**
 * Whether a text is a host that a route may list: a name or IPv4 address in lower case, with at most one `*`
 * as its first or last label. Source: wire contract, Gateways, services, routes.
 */
export function isHostPattern(text: string): boolean {
  return text.length <= 253 && host.test(text) && text.split('*').length <= 2;
}

/** A host pattern of a route or gateway. Case means nothing in a host (RFC 9110, 4.2.3): it is kept in lower case. */
export const hostPattern: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.toLowerCase(),
  maxCharacters(253),
  v.check(isHostPattern, 'must be a host name, with at most one * as its first or last label'),
);
