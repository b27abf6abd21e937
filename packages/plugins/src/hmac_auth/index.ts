import type {
  Exchange,
  HeaderEdit,
  HmacCredential,
  PluginHooks,
  PluginResponse,
  PluginServices,
  RequestEdits,
} from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { hasAuthorization, readAuthorization } from './authorization-form.ts';
import { proveBody } from './body-digest.ts';
import { config, type Config, type SignatureForm } from './config.ts';
import { isSignedWith } from './hmac.ts';
import { hasMessageSignature, readMessageSignatures } from './message-signature-form.ts';
import { refusals } from './refusals.ts';
import { SeenNonces, type TakenNonce } from './seen-nonces.ts';
import type { SignedRequest } from './signed-request.ts';

/** Lets requests pass that are signed with a consumer's secret. */
export const hmacAuth: BuiltIn = hmacAuthOver(new SeenNonces());

/** The plugin over a memory of nonces, which the instances of a process share: a changed config forgets none. */
export function hmacAuthOver(nonces: SeenNonces): BuiltIn {
  return builtIn({
    name: 'hmac_auth',
    version: '1.0.0',
    category: 'authentication',
    triggers: ['before_request'],
    description: "Lets requests pass that are signed with a consumer's secret, and identifies the consumer",
    config,
    setup: (given, services) => compileHooks(given, services, nonces),
  });
}

function compileHooks(given: Config, { clock, instance }: PluginServices, nonces: SeenNonces): PluginHooks {
  const skewMs = given.clock_skew * 1000;
  const forms = given.signature_forms;
  const needsNonce = given.require_nonce;
  const enforced = given.enforce_headers.map((name) => name.toLowerCase());
  const refuse = refusals(forms);
  const isAccepted = ({ algorithm }: SignedRequest): boolean => given.algorithms.includes(algorithm);

  const read = ({ request }: Exchange, form: SignatureForm, nowMs: number): readonly SignedRequest[] => {
    if (form === 'message_signature')
      return readMessageSignatures(request, { required: given.required_components, skewMs, needsNonce }, nowMs);
    const signed = readAuthorization(request, { enforced, skewMs }, nowMs);
    return signed === undefined ? [] : [signed];
  };

  const take = ({ keyId, nonce }: SignedRequest): TakenNonce => {
    if (nonce === undefined) return 'new';
    const nowMs = clock.monotonicMs();
    // A signature of the furthest future that is accepted is good for twice as long.
    const untilMs = nowMs + 2 * skewMs;
    return nonces.take({ tenantId: instance.tenantId, instanceId: instance.id, keyId, nonce, nowMs, untilMs });
  };

  const pass = (
    exchange: Exchange,
    { signed, credential }: Verified,
    form: SignatureForm,
  ): PluginResponse | RequestEdits => {
    const taken = needsNonce ? take(signed) : 'new';
    if (taken === 'full') return refuse.tooMany(exchange);
    if (taken === 'seen') return refuse.invalid(exchange);
    const { consumer } = credential.match;
    return given.hide_credentials ? { consumer, headers: HIDDEN[form] } : { consumer };
  };

  return {
    request(exchange) {
      const form = forms.find((one) => IS_PRESENT[one](exchange.request));
      if (form === undefined) return refuse.missing(exchange);
      const nowMs = clock.nowMs();
      const verified = verify(exchange, read(exchange, form, nowMs).filter(isAccepted), nowMs);
      if (verified === undefined) return refuse.invalid(exchange);
      if (!given.validate_request_body) return pass(exchange, verified, form);
      return proveBody(exchange.request, verified.signed).then((proof) => {
        if (proof === 'too_large') return refuse.tooLarge(exchange);
        return proof === 'proven' ? pass(exchange, verified, form) : refuse.invalid(exchange);
      });
    },
  };
}

/** A signature that is right, and whose it is. */
interface Verified {
  readonly signed: SignedRequest;
  readonly credential: HmacCredential;
}

function verify({ consumers }: Exchange, candidates: readonly SignedRequest[], nowMs: number): Verified | undefined {
  for (const signed of candidates) {
    const credential = consumers.findHmac(signed.keyId);
    if (credential === undefined || !credential.algorithms.includes(signed.algorithm)) continue;
    const { expiresAtMs = Infinity } = credential.match;
    if (expiresAtMs <= nowMs) continue;
    if (isSignedWith(credential.secret, signed.algorithm, signed.texts, signed.signature))
      return { signed, credential };
  }
  return undefined;
}

const IS_PRESENT = { authorization: hasAuthorization, message_signature: hasMessageSignature } as const;

function removals(...names: readonly string[]): readonly HeaderEdit[] {
  return Object.freeze(names.map((name) => Object.freeze({ op: 'remove', name } as const)));
}

const HIDDEN: Readonly<Record<SignatureForm, readonly HeaderEdit[]>> = {
  authorization: removals('authorization'),
  message_signature: removals('signature', 'signature-input'),
};
