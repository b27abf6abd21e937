import { TOKEN_LENGTH_MAX } from '../claims/presented-token.ts';
import type { Claims } from '../claims/claim-value.ts';
import { ALGORITHM_LENGTH_MAX } from './algorithms.ts';
import { parseUniqueJson } from './unique-json.ts';

/** Bytes of a token's header. Certificate chains (`x5c`), which some issuers send and nobody here reads, fit. */
export const HEADER_BYTES_MAX = 8192;

/** Characters of a token's `kid`. */
export const KID_LENGTH_MAX = 128;

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
 * @returns `undefined` for what is no such token
 */
export function readCompactToken(text: string): CompactToken | undefined {
  if (text.length > TOKEN_LENGTH_MAX) return undefined;
  const parts = text.split('.', 4);
  if (parts.length !== 3 || !parts.every(isCanonical)) return undefined;
  const [head = '', body = ''] = parts;
  const headBytes = Buffer.from(head, 'base64url');
  if (headBytes.length > HEADER_BYTES_MAX) return undefined;
  const header = parseUniqueJson(headBytes);
  const claims = header && isAccepted(header) ? parseUniqueJson(Buffer.from(body, 'base64url')) : undefined;
  if (header === undefined || claims === undefined) return undefined;
  const { alg, kid } = header;
  return { text, algorithm: String(alg), kid: typeof kid === 'string' ? kid : undefined, header, claims };
}

/** Decoders overlook padding, spaces, the other alphabet and bits that stand behind the end; writing the bytes again does not. */
function isCanonical(part: string): boolean {
  return part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part;
}

function isAccepted(header: Claims): boolean {
  const { alg, kid, typ } = header;
  if (typeof alg !== 'string' || alg.length > ALGORITHM_LENGTH_MAX) return false;
  if (Object.hasOwn(header, 'crit') || Object.hasOwn(header, 'b64')) return false;
  if (Object.hasOwn(header, 'kid') && (typeof kid !== 'string' || !KID.test(kid))) return false;
  return !Object.hasOwn(header, 'typ') || (typeof typ === 'string' && TYPES.has(typ.toLowerCase()));
}

/** Issuers use digits, base64, thumbprints and addresses. */
const KID = new RegExp(`^[\\x21-\\x7e]{1,${KID_LENGTH_MAX}}$`);

/** Other types (`logout+jwt`, `secevent+jwt`, `dpop+jwt`) are signed with the same keys and are no access. Source: RFC 9068, section 4. */
const TYPES: ReadonlySet<string> = new Set(['jwt', 'at+jwt', 'application/jwt', 'application/at+jwt']);
