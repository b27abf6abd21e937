import type { Exchange, HookResult, PluginHooks, RequestEdits } from '@portcullis/plugin-runtime';
import { BASIC_HEADER_LENGTH_MAX, readBasicCredentials } from '../shared/basic/basic-credentials.ts';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { compileUpstreamHeaders } from '../shared/claims/upstream-headers.ts';
import { clientNetwork } from '../shared/client-network.ts';
import { consumerOf } from '../shared/consumer-reference.ts';
import { busyAnswer, problemAnswer, refusal, type ProblemAnswer } from '../shared/problem.ts';
import { config } from './config.ts';
import { presentedName } from './presented-name.ts';
import { SignIns, type Outcome } from './sign-ins.ts';
import { userDirectory } from './user-directory.ts';
import { presentedDigests } from './verified-binds.ts';

/** Lets requests pass whose user name and password an LDAP directory accepts. */
export const ldapAuth: BuiltIn = builtIn({
  name: 'ldap_auth',
  version: '1.0.0',
  category: 'authentication',
  triggers: ['before_request'],
  description: 'Lets requests pass whose user name and password an LDAP directory accepts',
  config,
  credentialHeaders: ({ header_name: header }) => [header],
  setup(given, { clock, log, outbound }): PluginHooks {
    const { header_name: header, hide_credentials: isHidden } = given;
    const refuse = refusal(log, unauthenticated(header));
    const refuseForNow = refusal(log, busy);
    const upstream = compileUpstreamHeaders(given.upstream_headers, isHidden ? [header] : []);
    const directory = userDirectory(given, outbound);
    const digestOf = presentedDigests();
    const signIns = new SignIns(async (user, signal) => {
      const claims = await directory.claimsOf(user, signal);
      return claims && { name: user.username, headers: upstream.editsFor(claims) };
    }, clock);

    const answer = (exchange: Exchange, outcome: Outcome): HookResult<RequestEdits> => {
      if (outcome === 'refused') return refuse(exchange, 'refused_by_directory');
      if (typeof outcome === 'string') return refuseForNow(exchange, outcome);
      const consumer = consumerOf(exchange, outcome.name);
      return consumer === 'disabled' ? refuse(exchange, 'consumer_disabled') : { consumer, headers: outcome.headers };
    };

    return {
      request(exchange) {
        const value = exchange.request.headers.get(header) ?? '';
        if (value === '') return refuse(exchange, 'no_credentials');
        if (value.length > BASIC_HEADER_LENGTH_MAX) return refuse(exchange, 'malformed_credentials');
        const digest = digestOf(value);
        const known = signIns.known(digest);
        if (known !== undefined) return answer(exchange, known);
        const presented = readBasicCredentials(exchange.request.headers, header, SCHEMES);
        if (typeof presented === 'string') return refuse(exchange, presented);
        const { password } = presented;
        const username = presentedName(presented.username);
        if (username === undefined) return refuse(exchange, 'malformed_username');
        if (password === '') return refuse(exchange, 'empty_password');
        const network = clientNetwork(exchange.request.clientIp);
        const outcome = signIns.attempt({ digest, network, username, password }, () => exchange.signal());
        return typeof outcome === 'string' ? answer(exchange, outcome) : outcome.then((late) => answer(exchange, late));
      },
    };
  },
});

/** What may stand before the credentials. Source: RFC 7617; Kong's plugin of this name takes `ldap` for the same. */
const SCHEMES = ['basic', 'ldap'];

function unauthenticated(header: string): ProblemAnswer {
  const where = header.toLowerCase() === 'authorization' ? '' : `, header="${header}"`;
  const detail = `a user name and password that the directory accepts are required in ${header}`;
  return problemAnswer({ status: 401, code: 'unauthenticated', title: 'Unauthorized', detail }, [
    'www-authenticate',
    `Basic realm="api"${where}, charset="UTF-8"`,
  ]);
}

const busy = busyAnswer('too many sign-ins are under way, or too many of this client were refused');
