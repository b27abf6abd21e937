import * as v from 'valibot';
import { choice, headerMap, headerValue, text } from '../config-fields.ts';
import { sameOrAbsent, type CrossFieldIssue } from '../config-rules.ts';
import { recordFields, type RecordConfig } from '../records/record-fields.ts';
import { SECRET_ADDRESS } from '../secret-address.ts';
import { sinkFields, timeoutField } from './sink-fields.ts';

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
const httpFields = {
  method: v.optional(choice('Method of the calls', ['POST', 'PUT', 'PATCH']), 'POST'),
  headers: v.optional(
    headerMap(
      'Further headers of the calls, for keys for instance; a value may be a reference, `vault://prefix/secret` or `env://NAME`',
      secretValue,
    ),
  ),
} as const;

/** A field for the media type of the calls' bodies. */
function contentTypeField(description: string) {
  return v.pipe(
    text(description, 256),
    v.regex(
      /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:[\t ]*;[\t ]*[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[\x20-\x21\x23-\x5b\x5d-\x7e]*"))*$/,
      'must be a media type such as application/json',
    ),
  );
}

/**
 * All fields of a config that sends records over HTTP, but the address and what is the package's own.
 * @param contentType describes the field of that name
 */
export function httpSinkFields(contentType: string) {
  return {
    ...httpFields,
    content_type: v.optional(contentTypeField(contentType), 'application/json'),
    timeout: timeoutField('Longest time of one call, in seconds'),
    ...sinkFields,
    ...recordFields,
  } as const;
}

/** What those fields say. */
export interface HttpSinkConfig extends RecordConfig {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly content_type: string;
  readonly timeout: number;
  readonly fail_on_error: boolean;
}

/** Headers of a call that something else says. */
const OWN_HEADERS: ReadonlyMap<string, string> = new Map([
  ['content-type', 'Content-Type, which content_type says'],
  ['content-encoding', 'Content-Encoding, because bodies are sent as they are'],
]);

/**
 * Mistakes between fields of such a config.
 * @param endpoints fields that are names of one address
 */
export function httpSinkIssues(
  config: Pick<HttpSinkConfig, 'headers'>,
  endpoints: readonly string[],
): readonly CrossFieldIssue[] {
  const pairs = endpoints.flatMap((first, at) => endpoints.slice(at + 1).map((second) => [first, second] as const));
  const named = Object.keys(config.headers ?? {}).map((name) => OWN_HEADERS.get(name.toLowerCase()));
  return [
    ...pairs.flatMap(([first, second]) => sameOrAbsent({ ...config }, first, second)),
    ...named.flatMap((own) => (own === undefined ? [] : [{ field: 'headers', message: `must not have ${own}` }])),
  ];
}
