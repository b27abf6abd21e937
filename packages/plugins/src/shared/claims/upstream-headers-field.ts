import * as v from 'valibot';
import { text, writtenHeaderName } from '../config-fields.ts';

/** Most entries of `upstream_headers`: upstreams bound all header fields together, often at 8 to 16 KiB. */
export const UPSTREAM_HEADERS_MAX = 50;

/** Longest path of a claim, in characters. */
export const CLAIM_PATH_LENGTH_MAX = 256;

/** Most parts of such a path: each one more is one more name to look for at every level. */
export const CLAIM_PATH_PARTS_MAX = 16;

/**
 * The field `upstream_headers` of authentication plugins: header name → path of a claim. Compile it with `compileUpstreamHeaders`.
 * @param from whose claims these are, for instance `the token`
 */
export function upstreamHeadersField(from: string) {
  return v.pipe(
    v.record(upstreamHeaderName, claimPath(`Claim of ${from}`), 'must be a map from header name to claim'),
    v.maxEntries(UPSTREAM_HEADERS_MAX, `must have at most ${UPSTREAM_HEADERS_MAX} entries`),
    v.check(hasEachNameOnce, 'names a header twice: names match without regard to case'),
    v.description(
      `Headers for the upstream, each with the name or path (\`a.b\`) of the claim of ${from} that it carries`,
    ),
  );
}

/** Name or path of a claim: `sub`, `address.country`. */
export function claimPath(description: string) {
  return v.pipe(
    text(description, CLAIM_PATH_LENGTH_MAX),
    v.regex(FEW_PARTS, `must have at most ${CLAIM_PATH_PARTS_MAX} parts with dots between them`),
  );
}

const FEW_PARTS = new RegExp(`^[^.]*(?:\\.[^.]*){0,${CLAIM_PATH_PARTS_MAX - 1}}$`);

/**
 * The gateway alone says who the consumer is; a claim under those names would be taken for its word. Servers that hand headers on
 * as variables take `_` and `-` for the same.
 */
const upstreamHeaderName = v.pipe(
  writtenHeaderName('Name of a header'),
  v.check((name) => !isIdentityName(name), 'names a header in which the gateway itself says who the consumer is'),
);

function isIdentityName(name: string): boolean {
  return /^x-(?:consumer-|credential-identifier$|anonymous-consumer$)/.test(name.toLowerCase().replaceAll('_', '-'));
}

function hasEachNameOnce(headers: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(headers);
  return new Set(names.map((name) => name.toLowerCase())).size === names.length;
}
