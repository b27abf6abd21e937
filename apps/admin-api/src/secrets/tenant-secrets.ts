import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { KEY_BYTES } from './key-ring.ts';
import { readDataKeys } from './data-keys.ts';
import { type EnvelopeKey, isSealedBy, openEnvelope, sealEnvelope } from './envelope.ts';

/** Where a secret lives. A sealed value opens only in the place that it was sealed for. */
export interface SecretContext {
  readonly family: string;
  readonly id: string;
  /** JSON Pointer of the field. */
  readonly pointer: string;
}

/** One tenant's data key at work. Everything here is synchronous; getting it may read the database once. */
export interface TenantSecrets {
  /** Seals a value for its place. Two sealings of one value differ. */
  seal(context: SecretContext, plaintext: string): string;
  /** Whether a value is sealed with the data key that seals now, and not with one before it. @throws SecretError `malformed` */
  isSealedNow(sealed: string): boolean;
  /** Opens a sealed value in its place. @throws SecretError `malformed`, `wrong_key` or `tampered` */
  open(context: SecretContext, sealed: string): string;
  /**
   * What stands in for a value wherever people look: `[redacted:1a2b3c4d]`, from an HMAC under a key of the tenant's, so that
   * equal values of one tenant look equal and the digits are worth nothing elsewhere.
   */
  maskOf(value: string): string;
  /**
   * What stands for a value in the audit log: `hmac-sha256:` and 64 hex digits, under a key of its own. Equal values of one
   * tenant look equal, also after the key ring was rotated, because the key that digests come from stays. Without the key, which never
   * leaves this object, not even a value that is easily guessed can be found from it.
   */
  digestOf(value: string): string;
}

/** ID of data keys inside envelopes. The key check tells tenants' keys apart, and those of one tenant. */
const DATA_KEY_ID = 'tenant';
const MASK_DIGITS = 8;

/** Puts a tenant's data keys (`readDataKeys`) to work. Sealing, showing and auditing use keys of their own, derived from it. */
export function createTenantSecrets(
  tenantId: string,
  dataKeys: Buffer,
  randomBytes: (size: number) => Buffer,
): TenantSecrets {
  const { lasting, sealing } = readDataKeys(dataKeys);
  const [first = lasting, ...earlier] = sealing;
  const sealer = { id: DATA_KEY_ID, key: derive(first, 'seal') };
  const openers = earlier.map((key) => ({ id: DATA_KEY_ID, key: derive(key, 'seal') }));
  const showing = derive(lasting, 'show');
  const auditing = derive(lasting, 'audit');
  const openerOf = (sealed: string): EnvelopeKey =>
    openers.length === 0 || isSealedBy(sealer.key, sealed)
      ? sealer
      : (openers.find(({ key }) => isSealedBy(key, sealed)) ?? sealer);
  const placeOf = ({ family, id, pointer }: SecretContext): string[] => [tenantId, family, id, pointer];
  const digest = (key: KeyObject, value: string): string =>
    createHmac('sha256', key).update(value, 'utf8').digest('hex');
  return {
    seal: (context, plaintext) => sealEnvelope(sealer, placeOf(context), Buffer.from(plaintext, 'utf8'), randomBytes),
    isSealedNow: (sealed) => isSealedBy(sealer.key, sealed),
    open: (context, sealed) => openEnvelope(openerOf(sealed), placeOf(context), sealed).toString('utf8'),
    maskOf: (value) => `[redacted:${digest(showing, value).slice(0, MASK_DIGITS)}]`,
    digestOf: (value) => `hmac-sha256:${digest(auditing, value)}`,
  };
}

function derive(dataKey: Buffer, purpose: 'seal' | 'show' | 'audit'): KeyObject {
  const derived = hkdfSync('sha256', dataKey, Buffer.alloc(0), `portcullis/tenant-key/v1/${purpose}`, KEY_BYTES);
  return createSecretKey(Buffer.from(derived));
}
