import { Buffer } from 'node:buffer';
import type { Config } from './config.ts';

/** Longest header value that is sent, in characters. Servers bound a whole header section at about this. */
export const CREDENTIAL_LENGTH_MAX = 16_384;

/** Makes the header's value. @throws Error for a secret or user name that cannot be sent; what it is does not show */
export type CredentialMaker = (secret: string, username: string) => string;

const prefixes: Readonly<Record<Config['mode'], string>> = { bearer: 'Bearer', basic: 'Basic', header: '' };

/**
 * What a secret becomes in each mode: itself, or user name and secret in Base64. A line break at the end is that of the file or the form
 * that the secret came from. Source: RFC 6750, section 2.1; RFC 7617, section 2.
 */
export function credentialMaker({ mode, prefix = prefixes[mode] }: Pick<Config, 'mode' | 'prefix'>): CredentialMaker {
  const begin = prefix === '' ? '' : `${prefix} `;
  const encode = mode === 'basic' ? basic : plain;
  return (secret, username) => {
    const value = begin + encode(withoutLineBreak(secret), withoutLineBreak(username));
    if (value.length > CREDENTIAL_LENGTH_MAX)
      throw new Error(`the credential has more than ${CREDENTIAL_LENGTH_MAX} characters`);
    return value;
  };
}

function plain(secret: string): string {
  if (VISIBLE.test(secret)) return secret;
  throw new Error('the secret is no header value: printable ASCII without spaces around it');
}

function basic(secret: string, username: string): string {
  if (username === '' || username.includes(':') || CONTROL.test(username) || CONTROL.test(secret)) {
    throw new Error(
      'user name and secret do not fit Basic authentication: no control character, and no colon in the name',
    );
  }
  return Buffer.from(`${username}:${secret}`).toString('base64');
}

function withoutLineBreak(text: string): string {
  return text.endsWith('\n') ? text.replace(/\r?\n$/, '') : text;
}

const VISIBLE = /^(?! )[\x20-\x7e]+(?<! )$/;
// oxlint-disable-next-line no-control-regex -- what is refused
const CONTROL = /[\u0000-\u001f\u007f]/;
