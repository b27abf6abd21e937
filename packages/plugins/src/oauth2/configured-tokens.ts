import { expiryMs } from '../shared/expiry-field.ts';
import type { Config } from './config.ts';
import { grantOf, type GrantRules, type TokenGrant } from './token-grant.ts';
import { digestOf } from './token-digest.ts';

/** Configured tokens by digest. The tokens themselves are not kept. */
export type ConfiguredTokens = ReadonlyMap<string, TokenGrant>;

/** Compiles `valid_tokens` with their claims. When a token stands there twice, the first entry that is an object counts. */
export function compileTokens(
  { valid_tokens: tokens = [], token_claims: claims = [] }: Config,
  rules: GrantRules,
): ConfiguredTokens {
  const claimsByToken = new Map(claims.toReversed().map((entry) => [entry.token, entry.claims] as const));
  const objects = tokens.filter((entry) => typeof entry !== 'string');
  const texts = tokens.filter((entry) => typeof entry === 'string').map((token) => ({ token }));
  const table = new Map<string, TokenGrant>();
  for (const entry of [...objects, ...texts] as readonly NamedToken[]) {
    const digest = digestOf(entry.token);
    if (table.has(digest)) continue;
    const claimed = claimsByToken.get(entry.token) ?? {};
    table.set(digest, grantOf(rules, claimed, expiryMs(entry.expires_at), entry.consumer));
  }
  return table;
}

type NamedToken = Exclude<NonNullable<Config['valid_tokens']>[number], string>;
