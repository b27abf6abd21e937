import * as v from 'valibot';
import { configObject, flag, headerName } from '../shared/config-fields.ts';
import { crossFieldRule, type CrossFieldIssue } from '../shared/config-rules.ts';
import { upstreamHeadersField } from '../shared/claims/upstream-headers-field.ts';
import { DN_TEMPLATE, USERNAME } from './distinguished-name.ts';
import { SERVER_URL, SERVER_URL_LENGTH_MAX, parseServerUrl } from './directory/server-url.ts';

/** Longest `user_dn_template`, in characters. */
export const DN_TEMPLATE_LENGTH_MAX = 1024;

/** Claims that are no attributes of the user's entry. */
export const ownClaims: readonly string[] = ['username', 'dn'];

const fields = configObject({
  header_name: v.optional(headerName('Request header that carries the user name and password'), 'Authorization'),
  hide_credentials: v.optional(flag('Removes that header before the request goes to the upstream'), false),
  server_url: v.pipe(
    v.string('must be text'),
    v.maxLength(SERVER_URL_LENGTH_MAX, `must have at most ${SERVER_URL_LENGTH_MAX} characters`),
    v.regex(SERVER_URL, 'must be ldap://host or ldaps://host, with a port perhaps, and nothing else'),
    v.check(
      // What has another form is refused above.
      (url) => !SERVER_URL.test(url) || parseServerUrl(url, true) !== undefined,
      'must have an IP address in its brackets, and a port of at most 65535',
    ),
    v.description('The directory: `ldap://host[:389]` or `ldaps://host[:636]`'),
  ),
  upstream_headers: v.optional(upstreamHeadersField('the user (`username`, `dn`, or an attribute of the entry)')),
  use_ssl: v.optional(
    flag('Talk to the directory in TLS only: StartTLS with `ldap://`. False sends passwords readable over the network'),
    true,
  ),
  user_dn_template: v.optional(
    v.pipe(
      v.string('must be text'),
      v.maxLength(DN_TEMPLATE_LENGTH_MAX, `must have at most ${DN_TEMPLATE_LENGTH_MAX} characters`),
      v.regex(DN_TEMPLATE, 'must be a distinguished name, as in uid={username},ou=people,dc=example,dc=com'),
      v.check((template) => template.includes(USERNAME), `must have ${USERNAME} in it`),
      v.description(
        "The user's distinguished name, with `{username}` in a value. Without it the directory gets the user name as it is",
      ),
    ),
  ),
});

/** Config of `ldap_auth`. */
export const config = crossFieldRule(fields, (given) => [...tlsIssues(given), ...claimIssues(given)]);

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;

function tlsIssues({ server_url: url, use_ssl: useSsl }: v.InferOutput<typeof fields>): readonly CrossFieldIssue[] {
  const isContradiction = url.startsWith('ldaps:') && !useSsl;
  return isContradiction ? [{ field: 'use_ssl', message: 'must not be false where server_url says ldaps' }] : [];
}

function claimIssues(given: v.InferOutput<typeof fields>): readonly CrossFieldIssue[] {
  const { upstream_headers: headers = {}, user_dn_template: template } = given;
  const claims = Object.values(headers);
  const issueOf = (message: string): CrossFieldIssue => ({ field: 'upstream_headers', message });
  const issues: CrossFieldIssue[] = [];
  if (template === undefined && claims.some((claim) => claim !== 'username'))
    issues.push(issueOf('can name nothing but username where there is no user_dn_template'));
  if (!claims.every((claim) => ATTRIBUTE.test(claim)))
    issues.push(issueOf('names something that is no attribute of LDAP'));
  if (claims.some((claim) => PASSWORDS.has(claim.toLowerCase()))) issues.push(issueOf('names a password'));
  return issues;
}

/** Source: RFC 4512, section 2.5. */
const ATTRIBUTE = /^(?:[A-Za-z][A-Za-z0-9-]*|[0-9]+(?:\.[0-9]+)*)(?:;[A-Za-z0-9-]+)*$/;

const PASSWORDS: ReadonlySet<string> = new Set(['userpassword', '2.5.4.35', 'unicodepwd']);
