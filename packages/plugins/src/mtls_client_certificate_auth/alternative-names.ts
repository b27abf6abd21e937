import { isIP } from 'node:net';
import type { GeneralName } from 'pkijs';

/** The kinds of names that are read; the rest is `other`. Source: RFC 5280, section 4.2.1.6. */
export type NameKind = 'dns' | 'email' | 'uri' | 'ip' | 'directory' | 'other';

/** One alternative name. */
export interface AlternativeName {
  readonly kind: NameKind;
  /** As written; an IP address in its shortest form; empty for `directory` and `other`. */
  readonly text: string;
  readonly name: GeneralName;
}

/**
 * Reads a name of a config: `DNS:api.test`, `URI:spiffe://acme/billing`, `email:a@acme.test`, `IP:192.0.2.1`. Without a prefix: an IP
 * address, what has `://` is a URI, what has `@` an email address, all else a DNS name.
 * @returns a key that equal names share; `undefined` for a malformed IP address
 */
export function parseAlternativeName(text: string): string | undefined {
  const [, prefix, rest] = /^(dns|uri|email|ip):(.+)$/is.exec(text) ?? [];
  const kind = (prefix?.toLowerCase() as NameKind | undefined) ?? guessKind(text);
  const value = rest ?? text;
  if (kind !== 'ip') return alternativeNameKey(kind, value);
  return isIP(value) === 0 ? undefined : alternativeNameKey('ip', shortestAddress(value));
}

/** Names of hosts match without regard to case, all else exactly; `*` is a character as any other. */
export function alternativeNameKey(kind: NameKind, text: string): string {
  return `${kind}:${kind === 'dns' ? text.toLowerCase() : text}`;
}

function guessKind(text: string): NameKind {
  if (isIP(text) !== 0) return 'ip';
  if (text.includes('://')) return 'uri';
  return text.includes('@') ? 'email' : 'dns';
}

/** An IP address as it is compared: IPv6 in its shortest form. */
export function shortestAddress(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address.replace(/%.*/s, '')}]`).hostname.slice(1, -1) : address;
}
