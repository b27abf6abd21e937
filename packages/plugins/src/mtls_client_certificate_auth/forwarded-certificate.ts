import { readBase64, readPem } from './pem.ts';

/**
 * Reads the certificate that a proxy forwards in a header field, in any of the forms in use: PEM with its line ends replaced or
 * percent-encoded (nginx, AWS), `X-Forwarded-Client-Cert` (Envoy), a byte sequence (RFC 9440), base64 of the DER (HAProxy, Traefik).
 * @param chain the field with the issuers, where the form has one of its own (RFC 9440); empty for none
 * @returns certificates in DER, the client's own first; `undefined` for a value of no known form
 */
export function readForwardedCertificate(value: string, chain = ''): readonly Uint8Array[] | undefined {
  if (value.startsWith(':')) return readByteSequences(value, chain);
  if (value.startsWith('-----BEGIN')) return readPem(decoded(value) ?? '');
  const element = /^[A-Za-z]+=/.test(value) ? lastElement(value) : undefined;
  if (element !== undefined) return readElement(element);
  const bytes = value.split(',').map((item) => readBase64(item.trim()));
  return bytes.every((item) => item !== undefined) ? bytes : undefined;
}

/** One certificate, and the list of its issuers. Source: RFC 9440, sections 2.2 and 2.3; RFC 9651, section 3.3.5. */
function readByteSequences(value: string, chain: string): readonly Uint8Array[] | undefined {
  const items = chain.trim() === '' ? [value] : [value, ...chain.split(',')];
  const bytes = items.map((item) => readBase64(/^:(.*):$/.exec(item.trim())?.[1] ?? ''));
  return bytes.every((item) => item !== undefined) ? bytes : undefined;
}

/**
 * The pairs of the last element: each proxy on the way adds one, and the last is what our peer itself saw. Values may be quoted.
 * Source: Envoy, HTTP header manipulation, x-forwarded-client-cert.
 */
function lastElement(value: string): ReadonlyMap<string, string> | undefined {
  let pairs = new Map<string, string>();
  const token = /([A-Za-z]+)=(?:"((?:[^"\\]|\\.)*)"|([^",;]*))(;|,|$)/gy;
  for (let found = token.exec(value); found !== null; found = token.exec(value)) {
    const [, key = '', quoted, bare = '', separator] = found;
    const name = key.toLowerCase();
    // URI and DNS may come more than once; a second certificate would be a choice that nobody made.
    if (pairs.has(name) && (name === 'cert' || name === 'chain')) return undefined;
    pairs.set(name, quoted?.replace(/\\(.)/gs, '$1') ?? bare);
    if (separator === '') return pairs;
    if (separator === ',') pairs = new Map();
    while (value[token.lastIndex] === ' ') token.lastIndex += 1;
  }
  return undefined;
}

/** `Chain` has the client's certificate first, too. */
function readElement(pairs: ReadonlyMap<string, string>): readonly Uint8Array[] | undefined {
  const chain = pairs.has('chain') ? readPem(decoded(pairs.get('chain') ?? '') ?? '') : [];
  const own = pairs.has('cert') ? readPem(decoded(pairs.get('cert') ?? '') ?? '') : chain?.slice(0, 1);
  const [leaf] = own ?? [];
  if (leaf === undefined || own?.length !== 1 || chain === undefined) return undefined;
  return [leaf, ...chain.filter((der) => !Buffer.from(der).equals(leaf))];
}

/** Percent-encoding undone. `+` stays: it belongs to base64, and encoders of headers write it as such or as `%2B`. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
