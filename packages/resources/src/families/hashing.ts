import * as v from 'valibot';
import type { FamilyRule, FieldEntries } from '../family.ts';
import { requiredWhen } from '../rules.ts';
import { maxCharacters, minCharacters } from '../text-length.ts';

/** What of a request decides where it goes. Source: wire contract, Upstreams, targets, health. */
export const hashInputs = ['none', 'consumer', 'ip', 'header', 'cookie', 'path', 'query_arg', 'uri_capture'] as const;

const input = (about: string) => v.optional(v.pipe(v.picklist(hashInputs), v.description(about)), 'none');

const token = (about: string) =>
  v.optional(
    v.pipe(
      v.string(),
      maxCharacters(256),
      v.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must have only characters of a header or cookie name'),
      v.description(about),
    ),
  );

const text = (about: string) =>
  v.optional(
    v.pipe(
      v.string(),
      minCharacters(1),
      maxCharacters(256),
      // oxlint-disable-next-line no-control-regex -- control characters are what is refused
      v.regex(/^[^\u0000-\u001F\u007F]*$/, 'must not contain control characters'),
      v.description(about),
    ),
  );

const capture = (about: string) =>
  v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[A-Za-z0-9_]{1,64}$/, 'must be the name or number of a group: 1 to 64 of A-Z a-z 0-9 _'),
      v.description(about),
    ),
  );

/** Fields of consistent hashing, under Kong's names. */
export const hashFields: FieldEntries = {
  hash_on: input('What is hashed, for consistent-hashing'),
  hash_fallback: input('What is hashed where a request lacks what hash_on names'),
  hash_on_header: token('Header field that hash_on header means'),
  hash_fallback_header: token('Header field that hash_fallback header means'),
  hash_on_cookie: token('Cookie that hash_on or hash_fallback cookie means; the gateway sets it where it is not sent'),
  hash_on_cookie_path: v.optional(
    v.pipe(
      v.string(),
      maxCharacters(1024),
      v.regex(/^\/[\x21-\x3A\x3C-\x7E]*$/, 'must begin with / and be printable ASCII without spaces and semicolons'),
      v.description('Path of the cookie that the gateway sets'),
    ),
    '/',
  ),
  hash_on_query_arg: text('Query parameter that hash_on query_arg means'),
  hash_fallback_query_arg: text('Query parameter that hash_fallback query_arg means'),
  hash_on_uri_capture: capture("Group of the route's regular expression that hash_on uri_capture means"),
  hash_fallback_uri_capture: capture("Group of the route's regular expression that hash_fallback uri_capture means"),
};

const named = ['header', 'query_arg', 'uri_capture'] as const;

const requirements: readonly FamilyRule[] = [
  ...named.flatMap((what) => [
    requiredWhen(`hash_on_${what}`, (record) => record['hash_on'] === what, `when hash_on is ${what}`),
    requiredWhen(
      `hash_fallback_${what}`,
      (record) => record['hash_fallback'] === what,
      `when hash_fallback is ${what}`,
    ),
  ]),
  requiredWhen(
    'hash_on_cookie',
    (record) => record['hash_on'] === 'cookie' || record['hash_fallback'] === 'cookie',
    'when hash_on or hash_fallback is cookie',
  ),
];

/** A fallback that never applies, or repeats what it stands in for, is a mistake. */
const usefulFallback: FamilyRule = (record) => {
  const { hash_on: on, hash_fallback: fallback } = record;
  if (fallback === 'none') return [];
  const refusal = (message: string) => [{ pointer: '/hash_fallback', code: 'contradiction', message }];
  if (on === 'none') return refusal('must be none when hash_on is none');
  if (on === 'cookie') return refusal('must be none when hash_on is cookie, which every client gets');
  if (on !== fallback) return [];
  const field = named.find((what) => what === on);
  if (field === undefined) return refusal('must not be the same as hash_on');
  const [primary, secondary] = [record[`hash_on_${field}`], record[`hash_fallback_${field}`]];
  const isSame =
    field === 'header' ? String(primary).toLowerCase() === String(secondary).toLowerCase() : primary === secondary;
  return isSame && primary !== undefined
    ? [
        {
          pointer: `/hash_fallback_${field}`,
          code: 'contradiction',
          message: `must not be the same as hash_on_${field}`,
        },
      ]
    : [];
};

/** What the fields of hashing require of each other. */
export const hashRules: readonly FamilyRule[] = [...requirements, usefulFallback];
