import type { Exchange, HookResult, PluginHooks, PluginLog, RequestEdits } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { problemAnswer, refusal, type Refusal } from '../shared/problem.ts';
import { identify } from './client-identity.ts';
import { ClientVerdicts, type Verdict } from './client-verdicts.ts';
import { config } from './config.ts';
import { compilePresented } from './presented-certificate.ts';
import type { Mismatch } from './refusal-reasons.ts';

/** Lets requests pass whose client has a certificate that is trusted. */
export const mtlsClientCertificateAuth: BuiltIn = builtIn({
  name: 'mtls_client_certificate_auth',
  version: '1.0.0',
  category: 'authentication',
  triggers: ['before_request'],
  description:
    'Lets requests pass whose client has a trusted certificate, from the TLS connection or from a trusted proxy, and identifies it',
  config,
  credentialHeaders: ({ header_name: header }) => [header],
  setup(given, { clock, log }): PluginHooks {
    const presentedBy = compilePresented(given);
    const verdicts = new ClientVerdicts(given, clock);
    const refuse = refusals(log);
    const answer = (exchange: Exchange, verdict: Verdict): HookResult<RequestEdits> => {
      if (typeof verdict === 'string') return refuse(exchange, verdict);
      const consumer = identify(exchange.consumers, verdict.names);
      return consumer === 'disabled' ? refuse(exchange, 'consumer_disabled') : { consumer, headers: verdict.headers };
    };
    return {
      request(exchange) {
        const presented = presentedBy(exchange.request);
        if (typeof presented === 'string') return refuse(exchange, presented);
        const verdict = verdicts.verdictOn(presented);
        return verdict instanceof Promise ? verdict.then((late) => answer(exchange, late)) : answer(exchange, verdict);
      },
    };
  },
});

/** The reason says which answer it is. Why a certificate is not trusted, no client is told: it would help whoever forges one. */
function refusals(log: PluginLog): Refusal {
  const untrusted = refusal(log, UNTRUSTED);
  const notAllowed = refusal(log, NOT_ALLOWED);
  const others: Readonly<Partial<Record<string, Refusal>>> = {
    common_name: notAllowed,
    subject: notAllowed,
    san: notAllowed,
    busy: refusal(log, BUSY),
  } satisfies Record<Mismatch | 'busy', Refusal>;
  return (exchange, reason) => (others[reason] ?? untrusted)(exchange, reason);
}

const UNTRUSTED = problemAnswer(
  { status: 401, code: 'unauthenticated', title: 'Unauthorized', detail: 'a trusted client certificate is required' },
  ['www-authenticate', 'ClientCertificate realm="api"'],
);

const NOT_ALLOWED = problemAnswer({
  status: 403,
  code: 'forbidden',
  title: 'Forbidden',
  detail: 'the client certificate is not allowed here',
});

const BUSY = problemAnswer(
  {
    status: 503,
    code: 'overloaded',
    title: 'Service Unavailable',
    detail: 'too many certificates wait to be verified',
  },
  ['retry-after', '1'],
);
