import { BOOLEAN, ENUMERATED, SEQUENCE, element, integer, octets } from './ber.ts';

/*
 * What the plugin says to a directory: operations without the envelope that numbers them. Source: RFC 4511, section 4.
 */

const LDAP_VERSION = 3;
const BIND_REQUEST = 0x60;
const SIMPLE = 0x80;
const EXTENDED_REQUEST = 0x77;
const REQUEST_NAME = 0x80;
const START_TLS_OID = '1.3.6.1.4.1.1466.20037';
const SEARCH_REQUEST = 0x63;
const BASE_OBJECT = 0;
const NEVER_DEREFERENCE = 0;
const PRESENT = 0x87;
const UNBIND_REQUEST = 0x42;

/** An operation in its number's envelope. */
export function message(id: number, operation: Uint8Array): Buffer {
  return element(SEQUENCE, integer(id), operation);
}

/** A simple bind: the password proves that the client may use the name. Source: section 4.2. */
export function bindRequest(dn: string, password: string): Buffer {
  return element(BIND_REQUEST, integer(LDAP_VERSION), octets(dn), octets(password, SIMPLE));
}

/** Asks for TLS on a plain connection. Source: section 4.14. */
export const START_TLS: Buffer = element(EXTENDED_REQUEST, octets(START_TLS_OID, REQUEST_NAME));

/** Asks for attributes of one entry. Source: section 4.5. */
export function entryRequest(dn: string, attributes: readonly string[], timeLimitSeconds: number): Buffer {
  return element(
    SEARCH_REQUEST,
    octets(dn),
    integer(BASE_OBJECT, ENUMERATED),
    integer(NEVER_DEREFERENCE, ENUMERATED),
    integer(1),
    integer(timeLimitSeconds),
    element(BOOLEAN, Buffer.of(0)),
    octets('objectClass', PRESENT),
    element(SEQUENCE, ...attributes.map((name) => octets(name))),
  );
}

/** Says goodbye; there is no answer. Source: section 4.3. */
export const UNBIND: Buffer = element(UNBIND_REQUEST);
