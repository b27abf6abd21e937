import { TOKEN_LENGTH_MAX } from '../claims/presented-token.ts';
import type { Claims } from '../claims/claim-value.ts';
import { ALGORITHM_LENGTH_MAX } from './algorithms.ts';
import { parseUniqueJson } from './unique-json.ts';

/** Bytes of a token's header. Certificate chains (`x5c`), which some issuers send and nobody here reads, fit. */
export const HEADER_BYTES_MAX = 8192;

/** Characters of a token's `kid`. */
export const KID_LENGTH_MAX = 128;

/**
 * Why a text is no token that is accepted: it is no compact JWS with claims; `alg` is none; the header asks for what is not done
 * here; or the token is of a kind that gives no access.
 */
export type FormFault = 'malformed_token' | 'algorithm' | 'unsupported_header' | 'type';

/** A token taken apart. Nothing of it is verified. */
export interface CompactToken {
  /** The text as it came. */
  readonly text: string;
  readonly algorithm: string;
  /** Names a key and nothing else: it is looked up in a map, never in a file, an address or a database. */
  readonly kid: string | undefined;
  readonly header: Claims;
  readonly claims: Claims;
}

/**
 * Takes a compact JWS with claims apart, strictly: three parts of canonical base64url, so that no second text means the same token;
 * a header and claims that are unambiguous JSON objects; nothing in the header that changes how the token is read (`crit`, `b64`).
 * Keys that a header brings along (`jwk`, `jku`, `x5u`, `x5c`) are never looked at.
 * Source: RFC 7515, sections 4.1 and 5.2; RFC 7519, section 7.2; RFC 8725, sections 3.9 to 3.11.
 */
export function readCompactToken(text: string): CompactToken | FormFault {
  if (text.length > TOKEN_LENGTH_MAX) return 'malformed_token';
  const parts = text.split('.', 4);
  if (parts.length !== 3 || !parts.every(isCanonical)) return 'malformed_token';
  const [head = '', body = ''] = parts;
  const headBytes = Buffer.from(head, 'base64url');
  if (headBytes.length > HEADER_BYTES_MAX) return 'malformed_token';
  const header = parseUniqueJson(headBytes);
  if (header === undefined) return 'malformed_token';
  const fault = headerFault(header);
  if (fault !== undefined) return fault;
  const claims = parseUniqueJson(Buffer.from(body, 'base64url'));
  if (claims === undefined) return 'malformed_token';
  const { alg, kid } = header;
  return { text, algorithm: String(alg), kid: typeof kid === 'string' ? kid : undefined, header, claims };
}

/** Decoders overlook padding, spaces, the other alphabet and bits that stand behind the end; writing the bytes again does not. */
function isCanonical(part: string): boolean {
  return part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part;
}

function headerFault(header: Claims): FormFault | undefined {
  const { alg, kid, typ } = header;
  if (typeof alg !== 'string' || alg.length > ALGORITHM_LENGTH_MAX) return 'algorithm';
  if (Object.hasOwn(header, 'crit') || Object.hasOwn(header, 'b64')) return 'unsupported_header';
  if (Object.hasOwn(header, 'kid') && (typeof kid !== 'string' || !KID.test(kid))) return 'malformed_token';
  const isAccess = !Object.hasOwn(header, 'typ') || (typeof typ === 'string' && TYPES.has(typ.toLowerCase()));
  return isAccess ? undefined : 'type';
}

/** Issuers use digits, base64, thumbprints and addresses. */
const KID = new RegExp(`^[\\x21-\\x7e]{1,${KID_LENGTH_MAX}}$`);

/** Other types (`logout+jwt`, `secevent+jwt`, `dpop+jwt`) are signed with the same keys and are no access. Source: RFC 9068, section 4. */
const TYPES: ReadonlySet<string> = new Set(['jwt', 'at+jwt', 'application/jwt', 'application/at+jwt']);
