import type { HeaderView } from '@portcullis/plugin-runtime';

/** Longest value of the header that is looked at, in characters: names and passwords of some hundred characters in any script. */
export const BASIC_HEADER_LENGTH_MAX = 4096;

/** A user name and a password as a request presents them. */
export interface BasicCredentials {
  /** May be empty. Has no colon. */
  readonly username: string;
  /** May be empty and may have colons. */
  readonly password: string;
}

/** Why a request has no credentials that count: the header is not there or of another scheme, there several times, or cannot be read. */
export type UnreadBasic = 'no_credentials' | 'several_credentials' | 'malformed_credentials';

/** What a request presents. */
export type PresentedBasic = BasicCredentials | UnreadBasic;

/**
 * Reads the credentials of the scheme `Basic`. Two lines of the header are none, and malformed are base64 that is not canonical, what
 * is not UTF-8, and control characters: two readings of one header would be two identities. Source: RFC 7617, section 2; RFC 4648,
 * section 3.5.
 * @param schemes what may stand before the credentials, in lower case
 */
export function readBasicCredentials(
  headers: HeaderView,
  header = 'authorization',
  schemes: readonly string[] = ['basic'],
): PresentedBasic {
  // Several lines come joined with a comma, which base64 does not have.
  const value = headers.get(header);
  if (value === undefined) return 'no_credentials';
  const space = value.indexOf(' ');
  let begin = space < 0 ? value.length : space;
  if (!schemes.includes(value.slice(0, begin).toLowerCase())) return 'no_credentials';
  if (value.length > BASIC_HEADER_LENGTH_MAX) return unread(headers, header);
  while (value.charCodeAt(begin) === SPACE) begin += 1;
  const encoded = value.slice(begin);
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64') !== encoded) return unread(headers, header);
  return credentialsIn(bytes);
}

function unread(headers: HeaderView, header: string): UnreadBasic {
  return headers.getAll(header).length > 1 ? 'several_credentials' : 'malformed_credentials';
}

function credentialsIn(bytes: Buffer): BasicCredentials | UnreadBasic {
  const text = bytes.toString('utf8');
  // What was no UTF-8 reads as U+FFFD, which is other bytes.
  const isUtf8 = !text.includes(REPLACEMENT) || Buffer.from(text, 'utf8').equals(bytes);
  const colon = text.indexOf(':');
  if (!isUtf8 || colon < 0 || CONTROL.test(text)) return 'malformed_credentials';
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

const SPACE = 0x20;
const REPLACEMENT = '\ufffd';
/** Source: RFC 7617, section 2; RFC 5234, CTL. */
// oxlint-disable-next-line no-control-regex -- what is refused
const CONTROL = /[\u0000-\u001f\u007f]/;
