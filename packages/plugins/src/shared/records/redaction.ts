/** What stands where a credential stood. */
export const REDACTED = '***';

/** Words in a header's name that say its value may be a credential. Source: security rules, Redaction. */
const CREDENTIAL =
  /auth|cookie|secret|token|key|passw|pwd|bearer|dpop|credential|session|signature|assertion|jwt|cert|otp|csrf|xsrf|(?:^|[-_])(?:sig|pin|pass)(?:$|[-_])/i;

/** Headers that hold an address, whose query may hold anything. */
const ADDRESSES: ReadonlySet<string> = new Set([
  ...['referer', 'location', 'content-location', 'refresh', 'link', 'origin', 'destination', 'forwarded'],
  ...['x-original-url', 'x-original-uri', 'x-rewrite-url', 'x-forwarded-uri', 'x-forwarded-path'],
]);

/** Whether a header's name says that its value may be a credential. */
export function saysCredential(name: string): boolean {
  return CREDENTIAL.test(name);
}

/** What is logged of a header. @param name in lower case */
export function redactedHeader(name: string, value: string): string {
  if (saysCredential(name)) return REDACTED;
  return ADDRESSES.has(name) ? redactedAddress(value) : value;
}

/** Up to the query or fragment, and without user and password. */
function redactedAddress(address: string): string {
  const end = address.search(/[?#]/);
  const base = end === -1 ? address : `${address.slice(0, end + 1)}${REDACTED}`;
  return base.replace(/\/\/[^/?#@]*@/g, `//${REDACTED}@`);
}

/**
 * A query whose names are as they were sent and whose values are gone: clients put keys there. What has no name is a value.
 * @param query without `?`
 * @param lengthMax characters that are kept
 */
export function redactedQuery(query: string, lengthMax: number): string {
  if (query === '') return '';
  const cut = query.length > lengthMax ? query.slice(0, lengthMax) : query;
  let redacted = '';
  for (let at = 0; at <= cut.length;) {
    const next = cut.indexOf('&', at);
    const end = next === -1 ? cut.length : next;
    const equals = cut.indexOf('=', at);
    const name = equals === -1 || equals > end ? '' : cut.slice(at, equals + 1);
    redacted += next === -1 ? `${name}${REDACTED}` : `${name}${REDACTED}&`;
    at = end + 1;
  }
  return redacted.length > lengthMax ? redacted.slice(0, lengthMax) : redacted;
}
