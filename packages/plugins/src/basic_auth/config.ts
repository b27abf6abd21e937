import * as v from 'valibot';
import { configObject, text } from '../shared/config-fields.ts';

/** Longest user name and password of an entry, in characters: what the credentials of consumers may have. */
export const USERNAME_LENGTH_MAX = 256;
export const PASSWORD_LENGTH_MAX = 256;

/** Most users of one instance. Those of many clients belong into consumer credentials. */
export const USERS_MAX = 10_000;

// What RFC 7617, section 2, keeps out of names and passwords could never be presented.
const username = v.pipe(
  text('User name that clients present', USERNAME_LENGTH_MAX),
  // oxlint-disable-next-line no-control-regex -- what is refused
  v.regex(/^[^:\u0000-\u001f\u007f]*$/, 'must have no colon and no control character'),
);

const password = v.pipe(
  text('Password that belongs to it', PASSWORD_LENGTH_MAX),
  // oxlint-disable-next-line no-control-regex -- what is refused
  v.regex(/^[^\u0000-\u001f\u007f]*$/, 'must have no control character'),
  v.metadata({ 'x-secret': true }),
);

const user = configObject({
  username,
  password,
  consumer: v.optional(text('ID, username or custom ID of the consumer that the user is', 256)),
});

/** Config of `basic_auth`. */
export const config = configObject({
  allowed_users: v.pipe(
    v.array(user, 'must be a list'),
    v.maxLength(USERS_MAX, `must have at most ${USERS_MAX} entries`),
    v.description(
      "Users accepted beside the tenant's consumer credentials, each with username, password and, if it has one, consumer. May be empty",
    ),
  ),
});

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;
