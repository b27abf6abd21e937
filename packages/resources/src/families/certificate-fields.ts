import * as v from 'valibot';
import { maxCharacters, minCharacters } from '../text-length.ts';

/** Characters of a PEM text; a chain of the longest kind has about half of them. */
export const pemLengthMax = 65_536;

/** A PEM text. What is in it is checked where there is a parser: the families only bound its length. */
export function pemText(about: string): v.GenericSchema<string> {
  return v.pipe(v.string(), minCharacters(1), maxCharacters(pemLengthMax), v.description(about));
}

/** The PEM text of a private key: sealed at rest, shown as a mask. */
export function privateKeyText(about: string): v.GenericSchema<string> {
  return v.pipe(pemText(about), v.metadata({ 'x-secret': true }));
}

/** Kinds of keys that a certificate may have. */
export const certificateKeyTypes = ['rsa', 'ecdsa', 'ed25519', 'ed448'] as const;

/** See {@link certificateKeyTypes}. */
export type CertificateKeyType = (typeof certificateKeyTypes)[number];

/** A read-only text. */
export function shownText(about: string): v.GenericSchema<string> {
  return v.pipe(v.string(), v.description(about));
}

/** A read-only time: RFC 3339, UTC. */
export function shownTime(about: string): v.GenericSchema<string> {
  return v.pipe(v.string(), v.isoTimestamp(), v.description(about));
}
