import * as v from 'valibot';
import { ENTRIES_MAX, HEADER_VALUE_LENGTH_MAX, text, writtenHeaderName } from '../config-fields.ts';
import { SECRET_ADDRESS } from '../secret-address.ts';

const URL_LENGTH_MAX = 2048;
const KEY_LENGTH_MAX = 8192;

/**
 * Where a service is that a plugin asks; whom it may be is judged when it is called. With a query it is a secret, because keys stand there.
 * Source: decisions, 20.
 */
export function serviceUrl(description: string) {
  return v.pipe(
    text(description, URL_LENGTH_MAX),
    v.regex(
      /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s/?#@\\]+(?:[/?][^\s#\\]*)?$/,
      'must begin with https:// and a host, and have no user, password and fragment',
    ),
    v.check((url) => URL.parse(url) !== null, 'must be an address'),
    v.metadata(SECRET_ADDRESS),
  );
}

/** Seconds that a service has for an answer. */
export function timeoutSeconds(description: string) {
  return v.optional(
    v.pipe(
      v.number('must be a number'),
      v.minValue(0.1, 'must be at least 0.1'),
      v.maxValue(30, 'must be at most 30'),
      v.description(description),
    ),
    TIMEOUT_SECONDS_DEFAULT,
  );
}

/** Below what hooks have by default (5 s): the plugin's own rule decides, and not the runtime's. */
export const TIMEOUT_SECONDS_DEFAULT = 4;

/** A key itself: visible ASCII, because it goes into a header. */
export function secretText(description: string) {
  return v.pipe(
    text(description, KEY_LENGTH_MAX),
    v.regex(/^[\x21-\x7e]+$/, 'must be of visible ASCII characters'),
    v.metadata({ 'x-secret': true }),
  );
}

/** A variable of the gateway's process that the operator lets the tenant read. Source: decisions, 19. */
export function variableName(description: string) {
  return v.pipe(text(description, 128), v.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of a variable'));
}

const headerValue = v.pipe(
  v.string('must be text'),
  v.maxLength(HEADER_VALUE_LENGTH_MAX, `must have at most ${HEADER_VALUE_LENGTH_MAX} characters`),
  v.regex(/^[\t\x20-\x7e]*$/, 'must be a header value of visible ASCII characters'),
  v.metadata({ 'x-secret': true }),
);

/** What says how a question is written is the plugin's own. */
const OWN_HEADERS: ReadonlySet<string> = new Set(['accept', 'accept-encoding', 'content-encoding', 'content-type']);

const serviceHeader = v.pipe(
  writtenHeaderName('A header'),
  v.check((name) => !OWN_HEADERS.has(name.toLowerCase()), 'names a header that the plugin itself sets'),
);

/** Headers of calls of a service. Their values may be its keys, so they are kept as such. */
export function serviceHeaders(description: string) {
  return v.optional(
    v.pipe(
      v.record(serviceHeader, headerValue, 'must be a map from header name to value'),
      v.maxEntries(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
      v.description(description),
    ),
  );
}
