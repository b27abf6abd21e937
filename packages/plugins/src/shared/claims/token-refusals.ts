import type { Exchange, PluginLog, PluginResponse } from '@portcullis/plugin-runtime';
import { problemAnswer, refusal, type ProblemAnswer, type Refusal } from '../problem.ts';
import type { MissingToken, TokenPlace, UnreadableToken } from './presented-token.ts';

/** The ways in which a plugin refuses requests for their token. */
export interface TokenRefusals {
  /** 401: the request presents no token. Says how to present one, and no error. */
  readonly missing: Refusal;
  /** One of the two 401: there is no token in the request, or none that can be read. */
  readonly unread: (exchange: Exchange, problem: MissingToken | UnreadableToken) => PluginResponse;
  /** 401: the token is malformed, unknown, expired or revoked. Which of these, it does not say. */
  readonly invalid: Refusal;
  /** 403: the token is good, but not for this. */
  readonly insufficient: Refusal;
}

/**
 * Makes the refusals with their challenges. Source: RFC 6750, section 3; RFC 9110, section 11.6.1.
 * @param log of the instance: takes the reasons, of which clients learn nothing
 * @param place where the token is expected
 * @param requiredScopes told to who has fewer
 */
export function tokenRefusals(
  log: PluginLog,
  { header, prefix }: TokenPlace,
  requiredScopes: readonly string[] = [],
): TokenRefusals {
  const where = header.toLowerCase() === 'authorization' ? '' : `, header="${header}"`;
  const challenge = `${prefix || 'Bearer'} realm="api"${where}`;
  const scope = requiredScopes.length > 0 ? `, scope="${requiredScopes.join(' ')}"` : '';
  const missing = refusal(log, unauthenticated(`a token is required in ${header}`, challenge));
  const invalid = refusal(
    log,
    unauthenticated(`the token in ${header} is not valid`, `${challenge}, error="invalid_token"`),
  );
  return {
    missing,
    invalid,
    unread: (exchange, problem) =>
      problem === 'no_token' || problem === 'other_scheme' ? missing(exchange, problem) : invalid(exchange, problem),
    insufficient: refusal(
      log,
      problemAnswer(
        {
          status: 403,
          code: 'forbidden',
          title: 'Forbidden',
          detail: 'the token does not have every scope that is required',
        },
        ['www-authenticate', `${challenge}, error="insufficient_scope"${scope}`],
      ),
    ),
  };
}

function unauthenticated(detail: string, challenge: string): ProblemAnswer {
  return problemAnswer({ status: 401, code: 'unauthenticated', title: 'Unauthorized', detail }, [
    'www-authenticate',
    challenge,
  ]);
}
