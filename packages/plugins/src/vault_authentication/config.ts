import * as v from 'valibot';
import { tokenPrefixField } from '../shared/claims/presented-token.ts';
import { choice, configObject, flag, text, writtenHeaderName } from '../shared/config-fields.ts';
import { crossFieldRule, type CrossFieldIssue } from '../shared/config-rules.ts';

/** Characters of a reference, and of a user name. */
export const REFERENCE_LENGTH_MAX = 512;
export const USERNAME_LENGTH_MAX = 256;

/** What comes of the secret. */
export const modes = ['bearer', 'basic', 'header'] as const;

// What RFC 7617, section 2, keeps out of user names could not be told from the password.
const username = v.pipe(
  text('User name of mode `basic`', USERNAME_LENGTH_MAX),
  // oxlint-disable-next-line no-control-regex -- what is refused
  v.regex(/^[^:\u0000-\u001f\u007f]*$/, 'must have no colon and no control character'),
);

const fields = configObject({
  fail_open: v.optional(
    flag('Whether a request goes on without the credential when the secret cannot be read; else it gets 503'),
    false,
  ),
  header_name: v.optional(
    writtenHeaderName("Header that carries the credential to the upstream; the client's own is always removed"),
    'Authorization',
  ),
  mode: v.optional(
    choice(
      'What the header carries: the secret as a token, with a user name for Basic authentication, or alone',
      modes,
    ),
    'bearer',
  ),
  prefix: v.optional(
    tokenPrefixField(
      'Word before the credential, with one space between; `Bearer`, `Basic` or none, by mode, when absent',
    ),
  ),
  resolved_reference_header: v.optional(
    writtenHeaderName(
      "Header that tells the upstream the reference of the secret that was read; the client's own is removed",
    ),
  ),
  secret_ref: reference('Reference of the secret'),
  username: v.optional(username),
  username_ref: v.optional(reference('Reference of the user name of mode `basic`, in place of `username`')),
});

/** Config of `vault_authentication`. */
export const config = crossFieldRule(fields, (given) => [...usernameIssues(given), ...headerIssues(given)]);

/** See {@link config}. */
export type Config = v.InferOutput<typeof fields>;

function usernameIssues({ mode, username: name, username_ref: ref }: Config): readonly CrossFieldIssue[] {
  if (mode === 'basic') {
    if (name !== undefined && ref !== undefined)
      return [{ field: 'username_ref', message: 'must not stand beside username' }];
    return (name ?? ref) ? [] : [{ field: 'username', message: 'or username_ref is required in mode basic' }];
  }
  const message = 'belongs to mode basic';
  return (['username', 'username_ref'] as const).flatMap((field) =>
    ({ username: name, username_ref: ref })[field] === undefined ? [] : [{ field, message }],
  );
}

function headerIssues({ header_name: header, resolved_reference_header: other }: Config): readonly CrossFieldIssue[] {
  const isSame = other?.toLowerCase() === header.toLowerCase();
  return isSame ? [{ field: 'resolved_reference_header', message: 'must be another header than header_name' }] : [];
}

/** The form of references; what they name is found out when they are read. */
function reference(description: string) {
  return v.pipe(
    text(`${description}, \`vault://prefix/secret[/key]\``, REFERENCE_LENGTH_MAX),
    v.regex(
      /^vault:\/\/(?!(?:.*\/)?\.+(?:\/|$))[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\/[A-Za-z0-9._-]{1,128}){1,9}\/?$/,
      'must read vault://prefix/secret or vault://prefix/secret/key',
    ),
  );
}
