import { problemAnswer, type ProblemAnswer } from '../problem.ts';
import type { TokenPlace } from './presented-token.ts';

/** The ways in which a plugin refuses requests for their token. */
export interface TokenRefusals {
  /** 401: the request presents no token. Says how to present one, and no error. */
  readonly missing: ProblemAnswer;
  /** 401: the token is malformed, unknown, expired or revoked. Which of these, it does not say. */
  readonly invalid: ProblemAnswer;
  /** 403: the token is good, but not for this. */
  readonly insufficient: ProblemAnswer;
}

/**
 * Makes the refusals with their challenges. Source: RFC 6750, section 3; RFC 9110, section 11.6.1.
 * @param place where the token is expected
 * @param requiredScopes told to who has fewer
 */
export function tokenRefusals({ header, prefix }: TokenPlace, requiredScopes: readonly string[] = []): TokenRefusals {
  const where = header.toLowerCase() === 'authorization' ? '' : `, header="${header}"`;
  const challenge = `${prefix || 'Bearer'} realm="api"${where}`;
  const scope = requiredScopes.length > 0 ? `, scope="${requiredScopes.join(' ')}"` : '';
  return {
    missing: unauthenticated(`a token is required in ${header}`, challenge),
    invalid: unauthenticated(`the token in ${header} is not valid`, `${challenge}, error="invalid_token"`),
    insufficient: problemAnswer(
      {
        status: 403,
        code: 'forbidden',
        title: 'Forbidden',
        detail: 'the token does not have every scope that is required',
      },
      ['www-authenticate', `${challenge}, error="insufficient_scope"${scope}`],
    ),
  };
}

function unauthenticated(detail: string, challenge: string): ProblemAnswer {
  return problemAnswer({ status: 401, code: 'unauthenticated', title: 'Unauthorized', detail }, [
    'www-authenticate',
    challenge,
  ]);
}
