import type { PluginHooks, PluginResponse, RequestEdits } from '@portcullis/plugin-runtime';
import { andThen } from '../shared/and-then.ts';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { readToken } from '../shared/claims/presented-token.ts';
import { tokenRefusals } from '../shared/claims/token-refusals.ts';
import { compileUpstreamHeaders } from '../shared/claims/upstream-headers.ts';
import { issuerKeys } from '../shared/jwt/issuer-keys.ts';
import { FETCH_PAUSE_MS } from '../shared/jwt/remote-keys.ts';
import { VerifiedTokens } from '../shared/jwt/verified-tokens.ts';
import { problemAnswer, refusal } from '../shared/problem.ts';
import { config } from './config.ts';
import { tokenVerifier, type VerifiedToken } from './token-verifier.ts';
import { tokenAnswer } from './token-answer.ts';

/** Lets requests pass that carry a token of an issuer. */
export const oidc: BuiltIn = builtIn({
  name: 'oidc',
  version: '1.0.0',
  category: 'authentication',
  triggers: ['before_request'],
  description: "Lets requests pass that carry a JSON Web Token signed with an issuer's key, and identifies its subject",
  config,
  credentialHeaders: ({ token_header: header }) => [header],
  setup(given, services): PluginHooks {
    const { clock, log } = services;
    const place = { header: given.token_header, prefix: given.token_prefix };
    const refusals = tokenRefusals(log, place, given.required_scopes);
    const keys = issuerKeys(given.public_key, services);
    const hidden = given.hide_credentials ? [given.token_header] : [];
    const verifier = tokenVerifier(given, keys, compileUpstreamHeaders(given.upstream_headers, hidden));
    const verified = new VerifiedTokens<VerifiedToken>();
    const refuseForNow = refusal(log, unavailable);
    const answer = tokenAnswer(refusals);
    return {
      request(exchange) {
        const { token, problem } = readToken(exchange.request.headers, place);
        if (token === undefined) return refusals.unread(exchange, problem);
        const nowMs = clock.nowMs();
        const known = verified.find(token, nowMs);
        if (known !== undefined && keys.current()?.has(known.key) === true) return answer(exchange, known);
        const claimed = verifier.read(token, nowMs);
        if (typeof claimed === 'string') return refusals.invalid(exchange, claimed);
        return andThen(verifier.verify(claimed), (outcome): PluginResponse | RequestEdits => {
          if (outcome === 'unknown') return refuseForNow(exchange, 'issuer_unavailable');
          if (typeof outcome === 'string') return refusals.invalid(exchange, outcome);
          verified.remember(token, outcome);
          return answer(exchange, outcome);
        });
      },
      dispose: () => keys.close(),
    };
  },
});

/**
 * Answered and not thrown: anybody can name a key that nobody knows, and must not open the circuit for those whose keys are known.
 */
const unavailable = problemAnswer(
  {
    status: 503,
    code: 'unavailable',
    title: 'Service Unavailable',
    detail: 'the key of the token is not known, and the issuer cannot be asked at the moment',
  },
  ['retry-after', String(FETCH_PAUSE_MS / 1000)],
);
