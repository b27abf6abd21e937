import { isIPv6 } from 'node:net';
import * as v from 'valibot';
import { wholeNumber } from '../config-fields.ts';

/** Longest host, in characters. A name of the DNS has at most 253. */
export const HOST_LENGTH_MAX = 255;

/** Whether it has the form of a host, of whatever length: a name, an IPv4 address, or an IPv6 address with or without brackets. */
export function isHost(text: string): boolean {
  return HOST.test(text) || isIPv6(withoutBrackets(text));
}

/** What resolves: brackets belong to URLs. */
export function withoutBrackets(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
}

/** The host of a server that is no HTTP server. Whether it may be called is asked at each connection. */
export function hostField(description: string) {
  return v.pipe(
    v.string('must be text'),
    v.maxLength(HOST_LENGTH_MAX, `must have at most ${HOST_LENGTH_MAX} characters`),
    v.check(isHost, 'must be the name or the IP address of a host, and nothing else'),
    v.description(description),
  );
}

/** The port of a server. */
export function portField(description: string) {
  return wholeNumber(description, 1, 65_535);
}

const HOST = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?\.?$/;
