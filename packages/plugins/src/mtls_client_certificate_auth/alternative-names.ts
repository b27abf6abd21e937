import { isIP } from 'node:net';
import { OctetString } from 'asn1js';
import { AltName, type Extension, type GeneralName } from 'pkijs';
import { EXTENSION } from './extension-ids.ts';

/** The kinds of names that are read; the rest is `other`. Source: RFC 5280, section 4.2.1.6. */
export type NameKind = 'dns' | 'email' | 'uri' | 'ip' | 'directory' | 'other';

/** One alternative name. */
export interface AlternativeName {
  readonly kind: NameKind;
  /** As written; an IP address in its shortest form; empty for `directory` and `other`. */
  readonly text: string;
  readonly name: GeneralName;
}

/** The alternative names of a certificate, in its order. `undefined` when it has some that nobody can read. */
export function alternativeNamesOf(extensions: ReadonlyMap<string, Extension>): readonly AlternativeName[] | undefined {
  const extension = extensions.get(EXTENSION.alternativeNames);
  if (extension === undefined) return [];
  const { parsedValue } = extension;
  if (!(parsedValue instanceof AltName)) return undefined;
  const names = parsedValue.altNames.map((name) => ({ kind: KINDS[name.type] ?? 'other', text: textOf(name), name }));
  return names.every(
    ({ kind, text }) => text !== undefined && (text !== '' || kind === 'directory' || kind === 'other'),
  )
    ? (names as AlternativeName[])
    : undefined;
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
  return isIP(value) === 0 ? undefined : alternativeNameKey('ip', shortest(value));
}

/** Names of hosts match without regard to case, all else exactly; `*` is a character as any other. */
export function alternativeNameKey(kind: NameKind, text: string): string {
  return `${kind}:${kind === 'dns' ? text.toLowerCase() : text}`;
}

const KINDS: readonly NameKind[] = ['other', 'email', 'dns', 'other', 'directory', 'other', 'uri', 'ip'];

function guessKind(text: string): NameKind {
  if (isIP(text) !== 0) return 'ip';
  if (text.includes('://')) return 'uri';
  return text.includes('@') ? 'email' : 'dns';
}

function textOf({ type, value }: GeneralName): string | undefined {
  const kind = KINDS[type] ?? 'other';
  if (kind === 'ip') return value instanceof OctetString ? addressOf(value.valueBlock.valueHexView) : undefined;
  if (kind === 'other' || kind === 'directory') return '';
  return typeof value === 'string' ? value : undefined;
}

function addressOf(bytes: Uint8Array): string | undefined {
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) return undefined;
  return shortest(
    Buffer.from(bytes)
      .toString('hex')
      .replace(/(.{4})(?!$)/g, '$1:'),
  );
}

function shortest(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address.replace(/%.*/s, '')}]`).hostname.slice(1, -1) : address;
}
