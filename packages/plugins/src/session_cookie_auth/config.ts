import * as v from 'valibot';
import { upstreamHeadersField } from '../shared/claims/upstream-headers-field.ts';
import { configObject, ENTRIES_MAX, flag, headerName, text } from '../shared/config-fields.ts';
import { requireOneOf } from '../shared/config-rules.ts';
import { expiryField } from '../shared/expiry-field.ts';

/** Longest session ID that is looked at, in characters. Browsers keep no longer cookies. Source: RFC 6265, section 6.1. */
export const SESSION_ID_LENGTH_MAX = 4096;

/** Most sessions of one instance. */
export const SESSIONS_MAX = 10_000;

/** Most fields of one session. */
const SESSION_FIELDS_MAX = 50;

const NAME_LENGTH_MAX = 256;

const sessionId = v.pipe(
  text('The ID that clients present', SESSION_ID_LENGTH_MAX),
  v.regex(/^[\x21-\x3a\x3c-\x7e]*$/, 'must be printable ASCII without space and semicolon, as a cookie is'),
  v.metadata({ 'x-secret': true }),
);

const session = v.pipe(
  v.looseObject(
    {
      id: sessionId,
      consumer: v.optional(text('ID, username or custom ID of the consumer whose session it is', NAME_LENGTH_MAX)),
      groups: v.optional(names("Groups of the session, beside its consumer's")),
      roles: v.optional(names('Roles of the session')),
      expires_at: v.optional(expiryField('The session is refused from then on')),
    },
    (issue) => (issue.expected === 'Object' ? 'must be an object' : 'is required'),
  ),
  v.maxEntries(SESSION_FIELDS_MAX, `must have at most ${SESSION_FIELDS_MAX} fields`),
);

/** Config of `session_cookie_auth`. */
export const config = requireOneOf(
  configObject({
    cookie_name: v.optional(cookieName('Cookie that carries the session ID'), 'session'),
    header_name: v.optional(headerName('Header that carries the session ID of requests without the cookie')),
    hide_credentials: v.optional(flag('Whether the cookie and the header are removed before the upstream'), false),
    required_groups: v.optional(names('Groups that the client must have, all of them; else 403')),
    required_roles: v.optional(names('Roles that the session must have, all of them; else 403')),
    upstream_headers: v.optional(upstreamHeadersField('the session')),
    valid_session_ids: v.optional(
      v.pipe(
        v.array(sessionId, 'must be a list of session IDs'),
        v.maxLength(SESSIONS_MAX, `must have at most ${SESSIONS_MAX} entries`),
        v.description('IDs of sessions of which nothing else is known'),
      ),
    ),
    valid_sessions: v.optional(
      v.pipe(
        v.array(session, 'must be a list of sessions with `id`, or a map by ID of sessions that have no `id`'),
        v.maxLength(SESSIONS_MAX, `must have at most ${SESSIONS_MAX} entries`),
        v.description('Sessions: a list with `id`, or a map by ID; every field of a session is a claim'),
      ),
    ),
  }),
  ['valid_session_ids', 'valid_sessions'],
);

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;

/** One entry of `valid_sessions`. */
export type SessionEntry = v.InferOutput<typeof session>;

function names(description: string) {
  return v.pipe(
    v.array(text('A name', NAME_LENGTH_MAX), 'must be a list of names'),
    v.maxLength(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
    v.description(description),
  );
}

/** Source: RFC 6265, section 4.1.1. */
function cookieName(description: string) {
  return v.pipe(
    text(description, NAME_LENGTH_MAX),
    v.regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, 'must be the name of a cookie'),
  );
}
