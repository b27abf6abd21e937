import type {
  BasicCredential,
  CredentialMatch,
  Exchange,
  HookResult,
  PluginHooks,
  RequestEdits,
} from '@portcullis/plugin-runtime';
import { readBasicCredentials, type BasicCredentials } from '../shared/basic/basic-credentials.ts';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { clientNetwork } from '../shared/client-network.ts';
import { consumerOf } from '../shared/consumer-reference.ts';
import { busyAnswer, problemAnswer } from '../shared/problem.ts';
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
    setup: (settings, { clock }) => compileHooks(settings, clock, checks),
  });
}

interface Clock {
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
}

function compileHooks({ allowed_users: allowed }: Config, clock: Clock, checks: PasswordChecks): PluginHooks {
  const users = compileUsers(allowed);
  const verified = new VerifiedPasswords();
  const isUsable = ({ expiresAtMs }: CredentialMatch): boolean =>
    expiresAtMs === undefined || expiresAtMs > clock.nowMs();
  const monotonicMs = (): number => clock.monotonicMs();

  /** Checks a password that is not known yet. A name that nobody has takes as long as any. */
  const checkSlowly = (exchange: Exchange, presented: BasicCredentials, credential: BasicCredential | undefined) => {
    const passwordHash = credential?.passwordHash ?? DECOY_HASH;
    const digest = digestOf(presented);
    const network = clientNetwork(exchange.request.clientIp);
    const outcome = checks.check({ ...presented, digest, passwordHash, network, monotonicMs });
    if (outcome === 'busy') return refuseForNow(exchange);
    return outcome.then((found): HookResult<RequestEdits> => {
      if (found === 'busy') return refuseForNow(exchange);
      if (found === 'wrong' || credential === undefined) return refuse(exchange);
      verified.add(digest, passwordHash, monotonicMs());
      return isUsable(credential.match) ? { consumer: credential.match.consumer } : refuse(exchange);
    });
  };

  return {
    request(exchange) {
      const presented = readBasicCredentials(exchange.request.headers);
      if (typeof presented === 'string') return refuse(exchange);
      const digest = digestOf(presented);
      const user = users.get(digest);
      if (user !== undefined) {
        const consumer = user.consumer === undefined ? undefined : consumerOf(exchange, user.consumer);
        return consumer === 'disabled' ? refuse(exchange) : consumer && { consumer };
      }
      const found = exchange.consumers.findBasic(presented.username);
      const credential = found !== undefined && isUsable(found.match) ? found : undefined;
      if (credential !== undefined && verified.has(digest, credential.passwordHash, monotonicMs())) {
        return { consumer: credential.match.consumer };
      }
      return checkSlowly(exchange, presented, credential);
    },
  };
}

/** The same for every reason: what is wrong with a password or a name is nobody's business. */
const refuse = problemAnswer(
  {
    status: 401,
    code: 'unauthenticated',
    title: 'Unauthorized',
    detail: 'a valid user name and password are required in Authorization',
  },
  ['www-authenticate', 'Basic realm="api", charset="UTF-8"'],
);

const refuseForNow = busyAnswer('too many passwords are being checked, or too many of this client were wrong');
