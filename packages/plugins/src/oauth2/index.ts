import type { Exchange, HookResult, PluginHooks, PluginServices, RequestEdits } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { claimReader } from '../shared/claims/claim-value.ts';
import { readToken } from '../shared/claims/presented-token.ts';
import { tokenRefusals } from '../shared/claims/token-refusals.ts';
import { compileUpstreamHeaders } from '../shared/claims/upstream-headers.ts';
import { clientNetwork } from '../shared/client-network.ts';
import { leaveFacts } from '../shared/identity-facts.ts';
import { busyAnswer, problemAnswer, refusal } from '../shared/problem.ts';
import { config, type Config } from './config.ts';
import { compileTokens } from './configured-tokens.ts';
import { UndecidedTokenError } from './introspection-answer.ts';
import { IntrospectedTokens } from './introspected-tokens.ts';
import { digestOf } from './token-digest.ts';
import { identityOf, type GrantRules, type TokenFault, type TokenGrant } from './token-grant.ts';

/** Lets requests pass that carry an active OAuth 2.0 access token. */
export const oauth2: BuiltIn = builtIn({
  name: 'oauth2',
  version: '1.0.0',
  category: 'authentication',
  triggers: ['before_request'],
  description: 'Lets requests pass that carry an active OAuth 2.0 access token, as its issuer says when it is asked',
  config,
  credentialHeaders: ({ token_header: header }) => [header],
  secretNames: { token_claims: { key: 'token', value: 'claims' } },
  setup(settings, services): PluginHooks {
    const { clock, log } = services;
    const place = { header: settings.token_header, prefix: settings.token_prefix };
    const rules = grantRules(settings);
    const refusals = tokenRefusals(log, place, rules.requiredScopes);
    const refuseForNow = refusal(log, busy);
    const refuseUndecided = refusal(log, undecided);
    const configured = compileTokens(settings, rules);
    const introspected = introspectedTokens(settings, rules, services);
    const answer = (exchange: Exchange, grant: TokenGrant | TokenFault): HookResult<RequestEdits> => {
      if (typeof grant === 'string') return refusals.invalid(exchange, grant);
      if (grant.expiresAtMs <= clock.nowMs()) return refusals.invalid(exchange, 'expired');
      if (!grant.hasRequiredScopes) return refusals.insufficient(exchange, 'insufficient_scope');
      const consumer = identityOf(exchange, grant);
      if (consumer === 'disabled') return refusals.invalid(exchange, 'consumer_disabled');
      leaveFacts(exchange, grant.facts, consumer);
      return { headers: grant.headers, ...(consumer === undefined ? {} : { consumer }) };
    };
    return {
      request(exchange) {
        const { token, problem } = readToken(exchange.request.headers, place);
        if (token === undefined) return refusals.unread(exchange, problem);
        const digest = digestOf(token);
        const known = configured.get(digest) ?? introspected?.find(digest);
        if (known !== undefined) return answer(exchange, known);
        if (introspected === undefined) return answer(exchange, 'unknown_token');
        const network = clientNetwork(exchange.request.clientIp);
        const asking = introspected.ask({ token, digest, network }, () => exchange.signal());
        if (typeof asking === 'string') return refuseForNow(exchange, asking);
        return asking.then(
          (asked) => answer(exchange, asked),
          (error: unknown) => {
            if (!(error instanceof UndecidedTokenError)) throw error;
            log.warn(error.message);
            return refuseUndecided(exchange, 'undecided');
          },
        );
      },
    };
  },
});

const busy = busyAnswer('too many tokens are being asked about, or too many of this client were not active');

const undecided = problemAnswer({
  status: 503,
  code: 'unavailable',
  title: 'Service Unavailable',
  detail: 'the issuer does not say whether the token is active',
});

function grantRules(settings: Config): GrantRules {
  const { hide_credentials: isHidden, token_header: header, scope_claim: scopes } = settings;
  return {
    scopesIn: claimReader(scopes),
    requiredScopes: settings.required_scopes ?? [],
    upstreamHeaders: compileUpstreamHeaders(settings.upstream_headers, isHidden ? [header] : []),
  };
}

function introspectedTokens(
  { introspection_url: url, client_id: clientId, client_secret: clientSecret, timeout_seconds: timeoutSeconds }: Config,
  rules: GrantRules,
  services: PluginServices,
): IntrospectedTokens | undefined {
  if (url === undefined) return undefined;
  const endpoint = { url, clientId, clientSecret, timeoutMs: Math.ceil(timeoutSeconds * 1000) };
  return new IntrospectedTokens(endpoint, rules, services);
}
