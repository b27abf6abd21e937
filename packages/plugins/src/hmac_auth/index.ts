import type {
  ConsumerDirectory,
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
import type { SignatureFault, SignedRequest } from './signed-request.ts';

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

function compileHooks(given: Config, { clock, instance, log }: PluginServices, nonces: SeenNonces): PluginHooks {
  const skewMs = given.clock_skew * 1000;
  const forms = given.signature_forms;
  const needsNonce = given.require_nonce;
  const enforced = given.enforce_headers.map((name) => name.toLowerCase());
  const refuse = refusals(log, forms);
  const accepted = (signed: SignedRequest | SignatureFault): SignedRequest | SignatureFault =>
    typeof signed === 'string' || given.algorithms.includes(signed.algorithm) ? signed : 'algorithm';

  const read = (
    { request }: Exchange,
    form: SignatureForm,
    nowMs: number,
  ): readonly (SignedRequest | SignatureFault)[] => {
    if (form === 'message_signature')
      return readMessageSignatures(request, { required: given.required_components, skewMs, needsNonce }, nowMs);
    return [readAuthorization(request, { enforced, skewMs }, nowMs)];
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
    if (taken === 'full') return refuse.tooMany(exchange, 'too_many_nonces');
    if (taken === 'seen') return refuse.invalid(exchange, 'replayed_nonce');
    const { consumer } = credential.match;
    return given.hide_credentials ? { consumer, headers: HIDDEN[form] } : { consumer };
  };

  return {
    request(exchange) {
      const form = forms.find((one) => IS_PRESENT[one](exchange.request));
      if (form === undefined) return refuse.missing(exchange, 'no_credentials');
      const nowMs = clock.nowMs();
      const verified = verify(exchange, read(exchange, form, nowMs).map(accepted), nowMs);
      if (typeof verified === 'string') return refuse.invalid(exchange, verified);
      if (!given.validate_request_body) return pass(exchange, verified, form);
      return proveBody(exchange.request, verified.signed).then((proof) => {
        if (proof === 'too_large') return refuse.tooLarge(exchange, 'body_too_large');
        return proof === 'proven' ? pass(exchange, verified, form) : refuse.invalid(exchange, 'digest');
      });
    },
  };
}

/** A signature that is right, and whose it is. */
interface Verified {
  readonly signed: SignedRequest;
  readonly credential: HmacCredential;
}

/** Why no signature of a request counts. */
type Doubt = SignatureFault | 'unknown_key_id' | 'credential_expired' | 'signature';

/** @returns the first signature that is right; where none is, what is wrong with the first one */
function verify(
  { consumers }: Exchange,
  candidates: readonly (SignedRequest | SignatureFault)[],
  nowMs: number,
): Verified | Doubt {
  let doubt: Doubt | undefined;
  for (const candidate of candidates) {
    const found = typeof candidate === 'string' ? candidate : verifyOne(consumers, candidate, nowMs);
    if (typeof found === 'object') return found;
    doubt ??= found;
  }
  return doubt ?? 'malformed_credentials';
}

function verifyOne(consumers: ConsumerDirectory, signed: SignedRequest, nowMs: number): Verified | Doubt {
  const credential = consumers.findHmac(signed.keyId);
  if (credential === undefined) return 'unknown_key_id';
  if (!credential.algorithms.includes(signed.algorithm)) return 'algorithm';
  const { expiresAtMs = Infinity } = credential.match;
  if (expiresAtMs <= nowMs) return 'credential_expired';
  const isRight = isSignedWith(credential.secret, signed.algorithm, signed.texts, signed.signature);
  return isRight ? { signed, credential } : 'signature';
}

const IS_PRESENT = { authorization: hasAuthorization, message_signature: hasMessageSignature } as const;

function removals(...names: readonly string[]): readonly HeaderEdit[] {
  return Object.freeze(names.map((name) => Object.freeze({ op: 'remove', name } as const)));
}

const HIDDEN: Readonly<Record<SignatureForm, readonly HeaderEdit[]>> = {
  authorization: removals('authorization'),
  message_signature: removals('signature', 'signature-input'),
};
