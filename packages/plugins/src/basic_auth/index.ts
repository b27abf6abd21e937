import type {
  BasicCredential,
  CredentialMatch,
  Exchange,
  HookResult,
  PluginHooks,
  PluginServices,
  RequestEdits,
} from '@portcullis/plugin-runtime';
import { readBasicCredentials, type BasicCredentials } from '../shared/basic/basic-credentials.ts';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { clientNetwork } from '../shared/client-network.ts';
import { consumerOf } from '../shared/consumer-reference.ts';
import { leaveUser } from '../shared/identity-facts.ts';
import { busyAnswer, problemAnswer, refusal } from '../shared/problem.ts';
import { DECOY_HASH, fitsHash } from './argon2-hash.ts';
import { config, type Config } from './config.ts';
import { PasswordChecks } from './password-checks.ts';
import { compileUsers, digestOf } from './user-table.ts';
import { VerifiedPasswords } from './verified-passwords.ts';

/** Lets requests pass that carry a known user name and password. */
export const basicAuth: BuiltIn = basicAuthOver(new PasswordChecks(fitsHash));

/** The plugin over a way to the slow hash, which the instances of a process share. */
export function basicAuthOver(checks: PasswordChecks): BuiltIn {
  return builtIn({
    name: 'basic_auth',
    version: '1.0.0',
    category: 'authentication',
    triggers: ['before_request'],
    description:
      'Lets requests pass that carry a known user name and password, and identifies the consumer they belong to',
    config,
    setup: (settings, services) => compileHooks(settings, services, checks),
  });
}

/** What a client presented, with its digest. */
interface DigestedCredentials extends BasicCredentials {
  readonly digest: string;
}

function compileHooks(
  { allowed_users: allowed }: Config,
  services: PluginServices,
  checks: PasswordChecks,
): PluginHooks {
  const { clock, log } = services;
  const refuse = refusal(log, unauthenticated);
  const refuseForNow = refusal(log, busy);
  const users = compileUsers(allowed);
  const names = new Set(allowed.map(({ username }) => username));
  const verified = new VerifiedPasswords();
  const isUsable = ({ expiresAtMs }: CredentialMatch): boolean =>
    expiresAtMs === undefined || expiresAtMs > clock.nowMs();
  const monotonicMs = (): number => clock.monotonicMs();

  /** Checks a password that is not known yet. A name that nobody has, and an expired credential, take as long as any. */
  const checkSlowly = (exchange: Exchange, presented: DigestedCredentials, found: BasicCredential | undefined) => {
    const credential = found !== undefined && isUsable(found.match) ? found : undefined;
    const passwordHash = credential?.passwordHash ?? DECOY_HASH;
    const network = clientNetwork(exchange.request.clientIp);
    const outcome = checks.check({ ...presented, passwordHash, network, monotonicMs });
    if (typeof outcome === 'string') return refuseForNow(exchange, outcome);
    return outcome.then((late): HookResult<RequestEdits> => {
      if (late === 'busy') return refuseForNow(exchange, late);
      if (credential === undefined)
        return refuse(exchange, found === undefined ? whyNone(presented) : 'credential_expired');
      if (late === 'wrong') return refuse(exchange, 'wrong_password');
      verified.add(presented.digest, passwordHash, monotonicMs());
      return isUsable(credential.match)
        ? { consumer: credential.match.consumer }
        : refuse(exchange, 'credential_expired');
    });
  };

  const whyNone = ({ username }: BasicCredentials) => (names.has(username) ? 'wrong_password' : 'unknown_user');

  return {
    request(exchange) {
      const presented = readBasicCredentials(exchange.request.headers);
      if (typeof presented === 'string') return refuse(exchange, presented);
      const digest = digestOf(presented);
      const user = users.get(digest);
      if (user !== undefined) {
        if (user.consumer === undefined) return leaveUser(exchange, presented.username);
        const consumer = consumerOf(exchange, user.consumer);
        return consumer === 'disabled' ? refuse(exchange, 'consumer_disabled') : { consumer };
      }
      const found = exchange.consumers.findBasic(presented.username);
      if (found !== undefined && isUsable(found.match) && verified.has(digest, found.passwordHash, monotonicMs())) {
        return { consumer: found.match.consumer };
      }
      return checkSlowly(exchange, { ...presented, digest }, found);
    },
  };
}

/** The same for every reason: what is wrong with a password or a name is the operator's business alone. */
const unauthenticated = problemAnswer(
  {
    status: 401,
    code: 'unauthenticated',
    title: 'Unauthorized',
    detail: 'a valid user name and password are required in Authorization',
  },
  ['www-authenticate', 'Basic realm="api", charset="UTF-8"'],
);

const busy = busyAnswer('too many passwords are being checked, or too many of this client were wrong');
