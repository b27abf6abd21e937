import type { Exchange, PluginHooks, PluginResponse, RequestEdits } from '@portcullis/plugin-runtime';
import { andThen } from '../shared/and-then.ts';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { readToken } from '../shared/claims/presented-token.ts';
import { tokenRefusals } from '../shared/claims/token-refusals.ts';
import { compileUpstreamHeaders } from '../shared/claims/upstream-headers.ts';
import { VerifiedTokens } from '../shared/jwt/verified-tokens.ts';
import { config } from './config.ts';
import { credentialKeys } from './credential-keys.ts';
import { liveCredential, tokenVerifier, type VerifiedToken } from './token-verifier.ts';

/** Lets requests pass that carry a token signed by a consumer. */
export const jwtAuth: BuiltIn = builtIn({
  name: 'jwt_auth',
  version: '1.0.0',
  category: 'authentication',
  triggers: ['before_request'],
  description:
    "Lets requests pass that carry a JSON Web Token signed with a consumer's credential, and identifies the consumer",
  config,
  credentialHeaders: ({ token_header: header }) => [header],
  setup(given, { clock, log }): PluginHooks {
    const place = { header: given.token_header, prefix: given.token_prefix };
    const refusals = tokenRefusals(log, place, given.required_scopes);
    const hidden = given.hide_credentials ? [given.token_header] : [];
    const upstream = compileUpstreamHeaders(given.upstream_headers, hidden);
    const verifier = tokenVerifier(given, credentialKeys(log), upstream);
    const verified = new VerifiedTokens<VerifiedToken>();

    const answer = (
      exchange: Exchange,
      { isEnough, headers, credential }: VerifiedToken,
    ): PluginResponse | RequestEdits =>
      isEnough
        ? { headers, consumer: credential.match.consumer }
        : refusals.insufficient(exchange, 'insufficient_scope');

    return {
      request(exchange) {
        const { token, problem } = readToken(exchange.request.headers, place);
        if (token === undefined) return refusals.unread(exchange, problem);
        const nowMs = clock.nowMs();
        const { consumers } = exchange;
        const known = verified.find(token, nowMs);
        const isSame = known !== undefined && liveCredential(consumers, known.keyName, nowMs) === known.credential;
        if (isSame) return answer(exchange, known);
        const claimed = verifier.read(token, consumers, nowMs);
        if (typeof claimed === 'string') return refusals.invalid(exchange, claimed);
        return andThen(verifier.verify(claimed), (outcome) => {
          if (typeof outcome === 'string') return refusals.invalid(exchange, outcome);
          verified.remember(token, outcome);
          return answer(exchange, outcome);
        });
      },
    };
  },
});
