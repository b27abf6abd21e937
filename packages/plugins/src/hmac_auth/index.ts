import type {
  Exchange,
  HeaderEdit,
  HmacCredential,
  PluginHooks,
  PluginResponse,
  RequestEdits,
} from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { hasAuthorization, readAuthorization } from './authorization-form.ts';
import { proveBody } from './body-digest.ts';
import { config, type SignatureForm } from './config.ts';
import { isSignedWith } from './hmac.ts';
import { hasMessageSignature, readMessageSignatures } from './message-signature-form.ts';
import { refusals } from './refusals.ts';
import { SeenNonces } from './seen-nonces.ts';
import type { SignedRequest } from './signed-request.ts';

/** Lets requests pass that are signed with a consumer's secret. */
export const hmacAuth: BuiltIn = builtIn({
  name: 'hmac_auth',
  version: '1.0.0',
  category: 'authentication',
  triggers: ['before_request'],
  description: "Lets requests pass that are signed with a consumer's secret, and identifies the consumer",
  config,
  setup(given, { clock }): PluginHooks {
    const skewMs = given.clock_skew * 1000;
    const forms = given.signature_forms;
    const needsNonce = given.require_nonce;
    const enforced = given.enforce_headers.map((name) => name.toLowerCase());
    const refuse = refusals(forms);
    const nonces = new SeenNonces(clock, skewMs);
    const isAccepted = ({ algorithm }: SignedRequest): boolean => given.algorithms.includes(algorithm);

    const read = ({ request }: Exchange, form: SignatureForm, nowMs: number): readonly SignedRequest[] => {
      if (form === 'message_signature')
        return readMessageSignatures(request, { required: given.required_components, skewMs, needsNonce }, nowMs);
      const signed = readAuthorization(request, { enforced, skewMs }, nowMs);
      return signed === undefined ? [] : [signed];
    };

    const pass = (
      exchange: Exchange,
      { signed, credential }: Verified,
      form: SignatureForm,
    ): PluginResponse | RequestEdits => {
      const { keyId, nonce } = signed;
      const taken = needsNonce && nonce !== undefined ? nonces.take(keyId, nonce) : 'new';
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
  },
});

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
