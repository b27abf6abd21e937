import * as v from 'valibot';
import { configObject, text } from '../shared/config-fields.ts';
import { requireOneOf } from '../shared/config-rules.ts';

/** Most names of one field. */
export const NAMES_MAX = 1000;

const NAME_LENGTH_MAX = 256;

/** Config of `acl_control`. */
export const config = requireOneOf(
  configObject({
    allowed_groups: v.optional(names('Groups of which the client must be in one')),
    allowed_roles: v.optional(names('Roles of which the client must have one')),
    allowed_tenants: v.optional(names('Tenants of which the client must belong to one')),
    allowed_users: v.optional(
      names('Consumers that may pass, by ID, username or custom ID, and users that basic_auth has in its config'),
    ),
  }),
  ['allowed_groups', 'allowed_roles', 'allowed_tenants', 'allowed_users'],
);

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;

function names(description: string) {
  return v.pipe(
    v.array(text('A name', NAME_LENGTH_MAX), 'must be a list of names'),
    v.minLength(1, 'must not be empty'),
    v.maxLength(NAMES_MAX, `must have at most ${NAMES_MAX} entries`),
    v.description(description),
  );
}
