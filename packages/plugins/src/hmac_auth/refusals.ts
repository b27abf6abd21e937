import type { PluginLog } from '@portcullis/plugin-runtime';
import { problemAnswer, refusal, type Problem, type Refusal } from '../shared/problem.ts';
import { BODY_BYTES_MAX } from './body-digest.ts';
import type { SignatureForm } from './config.ts';

/** The ways in which requests are refused. */
export interface Refusals {
  /** 401: no signature. */
  readonly missing: Refusal;
  /** 401: a signature that does not count. Why, the answer does not say: whoever guesses would learn from it. */
  readonly invalid: Refusal;
  /** 413: the body is longer than what is read. */
  readonly tooLarge: Refusal;
  /** 429: no room for another nonce. */
  readonly tooMany: Refusal;
}

/**
 * @param log of the instance: takes the reasons, of which clients learn nothing
 * @param forms what the challenge asks for. RFC 9421 registers no scheme: `Signature` is what it was called before
 */
export function refusals(log: PluginLog, forms: readonly SignatureForm[]): Refusals {
  const schemes = forms.map((form) => (form === 'authorization' ? 'hmac realm="api"' : 'Signature realm="api"'));
  const challenge = ['www-authenticate', schemes.join(', ')];
  const unauthenticated = { status: 401, code: 'unauthenticated', title: 'Unauthorized' };
  const refuse = (problem: Problem, headers?: readonly string[]): Refusal =>
    refusal(log, problemAnswer(problem, headers));
  return {
    missing: refuse({ ...unauthenticated, detail: 'the request must be signed' }, challenge),
    invalid: refuse({ ...unauthenticated, detail: 'the signature of the request does not count' }, challenge),
    tooLarge: refuse({
      status: 413,
      code: 'body_too_large',
      title: 'Content Too Large',
      detail: `bodies that are compared with their digest have at most ${BODY_BYTES_MAX} bytes`,
    }),
    tooMany: refuse({
      status: 429,
      code: 'rate_limited',
      title: 'Too Many Requests',
      detail: 'too many signed requests at this time',
    }),
  };
}
