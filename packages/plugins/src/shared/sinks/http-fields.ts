import * as v from 'valibot';
import { choice, headerMap, headerValue, text } from '../config-fields.ts';
import type { CrossFieldIssue } from '../config-rules.ts';
import { SECRET_ADDRESS } from '../secret-address.ts';

/** Longest address of a sink, in characters. */
const URL_LENGTH_MAX = 2048;

/**
 * Address of a sink. A query is allowed, and then the address is a secret, because keys stand there; user and password are not allowed. What
 * it stands for is judged when it is called. Source: decisions, 20.
 */
export function endpointField(description: string) {
  return v.pipe(
    text(description, URL_LENGTH_MAX),
    v.check(isEndpoint, 'must be an http or https address without user, password and fragment'),
    v.metadata(SECRET_ADDRESS),
  );
}

function isEndpoint(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password + url.hash === '';
}

/** A header's value that may be a key. It may name a secret instead: see `secret-headers.ts`. */
const secretValue = v.pipe(headerValue, v.metadata({ 'x-secret': true }));

/** Fields of a config that say how a sink is called over HTTP, but its address. */
export const httpFields = {
  method: v.optional(choice('Method of the calls', ['POST', 'PUT', 'PATCH']), 'POST'),
  headers: v.optional(
    headerMap(
      'Further headers of the calls, for keys for instance; a value may be a reference, `vault://prefix/secret` or `env://NAME`',
      secretValue,
    ),
  ),
} as const;

/** A field for the media type of the calls' bodies. */
export function contentTypeField(description: string) {
  return v.pipe(
    text(description, 256),
    v.regex(
      /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:[\t ]*;[\t ]*[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[\x20-\x21\x23-\x5b\x5d-\x7e]*"))*$/,
      'must be a media type such as application/json',
    ),
  );
}

/** The media type has a field of its own. */
export function noContentType(headers: Readonly<Record<string, string>> | undefined): readonly CrossFieldIssue[] {
  const isThere = Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'content-type');
  return isThere ? [{ field: 'headers', message: 'must not have Content-Type, which content_type says' }] : [];
}
