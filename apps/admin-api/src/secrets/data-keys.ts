import { KEY_BYTES } from './key-ring.ts';

/**
 * What is sealed for a tenant, taken apart. `lasting` is the first key that the tenant ever had: masks and digests come from it for ever, so
 * that masks sent back and records of the audit log stay comparable. It sealed everything until the first rotation.
 */
export interface DataKeys {
  readonly lasting: Buffer;
  /** The one that seals first; the others open what they sealed before. Never empty. */
  readonly sealing: readonly Buffer[];
}

/** Reads one key (a tenant without a rotation), or the lasting one and those that seal. @throws TypeError for bytes of another length */
export function readDataKeys(bytes: Buffer): DataKeys {
  if (bytes.length === 0 || bytes.length % KEY_BYTES !== 0) throw new TypeError('these bytes are no data keys');
  const keys = Array.from({ length: bytes.length / KEY_BYTES }, (_, at) =>
    bytes.subarray(at * KEY_BYTES, (at + 1) * KEY_BYTES),
  );
  const [lasting = bytes, ...sealing] = keys;
  return { lasting, sealing: sealing.length === 0 ? [lasting] : sealing };
}

/** The bytes of keys, as they are sealed. */
export function writeDataKeys({ lasting, sealing }: DataKeys): Buffer {
  return Buffer.concat([lasting, ...sealing]);
}
