import type { Exchange, HookResult, PluginHooks, RequestEdits } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { problemAnswer } from '../shared/problem.ts';
import { identify } from './client-identity.ts';
import { ClientVerdicts, type Verdict } from './client-verdicts.ts';
import { config } from './config.ts';
import { compilePresented } from './presented-certificate.ts';

/** Lets requests pass whose client has a certificate that is trusted. */
export const mtlsClientCertificateAuth: BuiltIn = builtIn({
  name: 'mtls_client_certificate_auth',
  version: '1.0.0',
  category: 'authentication',
  triggers: ['before_request'],
  description:
    'Lets requests pass whose client has a trusted certificate, from the TLS connection or from a trusted proxy, and identifies it',
  config,
  setup(given, { clock }): PluginHooks {
    const presentedBy = compilePresented(given);
    const verdicts = new ClientVerdicts(given, clock);
    const answer = (exchange: Exchange, verdict: Verdict): HookResult<RequestEdits> => {
      if (typeof verdict === 'string') return REFUSALS[verdict](exchange);
      const consumer = identify(exchange.consumers, verdict.names);
      return consumer === 'disabled' ? REFUSALS.untrusted(exchange) : { consumer, headers: verdict.headers };
    };
    return {
      request(exchange) {
        const presented = presentedBy(exchange.request);
        if (presented === undefined) return REFUSALS.untrusted(exchange);
        const verdict = verdicts.verdictOn(presented);
        return verdict instanceof Promise ? verdict.then((late) => answer(exchange, late)) : answer(exchange, verdict);
      },
    };
  },
});

/** Why a certificate is not trusted, nobody is told: it would help whoever forges one. */
const REFUSALS = {
  untrusted: problemAnswer(
    { status: 401, code: 'unauthenticated', title: 'Unauthorized', detail: 'a trusted client certificate is required' },
    ['www-authenticate', 'ClientCertificate realm="api"'],
  ),
  not_allowed: problemAnswer({
    status: 403,
    code: 'forbidden',
    title: 'Forbidden',
    detail: 'the client certificate is not allowed here',
  }),
  busy: problemAnswer(
    {
      status: 503,
      code: 'overloaded',
      title: 'Service Unavailable',
      detail: 'too many certificates wait to be verified',
    },
    ['retry-after', '1'],
  ),
} as const;
