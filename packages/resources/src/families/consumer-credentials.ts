import * as v from 'valibot';
import type { Family } from '../family.ts';
import * as field from '../fields.ts';
import { maxCharacters, minCharacters } from '../text-length.ts';
import {
  apiKeyLengthMax,
  basicNeedsUsername,
  credentialPasswordLengthMax,
  credentialSecretLengthMax,
  credentialTypes,
  hmacAlgorithms,
  jwtKeyAlgorithms,
  jwtMaterial,
  jwtSecretAlgorithms,
  keyOfType,
  onlyFieldsOfType,
  publicKeyLengthMax,
  visibleText,
} from './credential-types.ts';

const keyId = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9._~@:+/=-]{1,128}$/, 'must be 1 to 128 of A-Z a-z 0-9 . _ ~ @ : + / = -'),
);

const basicUsername = v.pipe(
  field.name,
  v.check((text) => !text.includes(':'), 'must not contain a colon'),
);

/** Credentials of consumers. Source: wire contract, Certificates, consumers, vaults. */
export const consumerCredentials: Family = {
  name: 'consumer-credentials',
  singular: 'consumer_credential',
  summary: 'Credentials: what a consumer proves itself with',
  scope: 'tenant',
  access: { read: 'read', write: 'write' },
  fields: {
    consumer_id: v.pipe(field.reference, v.metadata({ 'x-immutable': true }), v.description('Whose credential it is')),
    type: v.pipe(
      v.picklist(credentialTypes),
      v.metadata({ 'x-immutable': true }),
      v.description('Kind of credential; fields of another kind are refused'),
    ),
    name: v.optional(
      v.pipe(field.name, v.description('Unique per consumer and kind; the username, key_id or (jwt) key when absent')),
    ),
    key: v.optional(
      v.pipe(
        visibleText,
        maxCharacters(apiKeyLengthMax),
        v.description(
          'api_key: the key, which nobody should guess; returned at creation only, stored hashed. ' +
            'jwt: the iss claim of its tokens, unique in the tenant. Made when absent',
        ),
      ),
    ),
    username: v.optional(v.pipe(basicUsername, v.description('basic: the user name, unique in the tenant'))),
    password: v.optional(
      v.pipe(
        v.string(),
        minCharacters(1),
        maxCharacters(credentialPasswordLengthMax),
        v.metadata({ 'x-secret': true, writeOnly: true }),
        v.description('basic: the password; required at creation, stored hashed, never shown'),
      ),
    ),
    key_id: v.optional(
      v.pipe(keyId, v.description('hmac: what requests name as username, unique in the tenant; made when absent')),
    ),
    secret: v.optional(
      v.pipe(
        visibleText,
        maxCharacters(credentialSecretLengthMax),
        v.metadata({ 'x-secret': true }),
        v.description(
          'hmac: the shared secret; made when absent, returned at creation only. ' +
            'jwt: the shared secret of HS algorithms, made alike. Sealed at rest; reads show a mask',
        ),
      ),
    ),
    algorithms: v.optional(
      v.pipe(
        v.array(v.picklist(hmacAlgorithms)),
        v.minLength(1, 'needs at least one algorithm'),
        v.check((items) => new Set(items).size === items.length, 'must not repeat an item'),
        v.description('hmac: accepted algorithms; all when absent'),
      ),
    ),
    algorithm: v.optional(
      v.pipe(
        v.picklist([...jwtSecretAlgorithms, ...jwtKeyAlgorithms]),
        v.description('jwt: the only accepted algorithm; HS256 when absent'),
      ),
    ),
    public_key: v.optional(
      v.pipe(
        v.string(),
        minCharacters(1),
        maxCharacters(publicKeyLengthMax),
        v.description('jwt: PEM of the public key, for all algorithms but HS; its kind must fit the algorithm'),
      ),
    ),
    expires_at: v.optional(v.pipe(field.timestamp, v.description('The credential is refused from then on'))),
    description: field.description,
    labels: field.labels,
    enabled: field.enabled,
  },
  readOnlyFields: {
    key_prefix: v.optional(
      v.pipe(v.string(), v.description('api_key: first characters of the key, to tell keys apart')),
    ),
    last_used_at: v.optional(v.pipe(v.string(), v.description('Last use that a gateway reported, to the minute'))),
  },
  rules: [onlyFieldsOfType, basicNeedsUsername, keyOfType, jwtMaterial],
  references: [
    {
      field: 'consumer_id',
      family: 'consumers',
      nameField: 'consumer_name',
      nameScope: 'tenant',
      whenTargetIsDeleted: 'cascade',
    },
  ],
  keys: [
    { name: 'name', fields: ['type', 'name'], scope: { field: 'consumer_id' } },
    { name: 'key', fields: ['key_hash'], from: 'key', scope: 'tenant' },
    { name: 'username', fields: ['username'], scope: 'tenant' },
    { name: 'key_id', fields: ['key_id'], scope: 'tenant' },
    // Not `key` itself: what tells records of a bundle apart is printed, and `key` is an API key's secret.
    { name: 'issuer', fields: ['issuer'], from: 'key', scope: 'tenant' },
  ],
  nestedPaths: [{ path: '/consumers/{consumer_id}/credentials', field: 'consumer_id', parameter: 'consumer_id' }],
  methods: ['POST', 'PATCH', 'DELETE'],
  bundle: {
    key: 'consumer_credentials',
    level: 4,
    sets: ['algorithms'],
    matchBy: ['consumer_id', 'type', 'name'],
  },
  deliveredToGateways: true,
};
