import type { Outbound } from '@portcullis/plugin-runtime';
import type { BasicCredentials } from '../shared/basic/basic-credentials.ts';
import type { Claims } from '../shared/claims/claim-value.ts';
import { ownClaims, type Config } from './config.ts';
import { parseServerUrl } from './directory/server-url.ts';
import { signIn } from './directory/sign-in.ts';
import { distinguishedName } from './distinguished-name.ts';

/** The directory as a config describes it. */
export interface UserDirectory {
  /**
   * Asks whether name and password are right.
   * @returns the user's claims, `undefined` when they are not
   * @throws Error when the directory does not answer as it should
   */
  claimsOf(user: BasicCredentials, signal: AbortSignal): Promise<Claims | undefined>;
}

/** @param given must have passed its checks */
export function userDirectory(given: Config, outbound: Outbound): UserDirectory {
  const server = parseServerUrl(given.server_url, given.use_ssl);
  if (server === undefined) throw new TypeError('server_url must have passed its checks');
  const claimed = [...new Set(Object.values(given.upstream_headers ?? {}))];
  const attributes = claimed.filter((claim) => !ownClaims.includes(claim));
  const template = given.user_dn_template;
  return {
    async claimsOf({ username, password }, signal) {
      const bindName = template === undefined ? username : distinguishedName(template, username);
      const found = await signIn(server, outbound, { bindName, password, attributes }, signal);
      if (found === undefined) return undefined;
      // Asked in the config's spelling, answered in the server's.
      const values = attributes.map((name) => [name, found.get(name.toLowerCase())] as const);
      return { ...Object.fromEntries(values), username, ...(template === undefined ? {} : { dn: bindName }) };
    },
  };
}
