import * as v from 'valibot';
import { aiRecordKinds } from '../families/ai/configs.ts';
import { hmacAlgorithms, jwtKeyAlgorithms, jwtSecretAlgorithms } from '../families/credential-types.ts';
import { vaultTtlSeconds } from '../families/vault-configs.ts';

/*
 * A configuration is everything that one gateway needs to carry traffic, as the control plane sends it: the records of the
 * catalogue's families as reads show them, but with secrets opened. Its form is in `configuration-lines.ts`.
 *
 * Consumers and credentials are those that count for the gateway: of no other gateway and of no realm without it. Credentials
 * are enabled, and so are their consumers; a disabled consumer comes without any, so that the gateway knows whom to refuse.
 * A consumer's `groups` are its effective ones. The forms of credentials are `deliveredApiKey`, `deliveredBasic`,
 * `deliveredHmac` and `deliveredJwt`.
 *
 * Every gateway gets all vaults of its tenant, each as a `deliveredVault`: a plugin of any route may refer to any of them. It gets all
 * AI records of its tenant, too, each as a `deliveredAiRecord`.
 */

/** An API-key credential as gateways get it: never the key. */
export const deliveredApiKey = v.looseObject({
  id: v.string(),
  consumer_id: v.string(),
  type: v.literal('api_key'),
  /** SHA-256 of the key, lower-case hex. */
  key_hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  expires_at: v.optional(v.string()),
  enabled: v.boolean(),
});

const credential = {
  id: v.string(),
  consumer_id: v.string(),
  expires_at: v.optional(v.string()),
  enabled: v.boolean(),
};

/** A basic credential as gateways get it: never the password. */
export const deliveredBasic = v.looseObject({
  ...credential,
  type: v.literal('basic'),
  username: v.string(),
  /** PHC text of an Argon2id hash. */
  password_hash: v.pipe(v.string(), v.regex(/^\$argon2id\$v=19\$/)),
});

/** A credential that signs requests, as gateways get it: with its secret, since a signature is made anew to compare. */
export const deliveredHmac = v.looseObject({
  ...credential,
  type: v.literal('hmac'),
  /** What requests give as `username`. */
  key_id: v.string(),
  secret: v.string(),
  /** The algorithms that requests may sign with; no other is accepted. */
  algorithms: v.pipe(v.array(v.picklist(hmacAlgorithms)), v.minLength(1)),
});

/**
 * A token credential as gateways get it: found by the token's `iss`, which is `key`. The algorithm is the credential's, never
 * the token's. Exactly one of `secret` (HS algorithms) and `public_key` (PEM, fits the algorithm) is there.
 */
export const deliveredJwt = v.looseObject({
  ...credential,
  type: v.literal('jwt'),
  key: v.string(),
  algorithm: v.picklist([...jwtSecretAlgorithms, ...jwtKeyAlgorithms]),
  secret: v.optional(v.string()),
  public_key: v.optional(v.string()),
});

const vault = { id: v.string(), prefix: v.string() };

/** A vault as gateways get it: with its access token, and all that its driver has defaults for. */
export const deliveredVault = v.variant('driver', [
  v.looseObject({
    ...vault,
    driver: v.literal('env'),
    config: v.looseObject({ prefix: v.optional(v.string()) }),
  }),
  v.looseObject({
    ...vault,
    driver: v.literal('file'),
    config: v.looseObject({ directory: v.optional(v.string()) }),
  }),
  v.looseObject({
    ...vault,
    driver: v.literal('hashicorp'),
    config: v.looseObject({
      address: v.string(),
      token: v.string(),
      mount: v.string(),
      kv_version: v.picklist([1, 2]),
      namespace: v.optional(v.string()),
      ttl_seconds: v.pipe(v.number(), v.minValue(vaultTtlSeconds.min), v.maxValue(vaultTtlSeconds.max)),
    }),
  }),
]);

/** An AI record as gateways get it. Credentials in it are references. */
export const deliveredAiRecord = v.looseObject({
  id: v.string(),
  kind: v.picklist(aiRecordKinds),
  name: v.string(),
  config: v.record(v.string(), v.unknown()),
});

/**
 * Mistakes that are not the configuration's but a skew between node and control plane: a form of configurations that the node
 * does not know, and a plugin package that is not installed there.
 */
export const configurationErrorCodes = ['format_unknown', 'plugin_missing'] as const;

/** A node's answer to a configuration: it serves it, or says why not. */
export const configurationAck = v.strictObject({
  revision: v.pipe(v.number(), v.integer(), v.minValue(0)),
  hash: v.pipe(v.string(), v.maxLength(64)),
  status: v.picklist(['applied', 'rejected']),
  /** Milliseconds from receiving the document to serving it. */
  duration_ms: v.pipe(v.number(), v.minValue(0), v.maxValue(3_600_000)),
  errors: v.optional(
    v.pipe(
      v.array(
        v.strictObject({
          pointer: v.pipe(v.string(), v.maxLength(1024)),
          message: v.pipe(v.string(), v.maxLength(1024)),
          /** What the control plane tells apart; other mistakes have no code. */
          code: v.optional(v.picklist(configurationErrorCodes)),
        }),
      ),
      v.maxLength(100),
    ),
    [],
  ),
});

/** See {@link configurationAck}. */
export type ConfigurationAck = v.InferOutput<typeof configurationAck>;
