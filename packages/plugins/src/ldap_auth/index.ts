import type { Exchange, PluginHooks, RequestEdits } from '@portcullis/plugin-runtime';
import {
  BASIC_HEADER_LENGTH_MAX,
  readBasicCredentials,
  type BasicCredentials,
} from '../shared/basic/basic-credentials.ts';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { compileUpstreamHeaders } from '../shared/claims/upstream-headers.ts';
import { consumerOf } from '../shared/consumer-reference.ts';
import { problemAnswer, type ProblemAnswer } from '../shared/problem.ts';
import { config } from './config.ts';
import { presentedName } from './presented-name.ts';
import { RefusedBinds } from './refused-binds.ts';
import { SharedCalls } from './shared-calls.ts';
import { userDirectory } from './user-directory.ts';
import { VerifiedBinds, presentedDigests, type VerifiedUser } from './verified-binds.ts';

/** Lets requests pass whose user name and password an LDAP directory accepts. */
export const ldapAuth: BuiltIn = builtIn({
  name: 'ldap_auth',
  version: '1.0.0',
  category: 'authentication',
  triggers: ['before_request'],
  description: 'Lets requests pass whose user name and password an LDAP directory accepts',
  config,
  setup(given, { clock, outbound }): PluginHooks {
    const { header_name: header, hide_credentials: isHidden } = given;
    const refuse = refusal(header);
    const upstream = compileUpstreamHeaders(given.upstream_headers, isHidden ? [header] : []);
    const directory = userDirectory(given, outbound);
    const digestOf = presentedDigests();
    const verified = new VerifiedBinds(clock);
    const refused = new RefusedBinds(clock);
    const calls = new SharedCalls<VerifiedUser | undefined>();

    const verify = async (digest: string, user: BasicCredentials, signal: AbortSignal) => {
      const claims = await directory.claimsOf(user, signal);
      if (claims === undefined) {
        refused.remember(digest, user.username);
        return undefined;
      }
      const known = { name: user.username, headers: upstream.editsFor(claims) };
      verified.remember(digest, known);
      return known;
    };

    return {
      request(exchange) {
        const value = exchange.request.headers.get(header) ?? '';
        if (value === '' || value.length > BASIC_HEADER_LENGTH_MAX) return refuse(exchange);
        const digest = digestOf(value);
        const known = verified.find(digest);
        if (known !== undefined) return pass(exchange, known);
        const presented = readBasicCredentials(exchange.request.headers, header, SCHEMES);
        if (typeof presented === 'string') return refuse(exchange);
        const { password } = presented;
        const username = presentedName(presented.username);
        if (username === undefined || password === '' || refused.has(digest, username)) return refuse(exchange);
        const signal = exchange.signal();
        return calls
          .join(digest, signal, (left) => verify(digest, { username, password }, left))
          .then((user) => (user === undefined ? refuse(exchange) : pass(exchange, user)));
      },
    };
  },
});

/** What may stand before the credentials. Source: RFC 7617; Kong's plugin of this name takes `ldap` for the same. */
const SCHEMES = ['basic', 'ldap'];

function pass(exchange: Exchange, { name, headers }: VerifiedUser): RequestEdits {
  return { headers, consumer: consumerOf(exchange, name) };
}

function refusal(header: string): ProblemAnswer {
  const where = header.toLowerCase() === 'authorization' ? '' : `, header="${header}"`;
  const detail = `a user name and password that the directory accepts are required in ${header}`;
  return problemAnswer({ status: 401, code: 'unauthenticated', title: 'Unauthorized', detail }, [
    'www-authenticate',
    `Basic realm="api"${where}, charset="UTF-8"`,
  ]);
}
